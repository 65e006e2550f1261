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
      return valid ? [] : errors;
    };
  };
}

function draftOf(schema: JsonSchema): "4" | "7" | "2019-09" | "2020-12" {
  const dialect = typeof schema === "object" ? String(schema.$schema ?? "") : "";
  if (dialect.includes("draft-04")) return "4";
  if (dialect.includes("draft-06") || dialect.includes("draft-07")) return "7";
  return dialect.includes("2019-09") ? "2019-09" : "2020-12";
}

/** An instance of `Ajv`, as much of it as is used. */
export interface AjvLike {
  compile(schema: never): {
    (value: unknown): unknown;
    errors?: readonly { readonly keyword: string; readonly instancePath: string; readonly schemaPath: string }[] | null;
  };
}

/** Validate with ajv, which compiles schemas to code and so needs `eval`. Dialect, formats and `allErrors` are its own. */
export function useAjv(ajv: AjvLike): SchemaValidator {
  return (schema) => {
    const validate = ajv.compile(schema as never);
    return (value) => {
      if (validate(value) === true) return [];
      return (validate.errors ?? []).map(({ keyword, instancePath, schemaPath }) => ({
        keyword,
        instanceLocation: instancePath,
        keywordLocation: schemaPath,
      }));
    };
  };
}
