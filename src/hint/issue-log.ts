import { printable, type SchemaErrorCode, type SchemaIssue } from "../base/errors.js";

/** Most issues kept for one schema: a broken schema of a stranger must not fill the memory. */
const mostIssues = 100;

/** Collects what is wrong with a schema, each thing once. */
export class IssueLog {
  readonly #issues = new Map<string, SchemaIssue>();

  add(code: SchemaErrorCode, schemaPointer: string, reason: string): void {
    const key = `${code} ${schemaPointer}`;
    if (this.#issues.size >= mostIssues || this.#issues.has(key)) return;
    this.#issues.set(key, {
      code,
      schemaPointer,
      message: `${printable(reason)} at ${printable(schemaPointer) || "/"}`,
    });
  }

  get issues(): readonly SchemaIssue[] {
    return [...this.#issues.values()];
  }
}
