import { formatJson } from "./format-json.js";
import { emptyState, type PageState } from "./page-state.js";
import { readCodecOptions } from "./settings.js";

/** A state of the page that shows something. */
export interface Example {
  readonly title: string;
  /** What to look at, in a sentence or two. */
  readonly lesson: string;
  readonly state: PageState;
}

const envoyBytes =
  "0a170a0a73746172745f74696d65120911cddf2718af03b8430a170a0a62797465735f73656e7412091100000000009cc6400a0f0a066d" +
  "6574686f6412051a034745540a1a0a0d726573706f6e73655f636f64651209110000000000006940";

/** {"type":"object","properties":{"tags":{"type":"array","minItems":1.0,"items":{"type":"string","maxLength":64.0}}}} */
const schemaBytes =
  "ChAKBHR5cGUSCBoGb2JqZWN0CnsKCnByb3BlcnRpZXMSbSprCmkKBHRhZ3MSYSpfCg8KBHR5cGUSBxoFYXJyYXkKFQoIbWluSXRlbXMSCREAAA" +
  "AAAADwPwo1CgVpdGVtcxIsKioKEAoEdHlwZRIIGgZzdHJpbmcKFgoJbWF4TGVuZ3RoEgkRAAAAAAAAUEA=";

/** Ready examples. Field names are those of real tools; the schemas are written for this page. */
export const examples: readonly Example[] = [
  example(
    "An IDE refuses 7.0",
    "A Python client wrote the caret of an editor as 7.0, and the plugin answered: Failed to parse literal '7.0' as an int value. " +
      "The schema says integer, so the JSON that comes out says 7.",
    object({ pathInProject: { type: "string" }, line: { type: "integer" }, column: { type: "integer" } }),
    '{"pathInProject":"cmd/main.go","line":7.0,"column":6.0}',
  ),
  example(
    "An id that was rounded",
    "The id has 19 digits; a double keeps 16. In the Struct it is text, so it comes back as it was. Choose “read without the " +
      "codec” below: that is where …400 comes from.",
    object({ note_id: { type: "integer", format: "int64" }, topic_id: { type: "integer" }, page: { type: "integer" } }),
    '{"note_id":1955516024755728386,"topic_id":1955516024755728387,"page":1}',
  ),
  example(
    "Issue numbers typed number",
    "GitHub's tools say number where only whole numbers make sense. Numbers come out as JavaScript writes them; the audit names the " +
      "ids that should be integers, or text.",
    object({
      owner: { type: "string" },
      repo: { type: "string" },
      issue_number: { type: "number" },
      sub_issue_id: { type: "number", description: "The id, not the number, of the issue" },
      perPage: { type: "number", minimum: 1, maximum: 100 },
    }),
    '{"owner":"octo","repo":"hello","issue_number":42.0,"sub_issue_id":3.01e9,"perPage":100}',
  ),
  example(
    "A pull request of Azure DevOps",
    "Java writes 8650.0 and, from ten million on, 1.2345678E7. Ids by name count as 64-bit here (exact: ids), so they come out as text, " +
      "and the rewritten schema tells the model so.",
    object({
      repositoryId: { type: "string" },
      pullRequestId: { type: "number" },
      workItemIds: { type: "array", items: { type: "number" } },
      top: { type: "integer", minimum: 1, maximum: 1000 },
    }),
    '{"repositoryId":"f00","pullRequestId":8650.0,"workItemIds":[1.2345678E7,8651.0],"top":100.0}',
    { exact: "ids" },
  ),
  example(
    "Snowflakes and permissions",
    "Discord's ids are decimal strings by schema, its permission bits a 64-bit integer. With “as the schema has them” the string stays a " +
      "string and the integer is bare, all digits of both.",
    object({
      channel_id: { type: "string", pattern: "^(?:0|[1-9][0-9]*)$" },
      permissions: { type: "integer", format: "int64", minimum: 0 },
      rate_limit_per_user: { type: "integer", minimum: 0, maximum: 21600 },
    }),
    '{"channel_id":"1130229384756629502","permissions":18014398509481983,"rate_limit_per_user":30}',
    { int64: "schema" },
  ),
  example(
    "A ticker that looks like a number",
    "“005930” is a share, not the number 5930. Where a string fits too, digits in quotes stay in quotes; only the count is an integer.",
    object({
      ticker: { anyOf: [{ type: "string" }, { type: "integer" }] },
      fromdate: { type: "string" },
      count: { type: "integer" },
    }),
    '{"ticker":"005930","fromdate":"20240101","count":"20"}',
  ),
  example(
    "Access log metadata of Envoy",
    "Wire bytes in hex, from a writer without the codec: every number is a double. start_time was rounded there, and comes out with " +
      "the digits of its double; nobody can know the right ones any more.",
    object({
      start_time: { type: "integer", format: "int64", description: "Nanoseconds since 1970" },
      bytes_sent: { type: "integer", format: "uint64" },
      method: { type: "string" },
      response_code: { type: "integer", minimum: 100, maximum: 599 },
    }),
    envoyBytes,
    { int64: "safe" },
  ),
  example(
    "A function call of Gemini",
    "Gemini writes the types in capitals and nullable beside them. 1e21 is a whole number that most integer parsers refuse; here it is " +
      "written out.",
    {
      type: "OBJECT",
      properties: {
        units: { type: "INTEGER", format: "int32" },
        budget_micros: { type: "INTEGER", nullable: true },
        learning_rate: { type: "NUMBER" },
      },
    },
    '{"units":128.0,"budget_micros":1e21,"learning_rate":1.0}',
  ),
  example(
    "A JSON Schema in a Struct",
    "Tool lists travel in Structs too, and then minItems is 1.0, which schema compilers refuse. A schema for schemas sets it right. " +
      "The input is base64; Python and Java below still say 1.0.",
    {
      $ref: "#/$defs/schema",
      $defs: {
        schema: {
          type: "object",
          properties: {
            minItems: { type: "integer", minimum: 0, maximum: 4294967295 },
            maxLength: { type: "integer", minimum: 0, maximum: 4294967295 },
            items: { $ref: "#/$defs/schema" },
            properties: { type: "object", additionalProperties: { $ref: "#/$defs/schema" } },
          },
        },
      },
    },
    schemaBytes,
  ),
  example(
    "Branches that disagree",
    "A counter is an integer, a gauge any number, and “kind” tells which branch holds. So 1e21 is written out for the counter, and not " +
      "for the gauge.",
    {
      type: "array",
      items: {
        oneOf: [
          { properties: { kind: { const: "counter" }, value: { type: "integer" } } },
          { properties: { kind: { const: "gauge" }, value: { type: "number" } } },
        ],
      },
    },
    '[{"kind":"counter","value":1e21},{"kind":"gauge","value":1e21},{"kind":"gauge","value":0.25}]',
    {},
    { root: "value" },
  ),
];

function object(properties: object): object {
  return { type: "object", properties };
}

function example(
  title: string,
  lesson: string,
  schema: object,
  input: string,
  options: object = {},
  more: Partial<PageState> = {},
): Example {
  const state = {
    ...emptyState,
    schema: JSON.stringify(schema, undefined, 2),
    input: /^[{[]/.test(input) ? formatJson(input) : input,
    options: readCodecOptions({ prettySpaces: 2, ...options }),
    ...more,
  };
  return { title, lesson, state };
}
