import { refuseUnknownNames } from "../base/option-names.js";
import { copyOwn, setOwn } from "../base/own.js";
import { createContext } from "../codec/context.js";
import { Conversion } from "../codec/conversion.js";
import type { ExactJson } from "../codec/exact-json.js";
import { resolveOptions } from "../codec/options.js";
import { analyzeSchema, type SchemaAnalysis } from "../hint/analyze-schema.js";
import { type HintOptions, type HintSource, hintOptionNames } from "../hint/compile-hint.js";
import type { ExactOption } from "../hint/exact.js";
import { ANY, type HintNode } from "../hint/node.js";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { writeJsonText } from "../text/writer.js";
import { convertPlaces } from "./convert-places.js";
import { copySchema } from "./copy-schema.js";
import { planRewrite, type RewritePlan } from "./plan-rewrite.js";
import { createFinding, type RewriteFinding } from "./rewrite-finding.js";
import { rewriteNode } from "./rewrite-node.js";
import { numberToDigits } from "./tool-numbers.js";

/** Options of `rewriteSchema`. */
export interface RewriteOptions extends HintOptions {
  /**
   * Defaults to "ids". Which integers of unproven width become text: those with id-like names (`number`-typed ones too), none ("declared"),
   * every one ("all"), or what a function says.
   */
  exact?: ExactOption | undefined;
  /** Hears of each wide integer that stays a number, and of constants that may be rounded. */
  onFinding?: ((finding: RewriteFinding) => void) | undefined;
}

/** A rewritten schema, and at which places of the data it differs. */
export interface RewrittenSchema {
  readonly schema: unknown;
  readonly analysis: SchemaAnalysis;
  readonly plan: RewritePlan;
  readonly findings: readonly RewriteFinding[];
}

/**
 * Rewrite a schema for a model: wide integers become decimal strings in place, so that references stay valid, and the
 * description says so. The input is left alone. A schema given as JSON text comes back as JSON text, with the digits of
 * every number in it. Throws `StructSchemaError` where the source is no schema at all.
 */
export function rewriteSchema(source: string, options?: RewriteOptions): string;
export function rewriteSchema(source: Exclude<HintSource, string | undefined>, options?: RewriteOptions): JsonSchema;
export function rewriteSchema(
  source: Exclude<HintSource, undefined>,
  options: RewriteOptions = {},
): JsonSchema | string {
  refuseUnknownNames(options, [...hintOptionNames, "onFinding"], "option");
  const own = copyOwn(options);
  const { schema, findings } = rewriteAnalyzed(source, own);
  for (const finding of findings) own.onFinding?.(finding);
  return finishSchema(source, schema);
}

/** Give a rewritten schema the form of its source: what came as text goes as text. */
export function finishSchema(source: unknown, schema: unknown): JsonSchema | string {
  // A copy of a schema is a schema; text is never too long for the writer, since its length is bounded by the input's.
  if (typeof source === "string") return writeJsonText(schema, 0, Number.POSITIVE_INFINITY) as string;
  return schema as JsonSchema;
}

/** `rewriteSchema` with what it found out. */
export function rewriteAnalyzed(source: HintSource, options: RewriteOptions): RewrittenSchema {
  const { exact = "ids", onFinding: _, ...hintOptions } = copyOwn(options);
  const analysis = analyzeSchema(source, { ...hintOptions, exact });
  const plan = planRewrite(analysis, exact);
  const { schema } = analysis;
  if (!isSchemaObject(schema)) return { schema, analysis, plan, findings: plan.findings };
  const writer = new SchemaWriter(analysis, plan);
  const copied = copySchema(schema, analysis.spellings, (from, copy) => writer.keywordsOf(from, copy));
  writer.describe();
  return { schema: copied, analysis, plan, findings: [...plan.findings, ...writer.findings] };
}

/** Keywords whose values are data of the place that the schema describes. */
const dataKeywords = ["default", "const", "enum", "example", "examples"];

/** Growth by a pattern and a type, at the most. */
const patternLength = 60;

class SchemaWriter {
  readonly findings: RewriteFinding[] = [];
  readonly #analysis: SchemaAnalysis;
  readonly #plan: RewritePlan;
  readonly #described: [copy: Record<string, unknown>, description: string][] = [];
  #conversion: Conversion | undefined;
  #length = 0;

  constructor(analysis: SchemaAnalysis, plan: RewritePlan) {
    this.#analysis = analysis;
    this.#plan = plan;
  }

  keywordsOf(schema: JsonSchemaObject, copy: Record<string, unknown>): object {
    this.#length += lengthOf(schema);
    const own = this.#plan.rewritten.get(schema);
    if (own === undefined) return this.#withData(schema);
    const node = rewriteNode(schema, own);
    if (node.description !== undefined) this.#described.push([copy, node.description]);
    if (node.isInexact) {
      const pointer = this.#analysis.parts?.references.placeOf(schema)?.pointer ?? "";
      this.findings.push(createFinding("inexact_constant", pointer));
    }
    return node.schema;
  }

  /** Add the descriptions, as long as the schema does not grow to more than four times its length. */
  describe(): void {
    let room = 3 * this.#length - patternLength * this.#described.length;
    for (const [copy, description] of this.#described) {
      room -= description.length + 17;
      if (room < 0) return;
      setOwn(copy, "description", description);
    }
  }

  /** Defaults and examples beside a reference or a union are data of the place too, as are those of whole objects. */
  #withData(schema: JsonSchemaObject): object {
    const keywords = dataKeywords.filter((keyword) => Object.hasOwn(schema, keyword));
    if (keywords.length === 0 || this.#plan.nodes.size === 0) return schema;
    const node = this.#analysis.nodeAt(schema);
    if (node === undefined) return schema;
    const changed: Record<string, unknown> = {};
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword];
      const isList = (keyword === "enum" || keyword === "examples") && Array.isArray(value);
      if (!keywords.includes(keyword)) setOwn(changed, keyword, value);
      else
        setOwn(changed, keyword, isList ? value.map((item) => this.#convert(item, node)) : this.#convert(value, node));
    }
    return changed;
  }

  #convert(value: unknown, node: HintNode): unknown {
    this.#conversion ??= new Conversion(createContext("tool result", ANY, resolveOptions({}), false), "encode");
    try {
      // Data of a schema is JSON, or else the walk refuses it.
      return convertPlaces(this.#conversion, value as ExactJson, node, this.#plan.nodes, numberToDigits);
    } catch {
      // Data that contains itself or is nested without end stays as it is.
      return value;
    }
  }
}

/** A lower bound of the length of a schema as text, without the schemas in it. */
function lengthOf(schema: JsonSchemaObject): number {
  let length = 2;
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    length += keyword.length + 4;
    if (typeof value === "string") length += value.length + 2;
    else length += typeof value === "bigint" ? beyondSafe : 1;
  }
  return length;
}

/** Digits of an integer beyond ±(2^53−1). */
const beyondSafe = 16;
