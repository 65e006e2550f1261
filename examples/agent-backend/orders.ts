import { PGlite, types } from "@electric-sql/pglite";

/** An order as the table has it. */
export interface Order {
  readonly orderId: bigint;
  readonly customer: string;
}

/** A table of orders, whose keys have 64 bits, in a PostgreSQL inside this process. */
export interface Orders {
  find(orderId: bigint): Promise<Order | undefined>;
  latest(): Promise<Order>;
  /** Book a payment in wei, of which there are 10^18 to a coin; gives the new balance. */
  pay(orderId: bigint, wei: bigint): Promise<bigint>;
}

/** Two ids that a double cannot tell apart: it prints the first as 1955516024755728400, which is the second. */
const rows = [
  [1955516024755728386n, "Ada"],
  [1955516024755728400n, "Mallory"],
  [7n, "Bob"],
] as const;

/** Start the database and fill the table. */
export async function createOrders(): Promise<Orders> {
  const database = await PGlite.create({ parsers: { [types.INT8]: BigInt } });
  await database.exec(
    "CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL, wei numeric(40) NOT NULL DEFAULT 0)",
  );
  for (const [id, customer] of rows) {
    await database.query("INSERT INTO orders (id, customer) VALUES ($1, $2)", [id, customer]);
  }
  const select = 'SELECT id AS "orderId", customer FROM orders';
  return {
    find: async (orderId) => (await database.query<Order>(`${select} WHERE id = $1`, [orderId])).rows[0],
    latest: async () => (await database.query<Order>(`${select} WHERE customer = 'Ada'`)).rows[0] as Order,
    pay: async (orderId, wei) => {
      const update = "UPDATE orders SET wei = wei + $2 WHERE id = $1 RETURNING wei::text";
      const [row] = (await database.query<{ wei: string }>(update, [orderId, String(wei)])).rows;
      if (row === undefined) throw new Error(`no order ${orderId}`);
      return BigInt(row.wei);
    },
  };
}
