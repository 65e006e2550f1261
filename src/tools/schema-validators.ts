import { StructSchemaError } from "../base/errors.js";
import { getOwn } from "../base/own.js";
import type { JsonSchema } from "../json-schema/json-schema.js";
import type { SchemaValidator, ValidatorIssue } from "./create-checker.js";

/** The class `Validator` of `@cfworker/json-schema`, as much of it as is used. */
export type CfworkerValidator = new (
  schema: never,
  draft: "4" | "7" | "2019-09" | "2020-12",
  shortCircuit: boolean,
) => { validate(value: never): { readonly valid: boolean; readonly errors: readonly ValidatorIssue[] } };

/**
 * Validate with `@cfworker/json-schema`, which needs no `eval` and so runs in every runtime. Its dialect is the schema's,
 * 2020-12 where it names none.
 */
export function useCfworker(Validator: CfworkerValidator): SchemaValidator {
  return (schema) => {
    const validator = new Validator(schema as never, draftOf(schema), false);
    return (value) => {
      const { valid, errors } = validator.validate(value as never);
      return valid ? [] : placeFalse(errors);
    };
  };
}

function draftOf(schema: JsonSchema): "4" | "7" | "2019-09" | "2020-12" {
  const dialect = typeof schema === "object" ? String(schema.$schema ?? "") : "";
  if (dialect.includes("draft-04")) return "4";
  if (dialect.includes("draft-06") || dialect.includes("draft-07")) return "7";
  return dialect.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Keywords whose schema of a member or an item stands under its name. */
const namingKeywords: ReadonlySet<string> = new Set(["properties", "prefixItems"]);

/**
 * The schema `false` is told by the place in the data, as that of a keyword. The keyword that holds it has been told before:
 * that suffices, or says where the schema stands.
 */
function placeFalse(issues: readonly ValidatorIssue[]): ValidatorIssue[] {
  return issues.flatMap((issue, i) => {
    if (issue.keyword !== "false") return [issue];
    const { instanceLocation } = issue;
    const parent = instanceLocation.slice(0, instanceLocation.lastIndexOf("/"));
    const holder = issues.slice(0, i).findLast((other) => other.instanceLocation === parent);
    if (holder !== undefined && namingKeywords.has(holder.keyword)) {
      const name = instanceLocation.slice(parent.length);
      return [{ ...issue, keywordLocation: holder.keywordLocation + name }];
    }
    return issues.length > 1 ? [] : [{ ...issue, keywordLocation: "#" }];
  });
}

/** An instance of `Ajv`, as much of it as is used. */
export interface AjvLike {
  compile(schema: never): {
    (value: unknown): unknown;
    errors?: readonly AjvError[] | null;
  };
  getSchema?(id: string): unknown;
  removeSchema?(schema: never): unknown;
}

interface AjvError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
}

/**
 * Validate with ajv, which compiles schemas to code and so needs `eval`. Dialect, formats and `allErrors` are its own. Any
 * number of schemas may have the same `$id`; those that were added to the instance before can be referred to. An instance
 * keeps some memory for every schema that it ever compiled: where they come from strangers, give a function that makes one
 * for each.
 */
export function useAjv(ajv: AjvLike | (() => AjvLike)): SchemaValidator {
  return (schema) => {
    const validate = compile(typeof ajv === "function" ? ajv() : ajv, schema);
    return (value) => {
      const answer = validate(value);
      if (answer === true) return [];
      if (answer !== false) throw errAsynchronous(answer);
      const errors = (validate.errors ?? []).map(fromAjv);
      return errors.length > 0 ? errors : [{ keyword: "false", instanceLocation: "", keywordLocation: "#" }];
    };
  };
}

function fromAjv({ keyword, instancePath, schemaPath }: AjvError): ValidatorIssue {
  const isFalse = keyword === "false schema";
  return {
    keyword: isFalse ? "false" : keyword,
    instanceLocation: instancePath,
    keywordLocation: isFalse ? schemaPath.replace(/\/false schema$/, "") : schemaPath,
  };
}

function compile(ajv: AjvLike, schema: JsonSchema): ReturnType<AjvLike["compile"]> {
  refuseKnownId(ajv, schema);
  try {
    return ajv.compile(schema as never);
  } finally {
    // Else it would be kept as long as the instance, and be in the way of the next schema with its $id.
    if (typeof schema === "object") ajv.removeSchema?.(schema as never);
  }
}

/** A schema that the caller added to ajv must not be taken away for one that happens to have its name. */
function refuseKnownId(ajv: AjvLike, schema: JsonSchema): void {
  const id = typeof schema === "object" ? getOwn(schema, "$id") : undefined;
  // An empty name is none.
  if (typeof id !== "string" || /^#?\/?$/.test(id) || ajv.getSchema?.(id) === undefined) return;
  throw new StructSchemaError("invalid_schema", "ajv has another schema of this $id", "/$id");
}

/** A validator that answers later has judged nothing yet. */
function errAsynchronous(answer: unknown): Error {
  // Its failure must not end the process.
  Promise.resolve(answer).catch(() => undefined);
  return new StructSchemaError("invalid_schema", "validator answers asynchronously");
}
