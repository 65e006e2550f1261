import type { JsonObject } from "@bufbuild/protobuf";
import { createStructCodec } from "../../../src/index.js";

const codec = createStructCodec();

/** A field as text that tells everything apart: -0 from 0, text from numbers, a member "__proto__" from none. */
export function structText(field: JsonObject | undefined): string {
  return field === undefined ? "no field" : codec.fieldToJsonString(field);
}
