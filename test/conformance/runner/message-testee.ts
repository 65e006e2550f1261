import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { binaryToJsonString, fromJsonString, jsonStringToBinary, toJsonString } from "../../../src/protobuf.js";
import { type Answer, answerAll, OutOfScope } from "./conformance-protocol.js";

// The door to whole messages as a testee: every test with JSON at one end or both. The descriptors are in the file named by
// the first argument.

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(process.argv[2] ?? "")));

answerAll(({ messageType, json, wire, wants, ignoresUnknown }) => {
  const desc = registry.getMessage(messageType);
  if (desc === undefined || wants === undefined) throw new OutOfScope("another message or format");
  const options = { registry, ignoreUnknownFields: ignoresUnknown };
  if (json !== undefined && wants === "protobuf") {
    return attempt("parseError", () => ({ protobuf: jsonStringToBinary(desc, json, options) }));
  }
  if (json !== undefined) {
    let message: ReturnType<typeof fromJsonString>;
    try {
      message = fromJsonString(desc, json, options);
    } catch (error) {
      return { parseError: String(error) };
    }
    return attempt("serializeError", () => ({ json: toJsonString(desc, message, { registry }) }));
  }
  if (wire === undefined || wants !== "json") throw new OutOfScope("no JSON");
  const kind = isMessage(desc, wire) ? "serializeError" : "parseError";
  return attempt(kind, () => ({ json: binaryToJsonString(desc, wire, { registry }) }));
});

/** Only where the door refuses bytes as well does this matter: it tells the runner whose fault it is. */
function isMessage(desc: DescMessage, wire: Uint8Array): boolean {
  try {
    fromBinary(desc, wire);
    return true;
  } catch {
    return false;
  }
}

function attempt(otherwise: "parseError" | "serializeError", run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    return otherwise === "parseError" ? { parseError: String(error) } : { serializeError: String(error) };
  }
}
