import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { allCases } from "../cases/all.js";
import { fieldToValue } from "../support/forms.js";
import { hex } from "../support/wire.js";
import type { SchemaJson } from "./mutate-schema.js";

/** What mutations begin with: documents and schemas of the case rows, and of the corpora where they are there. */
export interface Seeds {
  /** Wire bytes of Structs. */
  readonly structs: readonly Uint8Array[];
  readonly texts: readonly string[];
  readonly schemas: readonly SchemaJson[];
}

const corpus = fileURLToPath(new URL("../../../shared/corpus/", import.meta.url));

/** Small documents get further: more of a conversion is reached in the same time. */
const longest = 3000;

/** Read all seeds. `withCorpus` is for long runs only, since the corpora are not everywhere. */
export function readSeeds(withCorpus: boolean): Seeds {
  const structs: Uint8Array[] = [];
  const texts: string[] = ["{}", '{"a":[1,{"b":"x"}],"c":null}'];
  const schemas: SchemaJson[] = [{ type: "integer" }, {}];
  for (const row of Object.values(allCases).flat()) {
    if (row.wire !== undefined && row.codec !== "value") structs.push(row.wire);
    if (row.field !== undefined) structs.push(structOf(row.field));
    if (row.text !== undefined) texts.push(row.text);
    if (isJson(row.schema)) schemas.push(asJson(row.schema));
  }
  if (withCorpus && existsSync(corpus)) readCorpus(structs, texts, schemas);
  const isSmall = (seed: Uint8Array | string): boolean => seed.length <= longest;
  return {
    structs: structs.filter(isSmall),
    texts: texts.filter(isSmall),
    schemas: schemas.filter((schema) => JSON.stringify(schema).length <= 2 * longest),
  };
}

/** The bytes of a Struct with a value; what is no object stands in a member. */
function structOf(field: JsonValue): Uint8Array {
  const isObject = typeof field === "object" && field !== null && !Array.isArray(field);
  const { kind } = fieldToValue(isObject ? field : { v: field });
  const bytes = toBinary(ValueSchema, create(ValueSchema, { kind }));
  // Behind the tag and the length of struct_value.
  const length = bytes.findIndex((byte, i) => i > 0 && byte < 0x80);
  return bytes.subarray(length + 1);
}

/** Schema objects may hold a bigint, which JSON text has as digits. */
function asJson(schema: unknown): SchemaJson {
  return JSON.parse(JSON.stringify(schema, (_, value) => (typeof value === "bigint" ? Number(value) : value)));
}

function isJson(schema: unknown): boolean {
  return typeof schema === "boolean" || (typeof schema === "object" && schema !== null && !("~standard" in schema));
}

function readCorpus(structs: Uint8Array[], texts: string[], schemas: SchemaJson[]): void {
  const parsing = join(corpus, "json-test-suite/test_parsing");
  for (const name of readdirSync(parsing)) texts.push(`{"a":${readFileSync(join(parsing, name), "utf8")}}`);
  const suite = JSON.parse(readFileSync(join(corpus, "protobuf-conformance-struct.json"), "utf8"));
  for (const { message, input } of [...suite.generic, ...suite.jsonSyntax]) {
    if (message === "Struct" && input.wireHex !== undefined) structs.push(hex(input.wireHex));
    if (message === "Struct" && input.json !== undefined) texts.push(input.json);
  }
  const { structs: written } = JSON.parse(readFileSync(join(corpus, "interop/writers.json"), "utf8"));
  for (const row of written) structs.push(hex(row.hex));
  for (const folder of ["tool-schemas", "generator-goldens", "json-schema-test-suite/tests"]) {
    const names = readdirSync(join(corpus, folder), { recursive: true }) as string[];
    for (const name of names.filter((file) => file.endsWith(".json"))) {
      const found = JSON.parse(readFileSync(join(corpus, folder, name), "utf8"));
      if (Array.isArray(found)) for (const { schema } of found) schemas.push(schema);
      else schemas.push(found.inputSchema ?? found);
    }
  }
}
