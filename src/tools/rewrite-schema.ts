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
import { convertPlaces, type PlaceConverter, type ValueBudget } from "./convert-places.js";
import { copySchema } from "./copy-schema.js";
import { planRewrite, type RewritePlan } from "./plan-rewrite.js";
import { createFinding, type RewriteFinding } from "./rewrite-finding.js";
import { isInexact, isVague, rewriteNode } from "./rewrite-node.js";
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
  writer.describe(copied.length);
  return { schema: copied.schema, analysis, plan, findings: [...plan.findings, ...writer.findings] };
}

/** Keywords whose values are data of the place that the schema describes. */
const dataKeywords: ReadonlySet<string> = new Set(["default", "const", "enum", "example", "examples"]);

/** Growth by a pattern and a type, at the most. */
const patternLength = 60;

/** By how much any schema may grow to say that it means digits; that of the largest honest tool seen does not need half of it. */
const smallGrowth = 16 * 1024;

/** Values of the data in one schema. Text of the longest schema has fewer; only objects that share others have more. */
const mostDataValues = 500_000;

class SchemaWriter {
  readonly findings: RewriteFinding[] = [];
  readonly #analysis: SchemaAnalysis;
  readonly #plan: RewritePlan;
  readonly #described: [copy: Record<string, unknown>, description: string][] = [];
  readonly #budget: ValueBudget = { left: mostDataValues };
  #conversion: Conversion | undefined;
  #growth = 0;
  #isInexact = false;

  constructor(analysis: SchemaAnalysis, plan: RewritePlan) {
    this.#analysis = analysis;
    this.#plan = plan;
  }

  keywordsOf(schema: JsonSchemaObject, copy: Record<string, unknown>): object {
    const own = this.#plan.rewritten.get(schema);
    if (own === undefined) return this.#withData(schema);
    const node = rewriteNode(schema, own);
    this.#growth += patternLength + node.growth;
    if (node.description !== undefined) this.#described.push([copy, node.description]);
    if (node.isInexact) this.#tellInexact(schema);
    return node.schema;
  }

  /** Add the descriptions, as long as a schema of this length does not grow to more than four times as much. */
  describe(length: number): void {
    let room = Math.max(3 * length, smallGrowth) - this.#growth;
    for (const [copy, description] of this.#described) {
      room -= description.length + descriptionFrame;
      if (room < 0) return;
      setOwn(copy, "description", description);
    }
  }

  /** Defaults and examples beside a reference or a union are data of the place too, as are those of whole objects. */
  #withData(schema: JsonSchemaObject): object {
    if (this.#plan.nodes.size === 0 || !Object.keys(schema).some((keyword) => dataKeywords.has(keyword))) return schema;
    const node = this.#analysis.nodeAt(schema);
    if (node === undefined) return schema;
    const changed: Record<string, unknown> = {};
    this.#isInexact = false;
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword];
      if (!dataKeywords.has(keyword)) setOwn(changed, keyword, value);
      else if (!Array.isArray(value) || (keyword !== "enum" && keyword !== "examples")) {
        setOwn(changed, keyword, this.#convert(value, node));
      } else {
        setOwn(
          changed,
          keyword,
          value.map((item) => this.#convert(item, node)),
        );
      }
    }
    if (this.#isInexact) this.#tellInexact(schema);
    return changed;
  }

  #convert(value: unknown, node: HintNode): unknown {
    this.#conversion ??= new Conversion(createContext("tool result", ANY, resolveOptions({}), false), "encode");
    const toDigits: PlaceConverter = (number, conversion, place) => {
      this.#isInexact ||= isInexact(number);
      if (isVague(number)) return number;
      this.#growth += 2;
      return numberToDigits(number, conversion, place);
    };
    try {
      // Data of a schema is JSON, or else the walk refuses it.
      return convertPlaces(this.#conversion, value as ExactJson, node, this.#plan.nodes, toDigits, this.#budget);
    } catch {
      // Data that contains itself, or is nested or shared without end, stays as it is.
      return value;
    }
  }

  #tellInexact(schema: JsonSchemaObject): void {
    const pointer = this.#analysis.parts?.references.placeOf(schema)?.pointer ?? "";
    this.findings.push(createFinding("inexact_constant", pointer));
  }
}

/** What is written around a description. */
const descriptionFrame = ',"description":""'.length;
