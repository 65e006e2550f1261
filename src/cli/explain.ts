import type { CompiledHint, Explanation } from "../index.js";
import { createCodec, readSchema, schemaFlags } from "./codec-flags.js";
import { type Command, type ExitCode, type Invocation, type Io, UsageError } from "./command.js";
import { printText } from "./files.js";
import { escapeControls } from "./terminal.js";

/** Most places that are listed where none is asked for. */
const mostPlaces = 1000;
/** Widest column of pointers; longer ones push their line. */
const widest = 48;

/** Says what a schema says about places in the data. */
export const explain: Command = {
  name: "explain",
  operands: "--schema FILE [POINTER...]",
  summary: "Print what a JSON Schema says about the numbers of the data, and where it says so",
  notes: [
    "A POINTER is a JSON Pointer into the data, such as /lines/0/id. Without one, every declared place is listed; then " +
      "the issues of the schema.",
  ],
  flags: schemaFlags,
  run: runExplain,
};

async function runExplain({ values, positionals }: Invocation, io: Io): Promise<ExitCode> {
  const schema = await readSchema(values, io);
  if (schema === undefined) throw new UsageError("explain needs --schema FILE");
  const { hint } = await createCodec(values, io, schema);
  const explanations =
    positionals.length > 0 ? positionals.map((pointer) => explainPlace(hint, pointer)) : listPlaces(hint, schema);
  const width = Math.min(widest, Math.max(...explanations.map(({ pointer }) => showPointer(pointer).length)));
  const lines = explanations.map(({ pointer, summary }) => `${showPointer(pointer).padEnd(width)}  ${summary}`);
  if (explanations.length === mostPlaces) lines.push("and more; name a POINTER to see it");
  for (const { code, schemaPointer, message } of hint.schemaIssues) {
    lines.push(`issue ${code} at ${showPointer(schemaPointer)} of the schema: ${message}`);
  }
  await printText(io, lines.map((line) => `${escapeControls(line)}\n`).join(""));
  return 0;
}

function explainPlace(hint: CompiledHint, pointer: string): Explanation {
  try {
    return hint.explain(pointer);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`"${pointer}" is no JSON Pointer; one is empty or begins with /`);
  }
}

function showPointer(pointer: string): string {
  return pointer === "" ? "(root)" : pointer;
}

/** A place on the list, and the schemas on the way to it, so that recursion is seen. */
interface Place {
  readonly pointer: string;
  readonly above: Place | undefined;
  readonly schemas: string;
}

/** Every place that the schema declares, each followed by those below it. */
function listPlaces(hint: CompiledHint, schemaText: string): Explanation[] {
  const schema: unknown = JSON.parse(schemaText);
  const found: Explanation[] = [];
  const waiting: Pick<Place, "pointer" | "above">[] = [{ pointer: "", above: undefined }];
  for (let next = waiting.pop(); next !== undefined && found.length < mostPlaces; next = waiting.pop()) {
    const explanation = hint.explain(next.pointer);
    found.push(explanation);
    const place: Place = { ...next, schemas: explanation.schemaPointers.join() };
    if (isBelowItself(place)) continue;
    const tokens = new Set(explanation.schemaPointers.flatMap((pointer) => listTokens(resolve(schema, pointer))));
    const below = [...tokens].map((token) => ({ pointer: `${next.pointer}/${escapeToken(token)}`, above: place }));
    waiting.push(...below.reverse());
  }
  return found;
}

function isBelowItself({ schemas, above }: Place): boolean {
  for (let place = above; place !== undefined; place = place.above) {
    if (place.schemas === schemas) return true;
  }
  return false;
}

/** Members and items that one schema declares. */
function listTokens(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const properties = getOwn(schema, "properties");
  const tokens = isObject(properties) ? Object.keys(properties) : [];
  const prefix = getOwn(schema, "prefixItems");
  const items = getOwn(schema, "items");
  const first = [prefix, items].find(Array.isArray) ?? [];
  tokens.push(...first.map((_, index) => String(index)));
  if (isObject(items) && !Array.isArray(items)) tokens.push(String(first.length));
  return tokens;
}

function resolve(schema: unknown, pointer: string): unknown {
  let node = schema;
  for (const token of pointer.split("/").slice(1)) {
    node = isObject(node) ? getOwn(node, token.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
  }
  return node;
}

function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function getOwn(object: { readonly [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
