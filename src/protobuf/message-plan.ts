import type { DescExtension, DescField, DescMessage, Registry } from "@bufbuild/protobuf";
import { type StructKind, structKindOf } from "./struct-kind.js";
import { type WireShape, wireShapeOf } from "./wire-shape.js";

/** What a field holds that a walk looks for: content itself, a message with such content somewhere, or an Any. */
export type FieldContent = StructKind | "message" | "any";

/** What a field holds, alone, in a list or as the values of a map. */
export interface FieldShape {
  readonly fieldKind: DescField["fieldKind"];
  readonly content: FieldContent;
  readonly message: DescMessage;
}

/** A field that a walk has to visit. */
export interface PlannedField extends FieldShape {
  readonly field: DescField;
  /** Full name, by which hints are found. */
  readonly name: string;
}

/** A field as it is on the wire. */
export interface WireField extends WireShape {
  readonly field: DescField;
  /** What a field of messages holds: content itself, or a message to go through, whatever it holds. */
  readonly content: StructKind | "message" | undefined;
}

/** The fields of a message that a walk has to visit. Everything else is none of its business. */
export interface MessagePlan {
  readonly desc: DescMessage;
  readonly fields: readonly PlannedField[];
  /** All fields, also those that no walk visits. */
  readonly byNumber: ReadonlyMap<number, WireField>;
  /** By the name in JSON and by that of the proto file. */
  readonly byJsonKey: ReadonlyMap<string, PlannedField>;
  /** Whether a Struct may be in a message of this type: in a field, in a message in a field, in an Any, in an extension. */
  readonly holdsStructs: boolean;
}

/** Plans messages and remembers them. With a registry, also what is in an Any and in extensions. */
export class Planner {
  readonly #hasRegistry: boolean;
  readonly #onPlan: (desc: DescMessage) => void;
  readonly #plans = new WeakMap<DescMessage, MessagePlan>();
  readonly #holding = new WeakMap<DescMessage, boolean>();

  /** Each message is told to `onPlan` once, before it is planned. */
  constructor(hasRegistry: boolean, onPlan: (desc: DescMessage) => void) {
    this.#hasRegistry = hasRegistry;
    this.#onPlan = onPlan;
  }

  plan(desc: DescMessage): MessagePlan {
    let plan = this.#plans.get(desc);
    if (plan === undefined) {
      this.#onPlan(desc);
      plan = this.#compile(desc);
      this.#plans.set(desc, plan);
    }
    return plan;
  }

  /** Plan a message and all that it may hold. */
  planAll(desc: DescMessage): void {
    const reached = new Set([desc]);
    for (const message of reached) {
      this.plan(message);
      for (const field of message.fields) if (field.message !== undefined) reached.add(field.message);
    }
  }

  #compile(desc: DescMessage): MessagePlan {
    const fields = desc.fields.flatMap((field) => this.#planField(field) ?? []);
    const keys = fields.flatMap((planned) => [
      [planned.field.jsonName, planned] as const,
      [planned.field.name, planned] as const,
    ]);
    return {
      desc,
      fields: fields.sort((a, b) => a.field.number - b.field.number),
      byNumber: new Map(desc.fields.map((field) => [field.number, wireFieldOf(field)])),
      byJsonKey: new Map(keys),
      holdsStructs: this.#holdsStructs(desc),
    };
  }

  /** What an extension holds that JSON names as "[full.name]". */
  planExtension({ desc }: MessagePlan, key: string, registry: Registry | undefined): FieldShape | undefined {
    if (key[0] !== "[" || !key.endsWith("]")) return undefined;
    const extension = registry?.getExtension(key.slice(1, -1));
    return extension?.extendee.typeName === desc.typeName ? this.#shapeOf(extension) : undefined;
  }

  #planField(field: DescField): PlannedField | undefined {
    const shape = this.#shapeOf(field);
    return shape === undefined ? undefined : { field, name: fieldNameOf(field), ...shape };
  }

  #shapeOf({ fieldKind, message }: DescField | DescExtension): FieldShape | undefined {
    const content = message === undefined ? undefined : this.#contentOf(message);
    return content === undefined || message === undefined ? undefined : { fieldKind, content, message };
  }

  #contentOf(message: DescMessage): FieldContent | undefined {
    const kind = structKindOf(message);
    if (kind !== undefined) return kind;
    if (message.typeName === "google.protobuf.Any") return this.#hasRegistry ? "any" : undefined;
    return this.#holdsStructs(message) ? "message" : undefined;
  }

  /** Look through everything that can be reached from a message; types may contain themselves. */
  #holdsStructs(desc: DescMessage): boolean {
    const known = this.#holding.get(desc);
    if (known !== undefined) return known;
    const reached = new Set([desc]);
    let holds = false;
    for (const message of reached) {
      if (structKindOf(message) !== undefined || (this.#hasRegistry && isOpen(message)) || this.#holding.get(message)) {
        holds = true;
        break;
      }
      for (const field of message.fields) if (field.message !== undefined) reached.add(field.message);
    }
    this.#holding.set(desc, holds);
    return holds;
  }
}

function wireFieldOf(field: DescField): WireField {
  const content = field.message === undefined ? undefined : (structKindOf(field.message) ?? "message");
  return { field, content, ...wireShapeOf(field) };
}

/** Whether a message may hold what its own fields do not name. */
function isOpen({ typeName, proto }: DescMessage): boolean {
  return typeName === "google.protobuf.Any" || proto.extensionRange.length > 0;
}

/** The full name of a field, as in error messages of protobuf-es. */
export function fieldNameOf(field: DescField | DescExtension): string {
  return field.kind === "extension" ? field.typeName : `${field.parent.typeName}.${field.name}`;
}
