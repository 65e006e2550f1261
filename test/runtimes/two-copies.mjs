// Both files of the package in one process, as happens where one dependency imports it and another requires it. Runs beside
// an installed package and prints a report like that of the cases.

import { createRequire } from "node:module";
import * as imported from "protobuf-struct-codec";

const required = createRequire(import.meta.url)("protobuf-struct-codec");
const schema = { properties: { id: { type: "integer", format: "int64" } } };
const failures = [];
let passed = 0;

function check(name, holds) {
  if (holds) passed++;
  else failures.push(name);
}

function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

check("they are two copies", imported.StructCodecError !== required.StructCodecError);
for (const [one, other] of [
  [imported, required],
  [required, imported],
]) {
  const codec = one.createStructCodec(schema, { int64: "schema" });
  const dataError = thrownBy(() => codec.fromJsonString('{"id":1e400}'));
  check("an error of data is known to the other", dataError instanceof other.StructCodecError);
  check("an error of data is not taken for one of a schema", !(dataError instanceof other.StructSchemaError));
  const schemaError = thrownBy(() => one.compileHint("[]"));
  check("an error of a schema is known to the other", schemaError instanceof other.StructSchemaError);
  const hint = one.compileHint(schema);
  check("a hint is taken by the other", other.createStructCodec(hint).hint === hint);
  const json = codec.fieldToJson({ id: "1955516024755728386" });
  check("a literal is known to the other", json.id instanceof other.IntegerLiteral);
  check(
    "a literal is taken by the other",
    other.createStructCodec(schema).jsonToField(json).id === "1955516024755728386",
  );
  const message = one.createStructCodec().fromJsonString('{"a":[1]}');
  check("a message is taken by the other", other.createStructCodec().toJsonString(message) === '{"a":[1]}');
}

console.log(JSON.stringify({ passed, skipped: 0, failures }));
