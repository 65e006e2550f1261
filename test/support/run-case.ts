import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Struct, Value } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  type CodecOptions,
  createStructCodec,
  createValueCodec,
  type Issue,
  StructCodecError,
} from "../../src/index.js";
import { type AnyCodec, convert, type Direction, type Form, hasPath, type Path, paths, usesObject } from "../paths.js";
import type { Case, ExpectedError } from "./case.js";
import { difference, inObjectOrder, readTree, toExact } from "./exact-json.js";
import {
  fieldToStruct,
  fieldToValue,
  isMessage,
  structFromBinary,
  structToBinary,
  structToField,
  valueFromBinary,
  valueToBinary,
  valueToField,
} from "./forms.js";
import { toHex } from "./wire.js";

/** An unpaired surrogate: such a text has no bytes. */
const UNPAIRED = /\p{Surrogate}/u;

/** Every form of a row that is written out or follows from what is. */
interface Forms {
  message?: Struct | Value | undefined;
  field?: JsonValue | undefined;
  /** More than one where a JSON value has more than one way to say it (bigint, IntegerLiteral). */
  json?: unknown[];
  jsonString?: string | undefined;
  jsonBytes?: Uint8Array | undefined;
  binary?: Uint8Array | undefined;
}

/** The codec of a row, with the issues of its last conversion. */
export function codecOf(row: Case): { codec: AnyCodec; issues: Issue[]; calls: () => number } {
  const issues: Issue[] = [];
  let calls = 0;
  const options: CodecOptions = {
    ...row.options,
    onIssues: (found) => {
      calls++;
      issues.push(...found);
    },
  };
  const codec = row.codec === "value" ? createValueCodec(row.schema, options) : createStructCodec(row.schema, options);
  return { codec, issues, calls: () => calls };
}

function formsOf(row: Case, direction: Direction): Forms {
  const forms: Forms = {};
  const isValue = row.codec === "value";
  if (row.field !== undefined) {
    forms.field = row.field;
    forms.message = isValue ? fieldToValue(row.field) : fieldToStruct(row.field as JsonObject);
  } else if (row.wire !== undefined && row.error?.code !== "invalid_wire" && row.error?.code !== "invalid_utf8") {
    forms.message = isValue ? valueFromBinary(row.wire) : structFromBinary(row.wire);
    const plain = isValue ? valueToField(forms.message as Value) : structToField(forms.message as Struct);
    forms.field = hasHole(plain) ? undefined : plain;
  }
  forms.binary = row.wire;
  if (forms.binary === undefined && forms.message !== undefined) {
    forms.binary = isValue ? valueToBinary(forms.message as Value) : structToBinary(forms.message as Struct);
  }
  if (row.text !== undefined) {
    forms.jsonString = row.text;
    forms.jsonBytes = !UNPAIRED.test(row.text) ? new TextEncoder().encode(row.text) : undefined;
  }
  if (row.jsonBytes !== undefined) {
    forms.jsonBytes = row.jsonBytes;
  }
  if (row.json !== undefined) {
    forms.json = row.json === "none" ? [] : [row.json.value];
  } else if (row.text !== undefined && isReadable(row)) {
    const tree = readTree(row.text);
    const said =
      direction === "encode" ? [toExact(tree, "output")] : [toExact(tree, "literal"), toExact(tree, "bigint")];
    forms.json = said.filter((json) => json !== undefined);
  }
  return forms;
}

/** Whether a kind is unset somewhere, which a field cannot say. */
function hasHole(field: unknown): boolean {
  return (
    field === undefined || (typeof field === "object" && field !== null && Object.values(field).some((v) => hasHole(v)))
  );
}

/** Texts that are no JSON have no JSON value. */
function isReadable(row: Case): boolean {
  const code = row.error?.code;
  return code !== "invalid_syntax" && code !== "invalid_utf8";
}

/** One test for every path that a row has both ends of, or, where it must fail, the start of. */
export function runCase(row: Case): void {
  let ran = 0;
  for (const direction of ["encode", "decode"] as const) {
    if (row.direction !== undefined && row.direction !== direction) {
      continue;
    }
    const forms = formsOf(row, direction);
    for (const path of paths) {
      const isAsked = path.direction === direction && (row.from === undefined || row.from.includes(path.from));
      if (!isAsked || !hasInput(forms, path.from) || !hasExpectation(row, forms, path.to)) {
        continue;
      }
      ran++;
      it(path.method, (context) => {
        const { codec } = codecOf(row);
        if (!hasPath(codec, path)) {
          context.skip(`this codec has no ${path.method} yet`);
        }
        for (const input of path.from === "json" ? (forms.json as unknown[]) : [forms[path.from]]) {
          checkPath(row, forms, path, input);
        }
      });
    }
  }
  it("compiles with the schema issues and answers that the row states", () => {
    checkHint(row);
    expect(ran + Object.keys(row.explain ?? {}).length + (row.schemaIssues?.length ?? 0)).toBeGreaterThan(0);
  });
}

function hasInput(forms: Forms, form: Form): boolean {
  return form === "json" ? (forms.json?.length ?? 0) > 0 : forms[form] !== undefined;
}

function hasExpectation(row: Case, forms: Forms, form: Form): boolean {
  return row.error !== undefined || hasInput(forms, form) || (form === "message" && forms.field !== undefined);
}

function checkPath(row: Case, forms: Forms, path: Path, input: unknown): void {
  const { codec, issues, calls } = codecOf(row);
  if (row.error !== undefined) {
    checkError(row.error, path, () => convert(codec, path, input));
    return;
  }
  const output = convert(codec, path, input);
  checkOutput(row, forms, path, output);
  if (row.issues !== "any") {
    const sorted = (list: readonly { code: string; pointer: string }[]) =>
      list.map((issue) => `${issue.code} at ${issue.pointer}`).sort();
    expect(sorted(issues)).toEqual(sorted(row.issues ?? []));
    expect(issues.every((issue) => issue.direction === path.direction)).toBe(true);
    expect(calls()).toBeLessThanOrEqual(1);
  }
}

function checkOutput(row: Case, forms: Forms, path: Path, output: unknown): void {
  switch (path.to) {
    case "json":
      expect(difference(output, forms.json?.[0])).toBeUndefined();
      return;
    case "jsonString":
      expect(output).toBe(expectedText(forms, path));
      return;
    case "jsonBytes":
      expect(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(output as Uint8Array)).toBe(
        expectedText(forms, path),
      );
      return;
    case "field":
      expect(difference(output, forms.field)).toBeUndefined();
      return;
    case "message":
      checkMessage(row, forms, output);
      return;
    case "binary": {
      // Through a JS object the order is that of the object; the row's own bytes hold for the other paths.
      const isValue = row.codec === "value";
      const expected =
        row.wire !== undefined && usesObject(path.from) && forms.message !== undefined
          ? isValue
            ? valueToBinary(forms.message as Value)
            : structToBinary(forms.message as Struct)
          : (forms.binary as Uint8Array);
      expect(toHex(output as Uint8Array)).toBe(toHex(expected));
      return;
    }
  }
}

function expectedText(forms: Forms, path: Path): string {
  const text = forms.jsonString as string;
  return usesObject(path.from) ? inObjectOrder(text) : text;
}

function checkMessage(row: Case, forms: Forms, output: unknown): void {
  const isValue = row.codec === "value";
  expect(isMessage(output, isValue ? "google.protobuf.Value" : "google.protobuf.Struct")).toBe(true);
  const read = (message: unknown) => (isValue ? valueToField(message as Value) : structToField(message as Struct));
  expect(difference(read(output), forms.field ?? read(forms.message))).toBeUndefined();
}

/** The one way in which these tests look at an error of the data. */
export function checkError(expected: ExpectedError, path: Pick<Path, "direction" | "from">, run: () => unknown): void {
  let error: unknown;
  try {
    const output = run();
    expect.fail(`no error, but ${typeof output === "string" ? output.slice(0, 200) : typeof output}`);
  } catch (caught) {
    error = caught;
  }
  if (!(error instanceof StructCodecError)) {
    throw error;
  }
  expect([expected.code].flat()).toContain(error.code);
  expect(error.direction).toBe(path.direction);
  for (const key of ["pointer", "schemaPointer"] as const) {
    if (expected[key] !== undefined) {
      expect(error[key]).toBe(expected[key]);
    }
  }
  for (const key of placesOf(path.from)) {
    if (expected[key] !== undefined) {
      expect(error[key], key).toBe(expected[key]);
    }
  }
}

/** How a place is named in an input. */
function placesOf(form: Form): readonly ("offset" | "line" | "column")[] {
  if (form === "jsonString") {
    return ["offset", "line", "column"];
  }
  return form === "jsonBytes" || form === "binary" ? ["offset"] : [];
}

function checkHint(row: Case): void {
  const { codec } = codecOf(row);
  if (row.schemaIssues !== "any") {
    const expected = row.schemaIssues ?? [];
    expect(codec.schemaIssues.map((issue) => issue.code).sort()).toEqual(expected.map((issue) => issue.code).sort());
    for (const issue of expected) {
      if (issue.schemaPointer !== undefined) {
        expect(codec.schemaIssues.map((found) => found.schemaPointer)).toContain(issue.schemaPointer);
      }
    }
  }
  for (const [pointer, answers] of Object.entries(row.explain ?? {})) {
    const explanation = codec.explain(pointer);
    expect({ pointer, ...pick(explanation, answers) }).toEqual({ pointer, ...answers });
  }
}

function pick<T extends object>(from: T, keys: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(keys, key))) as Partial<T>;
}
