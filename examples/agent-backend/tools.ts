import type { ExactJson, ExactJsonObject } from "../../src/index.js";
import { createExactTool, type ExactTool } from "../../src/mcp.js";
import type { ToolLike } from "../../src/schema.js";
import type { Orders } from "./orders.js";

/** A tool as its owner has it: schemas with integers, and a function that is strict about them. */
export interface OrderTool {
  readonly exact: ExactTool<ToolLike>;
  run(args: ExactJsonObject): Promise<ExactJson>;
}

const id = { type: "integer", format: "int64", description: "Id of an order" };
const integer = { type: "integer" };
const object = (properties: object) => ({ type: "object" as const, properties, required: Object.keys(properties) });
const order = object({ orderId: id, customer: { type: "string" } });

/** The tools of the server, by name. They are listed as they are: it is the backend that rewrites them for a model. */
export function createOrderTools(orders: Orders): ReadonlyMap<string, OrderTool> {
  const tools = [
    createTool("get_order", object({ orderId: id }), order, async (args) => {
      const found = await orders.find(readInteger(args, "orderId"));
      if (found === undefined) throw new Error("no such order");
      return { ...found };
    }),
    createTool("latest_order", object({}), order, async () => ({ ...(await orders.latest()) })),
    createTool(
      "pay",
      object({ orderId: id, wei: integer, note: { type: "string" } }),
      object({ wei: integer, note: { type: "string" } }),
      async (args) => ({
        wei: await orders.pay(readInteger(args, "orderId"), readInteger(args, "wei")),
        note: args.note ?? null,
      }),
    ),
  ];
  return new Map(tools.map((tool) => [tool.exact.tool.name, tool]));
}

function createTool(name: string, inputSchema: object, outputSchema: object, run: OrderTool["run"]): OrderTool {
  return { exact: createExactTool({ name, inputSchema, outputSchema }, { advertise: "original" }), run };
}

/** Be as strict as a typed language: an integer is an integer literal, and nothing else is. */
function readInteger(args: ExactJsonObject, name: string): bigint {
  const value = args[name];
  // The transport has made a bigint of every literal beyond ±(2^53−1); a number there had an exponent.
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  throw new Error(`${name}: expected integer, got ${typeof value === "string" ? "string" : JSON.stringify(value)}`);
}
