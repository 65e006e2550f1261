import { execFile } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../src/cli/run.js";
import { runCli, spawnCli } from "./support/run-cli.js";

const folder = mkdtempSync(join(tmpdir(), "protobuf-struct-codec-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function writeFile(content: string | Uint8Array, ending = ""): string {
  const file = join(folder, `file-${files++}${ending}`);
  writeFileSync(file, content);
  return file;
}

function freshName(ending = ""): string {
  return join(folder, `file-${files++}${ending}`);
}

const latin1 = (hex: string) => Buffer.from(hex, "hex").toString("latin1");
const bytesOf = (text: string) => Buffer.from(text, "latin1");

const schema = writeFile(
  JSON.stringify({
    type: "object",
    properties: {
      n: { type: "integer" },
      id: { type: "integer", format: "int64" },
      ratio: { type: "number" },
      ticker: { type: ["string", "integer"] },
    },
  }),
  ".json",
);

// {"n":5}, {} and {"n":6} as other writers of Struct have them.
const five = "0a0e0a016e1209110000000000001440";
const six = "0a0e0a016e1209110000000000001840";

const single = {
  json: '{"n":5}\n',
  ndjson: '{"n":5}\n',
  binary: latin1(five),
  base64: "Cg4KAW4SCREAAAAAAAAUQA==\n",
  hex: `${five}\n`,
  delimited: latin1(`10${five}`),
};
const many = {
  ndjson: '{"n":5}\n{}\n{"n":6}\n',
  base64: "Cg4KAW4SCREAAAAAAAAUQA==\n\nCg4KAW4SCREAAAAAAAAYQA==\n",
  hex: `${five}\n\n${six}\n`,
  delimited: latin1(`10${five}0010${six}`),
};

describe("formats", () => {
  for (const from of Object.keys(single) as (keyof typeof single)[]) {
    for (const to of Object.keys(single) as (keyof typeof single)[]) {
      it(`converts one record from ${from} to ${to}`, async () => {
        const result = await runCli(["convert", "--from", from, "--to", to], { input: bytesOf(single[from]) });
        expect(result).toEqual({ code: 0, stdout: single[to], stderr: "" });
      });
    }
  }

  for (const from of Object.keys(many) as (keyof typeof many)[]) {
    for (const to of Object.keys(many) as (keyof typeof many)[]) {
      it(`converts many records from ${from} to ${to}, however the input is cut`, async () => {
        const whole = bytesOf(many[from]);
        for (const size of [1, 2, 3, 7, 20, whole.length]) {
          const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
            whole.subarray(i * size, (i + 1) * size),
          );
          const result = await runCli(["convert", "--from", from, "--to", to], { input: chunks });
          expect(result).toEqual({ code: 0, stdout: many[to], stderr: "" });
        }
      });
    }
  }

  it("takes a last line without an end, lines that end as on Windows, and blank lines of NDJSON", async () => {
    const result = await runCli(["convert", "--to", "ndjson", "--from", "ndjson"], { input: '{"n":5}\r\n\n \t\r\n{}' });
    expect(result).toEqual({ code: 0, stdout: '{"n":5}\n{}\n', stderr: "" });
  });

  it("takes base64 without padding and of the alphabet for URLs, and hexadecimal in capitals", async () => {
    const url = await runCli(["convert", "--from", "base64"], { input: "Cg0KAWsSCBoGfn5-Pz8_" });
    expect(url.stdout).toBe('{"k":"~~~???"}\n');
    const plain = await runCli(["convert", "--from", "base64"], { input: "Cg4KAW4SCREAAAAAAAAUQA" });
    expect(plain.stdout).toBe('{"n":5}\n');
    const capitals = await runCli(["convert", "--from", "hex"], { input: five.toUpperCase() });
    expect(capitals.stdout).toBe('{"n":5}\n');
  });

  it("reads a JSON document of many lines", async () => {
    const result = await runCli(["convert", "--to", "hex"], { input: '{\n  "n": 5\n}\n' });
    expect(result).toEqual({ code: 0, stdout: `${five}\n`, stderr: "" });
  });

  it.each([
    ["json", 1, ""],
    ["ndjson", 0, ""],
    ["binary", 0, "{}\n"],
    ["base64", 0, ""],
    ["hex", 0, ""],
    ["delimited", 0, ""],
  ])("reads nothing at all as %s with exit code %i", async (from, code, stdout) => {
    const to = from === "binary" ? "json" : "ndjson";
    const result = await runCli(["convert", "--from", from, "--to", to]);
    expect([result.code, result.stdout]).toEqual([code, stdout]);
  });

  it.each(["json", "binary"])("refuses to write no record, or a second one, as %s", async (to) => {
    const none = await runCli(["convert", "--from", "delimited", "--to", to]);
    expect([none.code, none.stdout, none.stderr]).toEqual([1, "", "record 1: there is no record\n"]);
    const two = await runCli(["convert", "--from", "ndjson", "--to", to, "--on-error", "skip"], { input: "{}\n{}\n" });
    expect([two.code, two.stdout]).toEqual([1, ""]);
    expect(two.stderr).toContain(`record 2, line 2: --to ${to} takes one record`);
  });
});

describe("defaults", () => {
  it.each([
    [[], '{"n":5}', single.binary],
    [["--to", "json"], single.binary, single.json],
    [["--to", "ndjson"], single.delimited, single.ndjson],
    [["--to", "base64"], '{\n"n":5}', single.base64],
    [["--to", "hex"], '{\n"n":5}', single.hex],
    [["--to", "delimited"], single.ndjson, single.delimited],
    [["--from", "ndjson"], single.ndjson, single.delimited],
    [["--from", "binary"], single.binary, single.json],
    [["--from", "base64"], single.base64, single.ndjson],
    [["--from", "hex"], single.hex, single.ndjson],
    [["--from", "delimited"], single.delimited, single.ndjson],
  ])("fills in the formats of %j", async (flags, input, output) => {
    const result = await runCli(["convert", ...flags], { input: bytesOf(input) });
    expect(result).toEqual({ code: 0, stdout: output, stderr: "" });
  });

  it.each([
    [".json", single.json, single.binary],
    [".ndjson", many.ndjson, many.delimited],
    [".jsonl", many.ndjson, many.delimited],
    [".JSONL", many.ndjson, many.delimited],
    [".binpb", single.binary, single.json],
    [".pb", single.binary, single.json],
    [".bin", single.binary, single.json],
    [".base64", many.base64, many.ndjson],
    [".b64", many.base64, many.ndjson],
    [".hex", many.hex, many.ndjson],
    [".delimited", many.delimited, many.ndjson],
  ])("takes the format from the ending %s", async (ending, input, output) => {
    expect((await runCli(["convert", writeFile(bytesOf(input), ending)])).stdout).toBe(output);
    const written = freshName(ending);
    await runCli(["convert", "--from", "hex", "-o", written], { input: five });
    expect(readFileSync(written, "latin1")).toBe(
      input === many.ndjson
        ? single.ndjson
        : input
            .replace(many.hex, single.hex)
            .replace(many.base64, single.base64)
            .replace(many.delimited, single.delimited),
    );
  });

  it("lets a flag win over an ending", async () => {
    const file = writeFile(`${five}\n`, ".json");
    expect((await runCli(["convert", "--from", "hex", file])).stdout).toBe('{"n":5}\n');
  });
});

describe("documents", () => {
  it("keep the digits of their constants", async () => {
    const document = writeFile(
      '{"oneOf":[{"properties":{"k":{"const":9007199254740993},"n":{"type":"integer"}}},{"properties":{"k":{"const":9007199254740992},"n":{"type":"string"}}}]}',
    );
    const root = writeFile('{"$ref":"urn:a"}');
    const args = [
      "convert",
      "--to",
      "json",
      "--from",
      "json",
      "--int64",
      "schema",
      "--schema",
      root,
      "--document",
      `urn:a=${document}`,
    ];
    const input = '{"k":9007199254740993,"n":1e21}';
    expect((await runCli(args, { input })).stdout).toBe('{"k":9007199254740993,"n":1000000000000000000000}\n');
  });
});

describe("files", () => {
  it("understands - for standard input and output", async () => {
    const result = await runCli(["convert", "--to", "hex", "--output", "-", "-"], { input: '{"n":5}' });
    expect(result).toEqual({ code: 0, stdout: `${five}\n`, stderr: "" });
  });

  it("understands - for the schema", async () => {
    const data = writeFile('{"id":7}', ".json");
    const result = await runCli(["convert", "--schema", "-", "--to", "json", data], { input: readFileSync(schema) });
    expect(result.stdout).toBe('{"id":"7"}\n');
  });

  it("writes a file, and a file without records", async () => {
    const file = freshName();
    expect(await runCli(["convert", "--to", "hex", "-o", file], { input: '{"n":5}' })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(readFileSync(file, "latin1")).toBe(`${five}\n`);
    await runCli(["convert", "--from", "ndjson", "--to", "hex", "-o", file]);
    expect(readFileSync(file, "latin1")).toBe("");
  });

  it("leaves a file alone where the first record fails", async () => {
    const file = writeFile("before");
    const result = await runCli(["convert", "--from", "ndjson", "-o", file], { input: "{bad" });
    expect(result.code).toBe(1);
    expect(readFileSync(file, "latin1")).toBe("before");
  });

  const names: [name: string, rename: (file: string) => string][] = [
    ["its own name", (file) => file],
    ["a name with ./ in it", (file) => file.replace(/(file-\d+)/, "./$1")],
    ["a link", (file) => linked(file, symlinkSync)],
    ["a link to a link", (file) => linked(linked(file, symlinkSync), symlinkSync)],
    ["a hard link", (file) => linked(file, linkSync)],
    ["a link to its folder", (file) => join(linked(dirname(file), symlinkSync), basename(file))],
  ];
  function linked(file: string, link: (target: string, path: string) => void): string {
    const path = freshName();
    link(file, path);
    return path;
  }

  it.each(names)("refuses to write what it reads, or one file as two things, by %s", async (_, rename) => {
    const file = writeFile('{"n":5}', ".json");
    const other = writeFile("{}", ".json");
    const again = rename(file);
    const calls: [args: string[], message: string][] = [
      [["-o", again, file], "input and output"],
      [[`--report=${again}`, "-o", freshName(), file], "input and report"],
      [["--schema", file, "-o", again, other], "schema and output"],
      [["--schema", file, `--report=${again}`, other], "schema and report"],
      [["--document", `urn:a=${file}`, "-o", again, other], "document and output"],
      [[`--report=${file}`, "-o", again, other], "output and report"],
    ];
    for (const [args, message] of calls) {
      const result = await runCli(["convert", ...args]);
      expect(result, args.join(" ")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${message} are the same file`),
      });
      expect([file, other].map((name) => readFileSync(name, "latin1"))).toEqual(['{"n":5}', "{}"]);
    }
  });

  it("refuses an output and a report that will be the same file", async () => {
    const file = freshName();
    const dangling = freshName();
    symlinkSync(basename(file), dangling);
    for (const report of [file, file.replace(/(file-\d+)/, "./$1"), dangling]) {
      const result = await runCli(["convert", "-o", file, `--report=${report}`], { input: "{}" });
      expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("output and report are the same file") });
      expect(existsSync(file)).toBe(false);
    }
  });

  it("refuses standard input that is the output, and standard output that is the input", async () => {
    const file = writeFile('{"n":5}\n', ".ndjson");
    const command = `${process.execPath} --import tsx src/cli.ts convert --from ndjson --to ndjson`;
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    for (const rest of [`-o ${file} < ${file}`, `${file} >> ${file}`, `--report=${file} < ${file}`]) {
      const { code, stderr } = await promisify(execFile)("sh", ["-c", `${command} ${rest}`], { cwd }).catch(
        (error) => error,
      );
      expect([code, stderr]).toEqual([2, expect.stringContaining("are the same file")]);
      expect(readFileSync(file, "latin1")).toBe('{"n":5}\n');
    }
  });

  it("lets output and report go to one device", async () => {
    const result = await runCli(["convert", "-o", "/dev/null", "--report=/dev/null"], { input: "{}" });
    expect(result.code).toBe(0);
  });

  it("writes nothing where the report cannot be written", async () => {
    const file = freshName();
    const report = join(folder, "nowhere", "report");
    const result = await runCli(["convert", "--from", "ndjson", "-o", file, `--report=${report}`], {
      input: "{}\n{bad",
    });
    expect(result.code).toBe(2);
    expect(existsSync(file)).toBe(false);
  });
});

describe("options of the codec", () => {
  const text = (input: string, ...flags: string[]) =>
    runCli(["convert", "--schema", schema, "--from", "json", "--to", "json", ...flags], { input });

  it.each([
    ["--int64=string", '{"id":5}', '{"id":"5"}\n'],
    ["--int64=schema", '{"id":1955516024755728386}', '{"id":1955516024755728386}\n'],
    ["--int64=safe", '{"id":5}', '{"id":5}\n'],
    ["--int64=bigint", '{"id":1955516024755728386}', '{"id":1955516024755728386}\n'],
    ["--whole-numbers=fraction", '{"ratio":1}', '{"ratio":1.0}\n'],
    ["--duplicate-keys=last", '{"n":1,"n":2}', '{"n":2}\n'],
    ["--unsafe-integers=round", '{"n":9007199254740993}', '{"n":9007199254740992}\n'],
    ["--exact=all", '{"n":5}', '{"n":"5"}\n'],
    ["--exact=ids", '{"n":5}', '{"n":5}\n'],
    ["--exact=declared", '{"n":5}', '{"n":5}\n'],
    ["--pretty=2", '{"n":5}', '{\n  "n": 5\n}\n'],
    ["--limit=depth=1", '{"n":5}', '{"n":5}\n'],
    [
      "--limit=depth=none",
      `{"n":${"[".repeat(200)}${"]".repeat(200)}}`,
      `{"n":${"[".repeat(200)}${"]".repeat(200)}}\n`,
    ],
    ["--root=value", "[5]", "[5]\n"],
  ])("passes on %s", async (flag, input, output) => {
    const result = await text(input, flag);
    expect([result.code, result.stdout]).toEqual([0, output]);
  });

  it("passes on --struct-int64", async () => {
    const convert = (flag: string) =>
      runCli(["convert", "--schema", schema, "--to", "hex", flag], { input: '{"id":5}' });
    expect((await convert("--struct-int64=auto")).stdout).toBe("0a0f0a026964120911000000000000144" + "0\n");
    expect((await convert("--struct-int64=string")).stdout).toBe("0a090a02696412031a0135\n");
  });

  it("passes on --unset-value", async () => {
    // {"n": a Value without a kind}
    const convert = (...flags: string[]) => runCli(["convert", "--from", "hex", ...flags], { input: "0a050a016e1200" });
    expect((await convert()).stderr).toContain("Value has no kind");
    expect((await convert("--unset-value=null")).stdout).toBe('{"n":null}\n');
  });

  it.each([
    ["--unsafe-integers=error", '{"n":9007199254740993}', "at /n"],
    ["--strict", '{"n":1.5}', "at /n"],
    ["--strict=rounded,fractional", '{"n":1.5}', "at /n"],
    ["--limit=depth=1", '{"n":[]}', "at /n"],
    ["--limit=inputBytes=5", '{"n":5}', "more than 5 bytes"],
    ["--limit=outputBytes=5", '{"n":5}', "more than 5 bytes"],
    ["--duplicate-keys=error", '{"n":1,"n":2}', "at /n"],
    ["--quote-data", '{"undeclared":1e400}', "at /undeclared"],
    ["--int64=string", '{"undeclared":1e400}', "at /*"],
  ])("fails under %s where the codec does", async (flag, input, message) => {
    const result = await text(input, flag);
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(result.stderr).toContain(message);
  });

  it("passes only the listed issues to --strict", async () => {
    expect((await text('{"n":1.5}', "--strict=rounded")).stdout).toBe('{"n":1.5}\n');
  });

  it("reads further documents for references", async () => {
    const main = writeFile('{"properties":{"a":{"$ref":"https://example.com/id.json"}}}');
    const document = writeFile('{"type":"integer","format":"int64"}');
    const convert = (...flags: string[]) =>
      runCli(["convert", "--schema", main, "--to", "json", "--from", "json", ...flags], { input: '{"a":5}' });
    expect((await convert("--document", `https://example.com/id.json=${document}`)).stdout).toBe('{"a":"5"}\n');
    const without = await convert();
    expect(without.stdout).toBe('{"a":5}\n');
    expect(without.stderr).toBe("the schema has 1 issue and gives no hint there; explain lists them\n");
    expect((await convert("--strict-schema")).code).toBe(2);
  });

  it("keeps the digits of the schema's constants", async () => {
    const file = writeFile(
      '{"oneOf":[{"properties":{"k":{"const":9007199254740993},"v":{"type":"integer"}}},' +
        '{"properties":{"k":{"const":9007199254740992},"v":{"type":"number"}}}]}',
    );
    const convert = (input: string) =>
      runCli(["convert", "--schema", file, "--from", "json", "--to", "json", "--int64", "schema"], { input });
    expect((await convert('{"k":9007199254740993,"v":1e21}')).stdout).toContain('"v":1000000000000000000000');
    expect((await convert('{"k":9007199254740992,"v":1e21}')).stdout).toContain('"v":1e+21');
  });
});

describe("bad records", () => {
  const input = '{"n":1}\n\n{"n":1e400}\n{"n":2}\n[]\n{"n":3}\n';

  it("stops at the first, after what came before it", async () => {
    const result = await runCli(["convert", "--schema", schema, "--from", "ndjson", "--to", "ndjson"], { input });
    expect([result.code, result.stdout]).toEqual([1, '{"n":1}\n']);
    expect(result.stderr).toMatch(/^record 2, line 3, column 6: .* at \/n\n1 of 2 records failed\n$/);
  });

  it("skips them where asked, and still ends with 1", async () => {
    const flags = ["--schema", schema, "--from", "ndjson", "--to", "ndjson", "--on-error", "skip"];
    const result = await runCli(["convert", ...flags], { input });
    expect([result.code, result.stdout]).toEqual([1, '{"n":1}\n{"n":2}\n{"n":3}\n']);
    expect(result.stderr).toMatch(
      /^record 2, line 3, column 6: .*\nrecord 4, line 5, column 1: .*\n2 of 5 records failed\n$/,
    );
  });

  it.each([
    ["base64", "!!!\nCg4KAW4SCREAAAAAAAAUQA==\n", "record 1, line 1: record is not base64"],
    ["base64", "Cg4KAW4SCREAAAAAAAAUQB==\nCg4KAW4SCREAAAAAAAAUQA==\n", "record 1, line 1: record is not base64"],
    ["hex", `0\n${five}\n`, "record 1, line 1: record is not hexadecimal"],
    ["hex", `0g\n${five}\n`, "record 1, line 1: record is not hexadecimal"],
    ["hex", `0aff\n${five}\n`, "record 1, line 1: cannot encode google.protobuf.Struct to JSON"],
    ["delimited", latin1(`020aff10${five}`), "record 1: cannot encode google.protobuf.Struct to JSON"],
  ])("skips a record of %s that is none", async (from, records, message) => {
    for (const to of ["ndjson", "hex"]) {
      const flags = ["--from", from, "--to", to, "--on-error", "skip"];
      const result = await runCli(["convert", ...flags], { input: bytesOf(records) });
      expect([result.code, result.stdout]).toEqual([1, `${many[to as "hex"].split("\n")[0]}\n`]);
      expect(result.stderr).toContain(message);
    }
  });

  it.each([
    ["within a record", `10${five}10${five.slice(0, 8)}`, "record 2: input ends within a record"],
    ["within a length", `10${five}80`, "record 2: input ends within a record"],
    ["after a length that has no end", `10${five}${"80".repeat(11)}01`, "record 2: length of record is no varint"],
  ])("does not go on where a delimited stream breaks off %s", async (_, hex, message) => {
    const flags = ["--from", "delimited", "--on-error", "skip"];
    const result = await runCli(["convert", ...flags], { input: Buffer.from(hex, "hex") });
    expect([result.code, result.stdout]).toEqual([1, '{"n":5}\n']);
    expect(result.stderr).toContain(message);
  });

  it.each([
    ["ndjson", `{"n":5}\n{"n":"${"x".repeat(100)}"}\n{"n":6}\n`],
    ["base64", `${single.base64}${"A".repeat(100)}\nCg4KAW4SCREAAAAAAAAYQA==\n`],
    ["hex", `${five}\n${"00".repeat(60)}\n${six}\n`],
    ["delimited", latin1(`10${five}40${"00".repeat(64)}10${six}`)],
  ])("passes over a record of %s that is beyond the limit", async (from, records) => {
    const flags = ["--from", from, "--to", "ndjson", "--on-error", "skip", "--limit", "inputBytes=40"];
    const whole = bytesOf(records);
    for (const chunks of [[whole], Array.from(whole, (byte) => Uint8Array.of(byte))]) {
      const result = await runCli(["convert", ...flags], { input: chunks });
      expect([result.code, result.stdout]).toEqual([1, '{"n":5}\n{"n":6}\n']);
      expect(result.stderr).toMatch(/^record 2.*: .*more than \d+ bytes/);
    }
  });

  it.each(["json", "binary"])("stops reading %s at the limit", async (from) => {
    let taken = 0;
    function* endless(): Iterable<Uint8Array> {
      for (; taken < 1000; taken++) yield Buffer.alloc(1000, " ");
    }
    const flags = ["--from", from, "--to", "ndjson", "--limit", "inputBytes=5000"];
    const result = await runCli(["convert", ...flags], { input: endless() });
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(result.stderr).toContain("record has more than 5000 bytes");
    expect(taken).toBeLessThan(100);
  });

  it("escapes what could steer a terminal", async () => {
    const file = join(folder, "\u001b[31m\u202e");
    const result = await runCli(["convert", file]);
    expect([result.code, result.stdout]).toEqual([2, ""]);
    expect(result.stderr).toContain("\\u001b[31m\\u202e");
    const data = await runCli(["convert", "--quote-data", "--report"], { input: '{"\\u001b\u202e":1e400}' });
    expect(data.stderr).not.toContain("\u001b");
    expect(data.stderr).not.toContain("\u202e");
    expect(JSON.parse(data.stderr.split("\n")[0] as string).pointer).toBe("/\u001b\u202e");
  });
});

describe("report", () => {
  const input = '{"n":1.5}\n{"n":1e400}\n';
  const flags = ["--schema", schema, "--from", "ndjson", "--to", "hex", "--on-error", "skip"];
  const expected = [
    { kind: "issue", record: 1, line: 1, column: 6, code: "fractional", direction: "decode", pointer: "/n" },
    { kind: "error", record: 2, line: 2, column: 6, code: "out_of_range", direction: "decode", pointer: "/n" },
    { kind: "summary", records: 2, failed: 1, issues: 1 },
  ];

  function parseLines(text: string): unknown[] {
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  it("goes to standard error, which then holds nothing else", async () => {
    const result = await runCli(["convert", ...flags, "--report"], { input });
    expect(parseLines(result.stderr)).toMatchObject(expected);
  });

  it("goes to a file, and the errors to people too", async () => {
    const file = freshName();
    const result = await runCli(["convert", ...flags, `--report=${file}`], { input });
    expect(parseLines(readFileSync(file, "utf8"))).toMatchObject(expected);
    expect(result.stderr).toMatch(/^record 2, line 2, column 6: .*\n1 of 2 records failed\n$/);
  });

  it("goes to standard output where the data does not", async () => {
    const result = await runCli(["convert", ...flags, "--report=-", "-o", freshName()], { input });
    expect(parseLines(result.stdout)).toMatchObject(expected);
  });

  it("lists the issues of the schema", async () => {
    const broken = writeFile('{"properties":{"n":{"$ref":"#/nowhere"}}}');
    const result = await runCli(["convert", "--schema", broken, "--report"], { input: "{}" });
    expect(parseLines(result.stderr)[0]).toMatchObject({ kind: "schema", code: "unresolved_ref" });
  });

  it("counts the issues that the codec does not keep", async () => {
    const many = `{"n":[${Array(150).fill("0.12345678901234567890").join()}]}`;
    const result = await runCli(["convert", "--to", "hex", "--report"], { input: many });
    expect(parseLines(result.stderr).at(-1)).toMatchObject({ issues: 150 });
  });

  it("is offered where there is something to report", async () => {
    const result = await runCli(["convert", ...flags], { input: '{"n":1.5}' });
    expect([result.code, result.stderr]).toEqual([0, "1 issue; --report lists them\n"]);
  });
});

describe("schema files", () => {
  it.each([
    ["a URL", () => "https://example.com/schema.json", "--schema takes a file; nothing is fetched"],
    ["a file URL", () => `file://${schema}`, "--schema takes a file; nothing is fetched"],
    ["a folder", () => folder, "illegal operation on a directory"],
    ["a file that is not there", () => join(folder, "nowhere"), "no such file or directory"],
    ["a file without end", () => "/dev/zero", "has more than 1048576 bytes"],
    ["a file that is too large", () => writeFile(" ".repeat(1024 * 1024 + 1)), "has more than 1048576 bytes"],
    ["what is not UTF-8", () => writeFile(Uint8Array.of(0xff)), "is not UTF-8"],
    ["what is not JSON", () => writeFile("{"), "cannot compile schema"],
    ["what is no schema", () => writeFile("5"), "cannot compile schema"],
  ])("refuses %s", async (_, file, message) => {
    for (const command of ["convert", "explain"]) {
      const result = await runCli([command, "--schema", file()], { input: "{}" });
      expect([result.code, result.stdout]).toEqual([2, ""]);
      expect(result.stderr).toContain(message);
    }
  });

  it("takes larger ones where the limit is raised", async () => {
    const file = writeFile(`${" ".repeat(1024 * 1024)}{}`);
    const result = await runCli(["convert", "--schema", file, "--limit", "schemaBytes=none"], { input: "{}" });
    expect(result.code).toBe(0);
  });
});

describe("usage", () => {
  it.each([
    [[], "a command is missing"],
    [["unknown"], 'there is no command "unknown"'],
    [["convert", "--unknown"], "--unknown"],
    [["convert", "a", "b"], "convert takes one FILE"],
    [["convert", "--from", "xml"], "--from must be one of json, ndjson, binary, base64, hex, delimited"],
    [["convert", "--to", "xml"], "--to must be one of json, ndjson, binary, base64, hex, delimited"],
    [["convert", "--root", "list"], "--root must be one of struct, value"],
    [["convert", "--on-error", "ask"], "--on-error must be one of stop, skip"],
    [["convert", "--int64", "number"], "--int64 must be one of string, schema, safe, bigint"],
    [["convert", "--unsafe-integers", "keep"], "--unsafe-integers must be one of string, error, round"],
    [["convert", "--schema", schema, "--exact", "some"], "--exact must be one of declared, ids, all"],
    [["convert", "--strict=unknown"], "--strict must be"],
    [["convert", "--pretty", "x", "--to", "json"], "--pretty must be a whole number"],
    [["convert", "--pretty", "11", "--to", "json"], "--pretty must be a whole number from 0 to 10"],
    [["convert", "--pretty", "2", "--to", "ndjson"], "--pretty is for --to json"],
    [["convert", "--limit", "depth"], "--limit takes NAME=N"],
    [["convert", "--limit", "depth=-1"], "--limit depth must be a whole number"],
    [["convert", "--limit", "unknown=1"], 'unknown limit "unknown"'],
    [["convert", "--document", "file"], "--document takes URI=FILE"],
    [["convert", "--document", "x:=https://example.com/"], "--document takes a file; nothing is fetched"],
    [["convert", "--schema", "-"], "only one FILE can be standard input"],
    [["convert", "--report=-"], "output and report cannot both go to standard output"],
    [["convert", "--output"], "--output"],
    [["convert", "nowhere"], 'cannot read "nowhere": no such file or directory'],
    [["convert", "-o", "/nowhere/file"], 'cannot write "/nowhere/file": no such file or directory'],
    [["explain"], "explain needs --schema FILE"],
    [["explain", "--schema", schema, "n"], '"n" is no JSON Pointer'],
  ])("refuses %j with exit code 2", async (args, message) => {
    const result = await runCli(args, { input: "{}" });
    expect([result.code, result.stdout]).toEqual([2, ""]);
    expect(result.stderr).toContain(message);
    expect(result.stderr).toMatch(/^protobuf-struct-codec: .*\n$/);
  });

  it.each([[["--help"]], [["-h"]], [["help"]]])("prints its help for %j", async (args) => {
    const result = await runCli(args);
    expect([result.code, result.stderr]).toEqual([0, ""]);
    expect(result.stdout).toMatch(/^Usage: protobuf-struct-codec COMMAND/);
    expect(result.stdout).toMatch(/^ {2}convert .*\n(?:.*\n)*? {2}explain /m);
  });

  it.each(["convert", "explain"])("prints the help of %s in lines of at most 100 characters", async (command) => {
    const result = await runCli([command, "--help"]);
    expect([result.code, result.stderr]).toEqual([0, ""]);
    expect(result.stdout).toContain(`Usage: protobuf-struct-codec ${command}`);
    expect(result.stdout.split("\n").filter((line) => Buffer.from(line, "latin1").toString().length > 100)).toEqual([]);
    expect((await runCli(["help", command])).stdout).toBe(result.stdout);
  });

  it("prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("takes what follows -- as a FILE", async () => {
    const result = await runCli(["convert", "--", "--strict"]);
    expect(result.stderr).toContain('cannot read "--strict"');
  });
});

describe("explain", () => {
  it("says what the schema says about a place", async () => {
    const result = await runCli(["explain", "--schema", schema, "/id", ""]);
    expect(result).toEqual({
      code: 0,
      stdout:
        "/id     numbers: integer, wide (int64); strings: none; from /properties/id\n" +
        "(root)  numbers: none; strings: none; from /\n",
      stderr: "",
    });
  });

  it("lists every place, through references and once around a recursion, and the issues", async () => {
    const file = writeFile(
      JSON.stringify({
        properties: {
          "a/b": { items: { $ref: "#/$defs/tree" } },
          t: { prefixItems: [{ type: "integer" }], items: {} },
        },
        $defs: { tree: { properties: { left: { $ref: "#/$defs/tree" }, x: { $ref: "#/nowhere" } } } },
      }),
    );
    const { stdout } = await runCli(["explain", "--schema", file]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ).toEqual(["(root)", "/a~1b", "/a~1b/0", "/a~1b/0/left", "/a~1b/0/x", "/t", "/t/0", "/t/1", "issue"]);
    expect(stdout).toContain("issue unresolved_ref at /$defs/tree/properties/x");
  });

  it("ends the list of a schema that has too many places", async () => {
    const level = (depth: number): object =>
      depth === 0 ? {} : { properties: { a: { $ref: `#/$defs/${depth - 1}` }, b: { $ref: `#/$defs/${depth - 1}` } } };
    const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, depth) => [depth, level(depth)]));
    const { stdout } = await runCli(["explain", "--schema", writeFile(JSON.stringify({ ...level(30), $defs }))]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1001);
  });

  it("takes the flags that change what a schema says", async () => {
    const { stdout } = await runCli(["explain", "--schema", schema, "--exact", "all", "/n"]);
    expect(stdout).toContain("integer, wide");
  });
});

describe("streams", () => {
  it("reads no faster than its output is taken", async () => {
    const record = Buffer.from(`{"n":"${"x".repeat(1000)}"}\n`);
    const chunk = Buffer.concat(Array(100).fill(record));
    let given = 0;
    let taken = 0;
    const release: (() => void)[] = [];
    const stdout = new Writable({
      write(bytes: Buffer, _encoding, done) {
        taken += bytes.length;
        release.push(done);
      },
    });
    const stdin = Readable.from(
      (function* () {
        for (; given < 200; given++) yield chunk;
      })(),
      { objectMode: false },
    );
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
    const running = run(["convert", "--from", "ndjson", "--to", "ndjson"], { stdin, stdout, stderr });
    await expect.poll(() => release.length).toBe(1);
    await sleep(50);
    expect(given).toBeLessThan(10);
    const timer = setInterval(() => release.pop()?.(), 0);
    expect(await running).toBe(0);
    clearInterval(timer);
    expect([given, taken]).toEqual([200, 200 * chunk.length]);
  });

  it("writes a record as soon as it has come", async () => {
    const written: string[] = [];
    const seen: number[] = [];
    const stdout = new Writable({
      write(bytes: Buffer, _encoding, done) {
        written.push(bytes.toString());
        done();
      },
    });
    async function* slow(): AsyncIterable<Uint8Array> {
      yield Buffer.from('{"n":1}\n{"n"');
      await sleep(20);
      seen.push(written.length);
      yield Buffer.from(":2}\n");
    }
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
    await run(["convert", "--from", "ndjson", "--to", "ndjson"], { stdin: Readable.from(slow()), stdout, stderr });
    expect(seen).toEqual([1]);
    expect(written).toEqual(['{"n":1}\n', '{"n":2}\n']);
  });

  it("shows progress only on a terminal, and takes it away again", async () => {
    async function* slow(): AsyncIterable<Uint8Array> {
      for (let i = 0; i < 8; i++) {
        yield Buffer.from('{"n":1}\n');
        await sleep(200);
      }
    }
    const [terminal, file] = await Promise.all([
      runCli(["convert", "--from", "ndjson"], { input: slow(), stderrIsTTY: true }),
      runCli(["convert", "--from", "ndjson"], { input: slow() }),
    ]);
    expect(terminal.stderr.replaceAll("\u001b[K", "CLEAR")).toMatch(/^(?:\rCLEAR[\d,]+ records, [\d.]+ MB)+\rCLEAR$/);
    expect(file.stderr).toBe("");
  });
});

describe("as a process", () => {
  it("converts what a shell gives it", async () => {
    expect(await spawnCli(["convert", "--schema", schema, "--to", "hex"], '{"n":5.0}')).toEqual({
      code: 0,
      stdout: `${five}\n`,
      stderr: "",
    });
  });

  it("ends with 1 at bad data and with 2 at a wrong call", async () => {
    const [data, call] = await Promise.all([spawnCli(["convert"], "{bad"), spawnCli(["convert", "--unknown"])]);
    expect([data.code, data.stdout, call.code, call.stdout]).toEqual([1, "", 2, ""]);
    expect(data.stderr).toMatch(/^record 1, line 1, column 2: .*\n$/);
    expect(call.stderr).toMatch(/^protobuf-struct-codec: .*\n$/);
  });

  it("ends quietly when its reader goes", async () => {
    const lines = writeFile('{"n":5}\n'.repeat(200_000), ".ndjson");
    const root = fileURLToPath(new URL("..", import.meta.url));
    const command = `set -o pipefail; "${process.execPath}" --import tsx src/cli.ts convert --to ndjson "${lines}" | head -n 1`;
    const result = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile("bash", ["-c", command], { cwd: root }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      });
    });
    expect(result).toEqual({ code: 0, stdout: '{"n":5}\n', stderr: "" });
  });

  it("leaves a folder in place of a file to a message and not to a stack trace", async () => {
    mkdirSync(join(folder, "sub"), { recursive: true });
    const result = await spawnCli(["convert", join(folder, "sub")]);
    expect([result.code, result.stdout]).toEqual([2, ""]);
    expect(result.stderr).not.toContain("    at ");
  });

  it.each(["json", "binary", "ndjson"])("does not take a folder as standard input for empty %s", async (from) => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const command = `"${process.execPath}" --import tsx src/cli.ts convert --from ${from} < "${folder}"`;
    const result = await new Promise((resolve) => {
      execFile("bash", ["-c", command], { cwd: root }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      });
    });
    const stderr = "protobuf-struct-codec: cannot read standard input: illegal operation on a directory\n";
    expect(result).toEqual({ code: 2, stdout: "", stderr });
  });
});
