import {
  type DescField,
  type DescFile,
  type DescMessage,
  getOption,
  hasOption,
  type Registry,
} from "@bufbuild/protobuf";
import { struct as structOption } from "../../gen/structcodec/v1/hint_pb.js";
import { refuseUnknownNames } from "../base/option-names.js";
import { copyOwn, getOwn, setOwn } from "../base/own.js";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { parseSchema } from "../json-schema/parse-schema.js";
import { copyPlain } from "./copy-plain.js";
import { enumSchema, mapKeySchema, nullableSchema, scalarSchema } from "./derive-field.js";
import { type FieldRules, isRequiredOneof, type Keywords, readFieldRules, wrappedScalars } from "./field-rules.js";
import { findCycle } from "./find-cycle.js";
import { CommentReader } from "./read-comment.js";

/** Options of `deriveSchema`. */
export interface DeriveOptions {
  /** Defaults to false: members have the names of ProtoJSON (`bookingId`). True takes those of the proto file. */
  useProtoFieldName?: boolean | undefined;
  /**
   * Defaults to false: what writers of ProtoJSON write, and what to show a model. True describes what readers take, to check JSON
   * of others: 64-bit integers and enums may be numbers too.
   */
  lax?: boolean | undefined;
  /** Schemas that field options name with `schema`, by that name. */
  schemas?: { readonly [name: string]: JsonSchema } | undefined;
  /** Where to look for messages that field options name and the file does not import. */
  registry?: Registry | undefined;
}

/**
 * Derive the JSON Schema of a message's ProtoJSON: 64-bit integers as decimal text, 32-bit ones with bounds, enums as
 * names. Presence, `google.api.field_behavior` and `buf.validate` say what is required and allowed; descriptions come from
 * the option `structcodec.v1.struct` and from comments, where the descriptor has them.
 */
export function deriveSchema(message: DescMessage, options: DeriveOptions = {}): JsonSchemaObject {
  refuseUnknownNames(options, ["useProtoFieldName", "lax", "schemas", "registry"], "option");
  return new Deriver(message, copyOwn(options)).derive();
}

/** How ProtoJSON writes the messages that it treats apart. Each schema is made anew, since callers may change what they get. */
const wellKnown: ReadonlyMap<string, () => Keywords> = new Map<string, () => Keywords>([
  ["google.protobuf.Timestamp", () => ({ type: "string", format: "date-time" })],
  ["google.protobuf.Duration", () => ({ type: "string", pattern: "^-?[0-9]+(?:\\.[0-9]{1,9})?s$" })],
  ["google.protobuf.FieldMask", () => ({ type: "string" })],
  ["google.protobuf.Empty", () => ({ type: "object" })],
  ["google.protobuf.Struct", () => ({ type: "object" })],
  ["google.protobuf.Value", () => ({})],
  ["google.protobuf.ListValue", () => ({ type: "array" })],
  ["google.protobuf.Any", () => ({ type: "object", properties: { "@type": { type: "string" } } })],
]);

class Deriver {
  readonly #root: DescMessage;
  readonly #options: DeriveOptions;
  readonly #comments = new CommentReader();
  /** Messages referred to, each defined once: recursion ends there. */
  readonly #referred = new Map<string, DescMessage>();

  constructor(root: DescMessage, options: DeriveOptions) {
    this.#root = root;
    this.#options = options;
  }

  derive(): JsonSchemaObject {
    const special = this.#special(this.#root, {});
    if (special !== undefined) return special;
    const root = this.#object(this.#root);
    const definitions: Record<string, unknown> = {};
    // The map grows while messages are defined.
    for (const [name, message] of this.#referred) setOwn(definitions, name, this.#object(message));
    return this.#referred.size === 0 ? root : { ...root, $defs: definitions };
  }

  #object(message: DescMessage): Keywords {
    const properties: Record<string, unknown> = {};
    const required: string[] = [];
    for (const field of message.fields) {
      const rules = readFieldRules(field);
      const name = this.#nameOf(field);
      setOwn(properties, name, this.#field(field, rules));
      // LEGACY_REQUIRED: proto2 and editions.
      if (rules.isRequired || field.presence === 3) required.push(name);
    }
    const description = this.#comments.read(message);
    return {
      type: "object",
      ...(description !== undefined && { description }),
      properties,
      ...(required.length > 0 && { required }),
      ...this.#oneofs(message),
    };
  }

  #nameOf(field: DescField): string {
    return this.#options.useProtoFieldName === true ? field.name : field.jsonName;
  }

  /** At most one member of a oneof, or exactly one where that is required. */
  #oneofs(message: DescMessage): Keywords {
    const choices = message.oneofs.map((oneof): Keywords => {
      const members = oneof.fields.map((field) => ({ required: [this.#nameOf(field)] }));
      return { oneOf: isRequiredOneof(oneof) ? members : [...members, { not: { anyOf: members } }] };
    });
    if (choices.length === 0) return {};
    return choices.length === 1 ? (choices[0] as Keywords) : { allOf: choices };
  }

  #field(field: DescField, rules: FieldRules): Keywords {
    const description = this.#describe(field);
    const annotations = { ...rules.annotations, ...(field.deprecated && { deprecated: true }) };
    const described = description === undefined ? {} : { description };
    switch (field.fieldKind) {
      case "list":
        return {
          type: "array",
          items: this.#value(field, rules.value),
          ...rules.container,
          ...described,
          ...annotations,
        };
      case "map": {
        const names = { ...mapKeySchema(field.mapKey), ...rules.keys };
        return {
          type: "object",
          additionalProperties: this.#value(field, rules.value),
          ...(Object.keys(names).length > 0 && { propertyNames: { type: "string", ...names } }),
          ...rules.container,
          ...described,
          ...annotations,
        };
      }
      default:
        return { ...this.#value(field, rules.value, description), ...annotations };
    }
  }

  #value(field: DescField, rules: Keywords, description?: string): Keywords {
    const lax = this.#options.lax === true;
    if (field.scalar !== undefined) return scalarSchema(field.scalar, rules, lax, description);
    if (field.enum !== undefined) return enumSchema(field.enum, rules, lax, description);
    const described = description === undefined ? {} : { description };
    const message = field.message as DescMessage;
    const hinted = this.#hinted(field, message);
    if (hinted !== undefined) return { ...hinted, ...described };
    const special = this.#special(message, rules, description);
    if (special !== undefined) return { ...special, ...described, ...pickDescription(special) };
    return { ...this.#refer(message), ...described };
  }

  #refer(message: DescMessage): Keywords {
    if (message.typeName === this.#root.typeName) return { $ref: "#" };
    this.#referred.set(message.typeName, message);
    return { $ref: `#/$defs/${message.typeName}` };
  }

  #special({ typeName }: DescMessage, rules: Keywords, description?: string): Keywords | undefined {
    const scalar = wrappedScalars.get(typeName);
    if (scalar === undefined) return wellKnown.get(typeName)?.();
    return nullableSchema(scalarSchema(scalar, rules, this.#options.lax === true, description));
  }

  /** The schema that a field option gives for a Struct, Value or ListValue. */
  #hinted(field: DescField, { typeName }: DescMessage): Keywords | undefined {
    const isDynamic = /^google\.protobuf\.(?:Struct|Value|ListValue)$/.test(typeName);
    if (!isDynamic || !hasOption(field, structOption)) return undefined;
    const { source } = getOption(field, structOption);
    switch (source.case) {
      case "message": {
        const message =
          findMessage(field.parent.file, source.value) ?? this.#options.registry?.getMessage(source.value);
        return message === undefined ? undefined : (this.#special(message, {}) ?? this.#refer(message));
      }
      case "schema":
        return embeddable(getOwn(this.#options.schemas ?? {}, source.value));
      case "inline":
        return embeddable(parseInline(source.value));
      default:
        return undefined;
    }
  }

  #describe(field: DescField): string | undefined {
    const said = hasOption(field, structOption) ? getOption(field, structOption).description : "";
    return said === "" ? this.#comments.read(field) : said;
  }
}

/** The words of a wrapper say more than the field's: that its digits are text. */
function pickDescription({ description }: Keywords): Keywords {
  return description === undefined ? {} : { description };
}

/** A copy of a schema, to stand in a document that its reader may change. One with references of its own cannot. */
function embeddable(schema: unknown): Keywords | undefined {
  if (!isSchemaObject(schema) || findCycle(schema) !== undefined) return undefined;
  const text = JSON.stringify(schema, (_, value) => (typeof value === "bigint" ? String(value) : value));
  if (/"\$(?:ref|dynamicRef|recursiveRef|id)"/.test(text)) return undefined;
  return copyPlain(schema, (number) => number) as Keywords;
}

function parseInline(text: string): unknown {
  try {
    return parseSchema(text).schema;
  } catch {
    // An option that is no schema says nothing; the codec tells its author.
    return undefined;
  }
}

/** Look for a message in a file and in all that it imports. */
function findMessage(file: DescFile, typeName: string): DescMessage | undefined {
  const files = new Set([file]);
  for (const next of files) {
    const pending = [...next.messages];
    for (let message = pending.pop(); message !== undefined; message = pending.pop()) {
      if (message.typeName === typeName) return message;
      pending.push(...message.nestedMessages);
    }
    for (const dependency of next.dependencies) files.add(dependency);
  }
  return undefined;
}
