import { fromBinary, fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import type { JsonSchema } from "../src/index.js";
import {
  makeDecimals,
  makeDoubles,
  makeHuge,
  makeIntegers,
  makeLarge,
  makeMedium,
  makeNumeric,
  makeSmall,
  makeStrings,
  repeat,
} from "./data.js";

/** One document in every form that a conversion begins or ends with. */
export interface Sample {
  readonly value: JsonObject;
  readonly text: string;
  readonly jsonBytes: Uint8Array;
  readonly wire: Uint8Array;
  /** Made anew by each call, so that a run over many sets does not carry all of their messages around. */
  message(): Struct;
}

export interface Payload {
  readonly name: PayloadName;
  /** Declares every position of the document. */
  readonly schema: JsonSchema;
  /** More than one where V8's cache of printed numbers would otherwise answer from the second round on. */
  readonly samples: readonly Sample[];
}

export const payloadNames = [
  "small",
  "medium",
  "large",
  "numeric",
  "doubles",
  "decimals",
  "integers",
  "strings",
  "huge",
] as const;
export type PayloadName = (typeof payloadNames)[number];

/** What a run warms up with, so that no code is compiled for one shape of data only. */
export const mixedPayloads: readonly PayloadName[] = ["small", "medium", "large", "numeric", "strings"];

const rotatedSets = 24;

const integer: JsonSchema = { type: "integer" };
const number: JsonSchema = { type: "number" };
const string: JsonSchema = { type: "string" };
const boolean: JsonSchema = { type: "boolean" };
/** An id of 64 bits, which a Struct holds as a string. */
const wideId: JsonSchema = { type: "integer", format: "int64" };

function array(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const editSchema = object({
  path: string,
  startLine: integer,
  endLine: integer,
  oldText: string,
  newText: string,
  note: string,
  confirmed: boolean,
});

const mediumSchema = object({
  repository: string,
  pullRequestId: wideId,
  dryRun: boolean,
  baseRevision: wideId,
  maxResults: integer,
  threshold: number,
  cursor: { type: ["string", "null"] },
  filters: array(object({ field: string, op: string, values: array(string) })),
  lineNumbers: array(integer),
  weights: array(number),
  edits: array(editSchema),
  options: object({
    encoding: string,
    createMissing: boolean,
    backup: boolean,
    timeoutSeconds: integer,
    retries: integer,
  }),
});

const recordsSchema = array(
  object({
    id: integer,
    name: string,
    email: string,
    amount: number,
    active: boolean,
    parent: { type: ["integer", "null"] },
    address: object({ city: string, zip: string, geo: array(number) }),
    tags: array(string),
  }),
);

const stringsSchema = object({ plain: array(string), code: array(string), cjk: array(string), emoji: array(string) });

const numericSchema = object({
  integers: array(integer),
  prices: array(number),
  doubles: array(number),
  stamps: array(integer),
});

const hugeSchema = object({
  records: recordsSchema,
  first: stringsSchema,
  second: stringsSchema,
  third: stringsSchema,
  fourth: stringsSchema,
});

interface Source {
  readonly schema: JsonSchema;
  readonly sets: number;
  make(set: number): JsonObject;
}

const sources: Readonly<Record<PayloadName, Source>> = {
  small: { schema: object({ line: integer, column: integer, filePath: string }), sets: 1, make: makeSmall },
  medium: { schema: mediumSchema, sets: 1, make: makeMedium },
  large: { schema: object({ records: recordsSchema }), sets: 1, make: makeLarge },
  numeric: { schema: numericSchema, sets: rotatedSets, make: (set) => makeNumeric(100 + set) },
  doubles: { schema: object({ values: array(number) }), sets: rotatedSets, make: (set) => makeDoubles(200 + set) },
  decimals: { schema: object({ values: array(number) }), sets: rotatedSets, make: (set) => makeDecimals(300 + set) },
  integers: { schema: object({ values: array(integer) }), sets: rotatedSets, make: (set) => makeIntegers(400 + set) },
  strings: { schema: stringsSchema, sets: 1, make: () => makeStrings(4) },
  huge: { schema: hugeSchema, sets: 1, make: makeHuge },
};

export function makePayload(name: PayloadName): Payload {
  const { schema, sets, make } = sources[name];
  return { name, schema, samples: repeat(sets, (set) => makeSample(make(set))) };
}

function makeSample(value: JsonObject): Sample {
  // What was joined of pieces is a rope; parsing gives every candidate the same flat strings.
  const text = JSON.stringify(value);
  const flat = JSON.parse(text) as JsonObject;
  const wire = toBinary(StructSchema, fromJson(StructSchema, flat));
  return {
    value: flat,
    text,
    jsonBytes: new TextEncoder().encode(text),
    wire,
    message: () => fromBinary(StructSchema, wire),
  };
}
