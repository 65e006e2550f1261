import type { JsonObject } from "@bufbuild/protobuf";

/** Arguments as an agent has them: JSON that a model wrote, or a Struct that came from another backend. */
export type Arguments = { readonly model: string } | { readonly struct: JsonObject };

/** What the server receives, and what the agent is told. */
export interface Outcome {
  readonly received: string;
  readonly answer: string;
}

/** A call without the codec and with it, and what must come of either. */
export interface Call {
  readonly subject: string;
  readonly tool: string;
  readonly without: Arguments & Outcome;
  readonly with: Arguments & Outcome;
}

/** The same Struct both times. */
function struct(field: JsonObject, without: Outcome, exact: Outcome): Pick<Call, "without" | "with"> {
  return { without: { struct: field, ...without }, with: { struct: field, ...exact } };
}

const none = "the call was refused before";

/** The calls of the example, in order. */
export const calls: readonly Call[] = [
  {
    subject: "an id that a model wrote",
    tool: "get_order",
    // Each model follows the schema that it was shown: an integer as the tool has it, and text where it is rewritten.
    without: {
      model: '{"orderId":1955516024755728386}',
      received: '{"orderId":1955516024755728400}',
      answer: '{"orderId":1955516024755728400,"customer":"Mallory"}',
    },
    with: {
      model: '{"orderId":"1955516024755728386"}',
      received: '{"orderId":1955516024755728386}',
      answer: '{"orderId":"1955516024755728386","customer":"Ada"}',
    },
  },
  {
    subject: "the id as Go and Java have it",
    tool: "get_order",
    ...struct(
      { orderId: "1955516024755728386" },
      { received: '{"orderId":"1955516024755728386"}', answer: "refused: orderId: expected integer, got string" },
      {
        received: '{"orderId":1955516024755728386}',
        answer: '{"orderId":"1955516024755728386","customer":"Ada"}',
      },
    ),
  },
  {
    subject: "an id in a result",
    tool: "latest_order",
    ...struct(
      {},
      { received: "{}", answer: '{"orderId":1955516024755728400,"customer":"Ada"}' },
      { received: "{}", answer: '{"orderId":"1955516024755728386","customer":"Ada"}' },
    ),
  },
  {
    subject: "1e21 where an integer belongs",
    tool: "pay",
    ...struct(
      { orderId: 7, wei: 1e21, note: "005930" },
      { received: '{"orderId":7,"wei":1e+21,"note":"005930"}', answer: "refused: wei: expected integer, got 1e+21" },
      {
        received: '{"orderId":7,"wei":1000000000000000000000,"note":"005930"}',
        answer: '{"wei":1000000000000000000000,"note":"005930"}',
      },
    ),
  },
  {
    subject: "a Struct with NaN in it",
    tool: "get_order",
    ...struct(
      { orderId: Number.NaN },
      { received: '{"orderId":null}', answer: "refused: orderId: expected integer, got null" },
      { received: none, answer: "InvalidArgument: not_finite at /arguments/orderId" },
    ),
  },
  {
    subject: "what was never wrong",
    tool: "get_order",
    ...struct(
      { orderId: 7 },
      { received: '{"orderId":7}', answer: '{"orderId":7,"customer":"Bob"}' },
      { received: '{"orderId":7}', answer: '{"orderId":"7","customer":"Bob"}' },
    ),
  },
];
