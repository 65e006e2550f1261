import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { setOwn } from "../base/own.js";
import type { ExactJson } from "../codec/exact-json.js";
import type { CutOptions } from "./cut-options.js";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import type { JsonSource } from "./json-source.js";
import type { FieldShape, MessagePlan } from "./message-plan.js";
import type { Locate } from "./place.js";
import { placeholderJson } from "./placeholder.js";
import { rootKindOf, type StructKind, structKindOf } from "./struct-kind.js";

/** Take the Structs out of the JSON value of a message. The value is copied as far as Structs may be in it. */
export function cutJson(options: CutOptions, desc: DescMessage, json: ExactJson): JsonSource {
  const cutter = new JsonCutter(options);
  const kind = rootKindOf(desc);
  const skeleton = kind === undefined ? cutter.cutMessage(desc, json, 1) : cutter.cutContent(kind, json);
  return new ValueSource(skeleton as JsonValue, cutter.parts);
}

class ValueSource implements JsonSource {
  readonly isGuessed = false;
  readonly skeleton: JsonValue;
  readonly #parts: readonly ExactJson[];

  constructor(skeleton: JsonValue, parts: readonly ExactJson[]) {
    this.skeleton = skeleton;
    this.#parts = parts;
  }

  get partCount(): number {
    return this.#parts.length;
  }

  toField(codec: FieldCodec, part: number): FieldValue {
    return codec.fromJson(this.#parts[part] as ExactJson);
  }

  toBinary(codec: FieldCodec, part: number): Uint8Array {
    return codec.jsonToBinary(this.#parts[part] as ExactJson);
  }

  locate(): Locate {
    return () => ({});
  }
}

class JsonCutter {
  readonly parts: ExactJson[] = [];
  readonly #options: CutOptions;

  constructor(options: CutOptions) {
    this.#options = options;
  }

  cutMessage(desc: DescMessage, json: unknown, depth: number): unknown {
    if (!isObject(json) || depth > this.#options.deepest) return json;
    if (desc.typeName === "google.protobuf.Any") return this.#cutAny(json, depth);
    return this.#cutFields(this.#options.planner.plan(desc), json, depth);
  }

  /** Take out a Struct, a Value or a ListValue. Null is no Struct, but it is a Value. */
  cutContent(kind: StructKind, json: unknown): unknown {
    if (json === undefined || (json === null && kind !== "value")) return json;
    // Whatever it is, the codec says whether it is JSON.
    this.parts.push(json as ExactJson);
    return placeholderJson(kind, this.parts.length - 1);
  }

  #cutFields(plan: MessagePlan, json: object, depth: number): unknown {
    const { planner, registry } = this.#options;
    return mapMembers(json, (key, value) => {
      const field = plan.byJsonKey.get(key) ?? planner.planExtension(plan, key, registry);
      return field === undefined ? value : this.#cutField(field, value, depth);
    });
  }

  #cutField(field: FieldShape, json: unknown, depth: number): unknown {
    if (field.fieldKind === "message") return this.#cutValue(field, json, depth);
    if (field.fieldKind === "list" && Array.isArray(json))
      return json.map((item) => this.#cutValue(field, item, depth));
    if (field.fieldKind !== "map" || !isObject(json)) return json;
    return mapMembers(json, (_, value) => this.#cutValue(field, value, depth));
  }

  #cutValue({ content, message }: FieldShape, json: unknown, depth: number): unknown {
    if (content === "message" || content === "any") return this.cutMessage(message, json, depth + 1);
    return this.cutContent(content, json);
  }

  #cutAny(json: object, depth: number): unknown {
    const typeUrl = Object.hasOwn(json, "@type") ? (json as Record<string, unknown>)["@type"] : undefined;
    const typeName = typeof typeUrl === "string" ? typeUrl.slice(typeUrl.lastIndexOf("/") + 1) : "";
    const desc = this.#options.registry?.getMessage(typeName);
    if (desc === undefined) return json;
    const kind = structKindOf(desc);
    if (kind === undefined && desc.typeName !== "google.protobuf.Any") {
      return this.#cutFields(this.#options.planner.plan(desc), json, depth + 1);
    }
    return mapMembers(json, (key, value) => {
      if (key !== "value") return value;
      return kind === undefined ? this.cutMessage(desc, value, depth + 1) : this.cutContent(kind, value);
    });
  }
}

function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function mapMembers(json: object, map: (key: string, value: unknown) => unknown): Record<string, unknown> {
  const mapped: Record<string, unknown> = {};
  for (const key of Object.keys(json)) setOwn(mapped, key, map(key, (json as Record<string, unknown>)[key]));
  return mapped;
}
