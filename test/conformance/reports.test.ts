import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Struct } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { type CodecOptions, createStructCodec, type StructCodec } from "../../src/index.js";
import { convert, type Direction, type Form, pathsOf } from "../paths.js";
import { describeCorpus, readJson } from "../support/corpus.js";
import { canonical, difference, own, readTree, toExact } from "../support/exact-json.js";
import { fieldToStruct, structFromBinary, structToBinary, structToField } from "../support/forms.js";
import { checkError } from "../support/run-case.js";
import { hex } from "../support/wire.js";
import { knownFailures } from "./known-failures.js";

/** A Struct in ProtoJSON of its own message form. */
interface Tagged {
  readonly fields?: { readonly [key: string]: TaggedValue };
}
interface TaggedValue {
  readonly nullValue?: string;
  readonly numberValue?: number | string;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly structValue?: Tagged;
  readonly listValue?: { readonly values?: readonly TaggedValue[] };
}
interface Report {
  readonly id: string;
  readonly title: string;
  readonly schema: object | null;
  readonly direction: "structToJson" | "jsonToStruct" | "roundtrip";
  readonly structJson?: Tagged;
  readonly inputJsonText?: string;
  readonly inputWireHex?: string;
  readonly wireHex?: string;
  readonly expectJsonText?: string;
  readonly expectStruct?: Tagged;
  readonly expectError?: string;
  readonly compare?: "value";
  readonly requires?: string;
}

const codes: { readonly [name: string]: string } = {
  "kind-not-set": "unset_value",
  "non-finite-number": "not_finite",
  "top-level-not-object": "unexpected_type",
};

/** The optional features that this codec has, as the options that switch them on. */
const features: { readonly [name: string]: CodecOptions } = {
  "option:number-decimal-point": { wholeNumbers: "fraction" },
  "dialect:google-schema": {},
};

describeCorpus("public bug reports", "cases", (folder) => {
  const reports = readJson<Report[]>(folder, "reports.json");
  let executed = 0;
  for (const report of reports) {
    const title = `${report.id} ${report.title}`;
    if (report.requires?.startsWith("adapter:")) {
      it.skip(`${title} (skipped: about ${report.requires}, not about the codec)`, () => {});
      continue;
    }
    const test = knownFailures.reports.includes(report.id) ? it.fails : it;
    test(title, () => {
      if (report.requires !== undefined) {
        expect(Object.keys(features)).toContain(report.requires);
      }
      const options = report.requires === undefined ? {} : features[report.requires];
      const codec = createStructCodec((report.schema ?? undefined) as never, options);
      expect(checkReport(codec, report)).toBeGreaterThan(0);
      executed++;
    });
  }
  it("ran 46 of 47 reports, the other one is about an adapter", () => {
    expect(reports.length).toBe(47);
    expect(executed).toBe(46);
  });
});

/** Goes every path of the report's direction and returns how many. */
function checkReport(codec: StructCodec, report: Report): number {
  switch (report.direction) {
    case "structToJson":
      return checkPaths(codec, report, "encode");
    case "jsonToStruct":
      return checkPaths(codec, report, "decode");
    case "roundtrip":
      return checkRoundTrips(codec, report);
  }
}

function checkPaths(codec: StructCodec, report: Report, direction: Direction): number {
  const inputs = inputsOf(report);
  const asked = pathsOf(codec, direction).filter((path) => inputs[path.from] !== undefined);
  for (const path of asked) {
    if (report.expectError !== undefined) {
      checkError({ code: codes[report.expectError] as string }, path, () => convert(codec, path, inputs[path.from]));
    } else {
      checkOutput(report, path.to, convert(codec, path, inputs[path.from]), path.method);
    }
  }
  return asked.length;
}

function inputsOf(report: Report): { [form in Form]?: unknown } {
  const inputs: { [form in Form]?: unknown } = {};
  if (report.inputJsonText !== undefined) {
    inputs.jsonString = report.inputJsonText;
    inputs.jsonBytes = new TextEncoder().encode(report.inputJsonText);
    inputs.json = toExact(readTree(report.inputJsonText), "literal");
    return inputs;
  }
  if (report.inputWireHex !== undefined) {
    inputs.binary = hex(report.inputWireHex);
    inputs.message = structFromBinary(hex(report.inputWireHex));
    return inputs;
  }
  const plain = plainOf(report.structJson as Tagged);
  if (plain !== undefined) {
    inputs.field = plain;
    inputs.message = fieldToStruct(plain);
    inputs.binary = structToBinary(fieldToStruct(plain));
  }
  if (report.wireHex !== undefined) {
    inputs.binary = hex(report.wireHex);
    inputs.message = structFromBinary(hex(report.wireHex));
  }
  return inputs;
}

function checkOutput(report: Report, form: Form, output: unknown, method: string): void {
  if (report.expectStruct !== undefined) {
    const plain = plainOf(report.expectStruct);
    switch (form) {
      case "message":
        expect(difference(structToField(output as Struct), plain), method).toBeUndefined();
        return;
      case "binary":
        expect(difference(structToField(structFromBinary(output as Uint8Array)), plain), method).toBeUndefined();
        return;
      default:
        expect(difference(output, plain), method).toBeUndefined();
        return;
    }
  }
  const expected = report.expectJsonText as string;
  if (form === "json") {
    const value =
      report.compare === "value" ? (JSON.parse(expected) as unknown) : toExact(readTree(expected), "output");
    expect(difference(output, value), method).toBeUndefined();
    return;
  }
  const text = form === "jsonBytes" ? new TextDecoder().decode(output as Uint8Array) : (output as string);
  if (report.compare === "value") {
    expect(canonical(readTree(text)), method).toBe(canonical(readTree(expected)));
  } else {
    expect(text, method).toBe(expected);
  }
}

function checkRoundTrips(codec: StructCodec, report: Report): number {
  const inputs = inputsOf(report);
  let asked = 0;
  for (const there of pathsOf(codec, "decode").filter((path) => inputs[path.from] !== undefined)) {
    const middle = convert(codec, there, inputs[there.from]);
    for (const back of pathsOf(codec, "encode").filter((path) => path.from === there.to)) {
      asked++;
      checkOutput(report, back.to, convert(codec, back, middle), `${there.method}, ${back.method}`);
    }
  }
  return asked;
}

/** The plain form of a tagged Struct, undefined where a kind is unset. */
function plainOf(struct: Tagged): JsonObject | undefined {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(struct.fields ?? {})) {
    const plain = plainValue(value);
    if (plain === undefined) {
      return undefined;
    }
    own(object, key, plain);
  }
  return object;
}

function plainValue(value: TaggedValue): JsonValue | undefined {
  if (value.nullValue !== undefined) {
    return null;
  }
  if (value.numberValue !== undefined) {
    return Number(value.numberValue);
  }
  if (value.structValue !== undefined) {
    return plainOf(value.structValue);
  }
  if (value.listValue !== undefined) {
    return (value.listValue.values ?? []).map((item) => plainValue(item) as JsonValue);
  }
  return value.stringValue ?? value.boolValue;
}
