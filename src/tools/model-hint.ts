import { type Position, packPosition, unpackPosition } from "../base/position.js";
import type { CompilerParts } from "../hint/compile-hint.js";
import { createHint, type HintGraph, type SchemaSource } from "../hint/compile-hint.js";
import { copyGraph } from "../hint/copy-graph.js";
import { type ExactOption, promoteFacts } from "../hint/exact.js";
import type { HintNode } from "../hint/node.js";
import { atomsOf, type Terms } from "../hint/terms.js";
import type { JsonSchema } from "../json-schema/json-schema.js";
import { parseSchema } from "../json-schema/parse-schema.js";
import type { RewrittenSchema } from "./rewrite-schema.js";

/**
 * The hint of a rewritten schema. Which of its places hold digits as text is what the rewriting decided, and not read from
 * the schema again: a pattern of the schema's own may stand there, of which no hint is sure.
 */
export function createModelHint(
  { analysis, plan }: RewrittenSchema,
  advertised: JsonSchema | string,
  exact: ExactOption,
): HintGraph {
  const { hint, parts } = analysis;
  const termsOf = new Map(parts?.graph.entries.map(({ node, terms }) => [node, terms]));
  const root = copyGraph(hint.root, (node) =>
    plan.nodes.has(node) ? digitsPosition(node) : plainPosition(node, termsOf.get(node), parts, exact),
  );
  return createHint(root, hint.schemaIssues, sourceOf(advertised));
}

function digitsPosition({ position }: HintNode): Position {
  return packPosition({ number: "none", width: "wide", string: "decimal", range: unpackPosition(position).range });
}

/** What was not rewritten says to the model what it says; only the server knows of an integer of unproven width as wide. */
function plainPosition(
  node: HintNode,
  terms: Terms | undefined,
  parts: CompilerParts | undefined,
  exact: ExactOption,
): Position {
  if (terms === undefined || parts === undefined || exact === "declared") return node.position;
  if (atomsOf(terms).every((atom) => promoteFacts(atom, exact) === atom.own)) return node.position;
  return parts.graph.positionOf(terms, "declared", () => {});
}

function sourceOf(advertised: JsonSchema | string): SchemaSource {
  return typeof advertised === "string" ? parseSchema(advertised) : { schema: advertised, spellings: new Map() };
}
