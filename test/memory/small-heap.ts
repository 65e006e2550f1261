import { createStructCodec, createValueCodec } from "../../src/index.js";
import { createToolCodec } from "../../src/schema.js";
import { type MemoryMethod, memoryCases, runMethod } from "./memory-cases.js";

// A process with a small heap, in which dense documents come to a result or an error of ours, and of schemas nothing is left. Prints what came
// of each; one that gets no further, or in which a promise was rejected unheard, ends in another way.

process.on("unhandledRejection", (reason) => {
  console.error(reason);
  process.exit(1);
});

const limits = { values: 100_000, inputBytes: 4 * 1024 * 1024, outputBytes: 16 * 1024 * 1024 };

let compiled = 0;
const outcomes: string[] = [];
/** The others take time, and no more memory. */
const kinds = /nulls$|empty objects|members|control/;
for (const { name, make, methods, schema } of memoryCases.filter((found) => kinds.test(found.name))) {
  const document = make();
  for (const method of methods.filter((found): found is MemoryMethod => found !== "protobuf-es")) {
    outcomes.push(`${name}, ${method}: ${attempt(() => runMethod(method, schema, document, limits))}`);
  }
}

compileMany(200);
const before = heapInUse();
compileMany(1000);
const grown = heapInUse() - before;

console.log(JSON.stringify({ outcomes, grown }));

/** Compile schemas that no other is like, in every form that something could be remembered by. */
function compileMany(count: number): void {
  for (let i = 0; i < count; i++) {
    const names = Array.from({ length: 100 }, (_, j) => `p${compiled}_${j}`);
    const schema = { type: "object", properties: Object.fromEntries(names.map((name, j) => [name, { maximum: j }])) };
    createStructCodec(schema).fieldToJsonString({});
    createValueCodec(JSON.stringify(schema)).fieldToJsonString({});
    if (i % 20 === 0) createToolCodec({ name: "t", inputSchema: schema }).toServer({});
    compiled++;
  }
}

function heapInUse(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

/** "a result", the code of an error, or what else was thrown. */
function attempt(run: () => unknown): string {
  try {
    run();
    return "a result";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
