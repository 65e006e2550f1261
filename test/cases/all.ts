import type { Case } from "../support/case.js";
import { combining } from "./combining.js";
import { exact } from "./exact.js";
import { hintNumber } from "./hint-number.js";
import { hintString } from "./hint-string.js";
import { hintWidth } from "./hint-width.js";
import { jsonToStruct } from "./json-to-struct.js";
import { keys } from "./keys.js";
import { memberCases } from "./members.js";
import { options } from "./options.js";
import { references } from "./references.js";
import { schemaProblems } from "./schema-problems.js";
import { structToJson } from "./struct-to-json.js";
import { text } from "./text.js";
import { unions } from "./unions.js";
import { valueCodec } from "./value-codec.js";
import { values } from "./values.js";
import { wire } from "./wire.js";

/** Every row, by subject. */
export const allCases: { readonly [subject: string]: readonly Case[] } = {
  "Struct to JSON": structToJson,
  "JSON to Struct": jsonToStruct,
  options,
  keys,
  text,
  wire,
  "JSON values": values,
  "Value codec": valueCodec,
  "Q1 numbers": hintNumber,
  "Q2 width": hintWidth,
  "Q3 strings": hintString,
  combining,
  "unions selected by the value": unions,
  "members and items": memberCases,
  references,
  "the exact option": exact,
  "problems of a schema": schemaProblems,
};
