import type { SchemaIssue } from "../index.js";
import type { Io } from "./command.js";
import { Sink } from "./files.js";
import { escapeControls, isClosedPipe, writeLines, writeTo } from "./terminal.js";

/** Milliseconds of work before progress is shown, and between two showings. */
const quiet = 1000;
const interval = 250;

/** Something about a record that people or programs should know: why it failed, or what smells about it. */
export interface Finding {
  readonly kind: "error" | "issue";
  readonly record: number;
  /** Line and column of the input, where it has lines. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly code?: string;
  readonly direction?: string;
  readonly pointer?: string;
  readonly schemaPointer?: string | undefined;
  /** Bytes from the start of the record. */
  readonly offset?: number | undefined;
  readonly message: string;
}

/** What is said about a conversion beside its output: as text for people, as lines of JSON where `--report` asks for them. */
export class Report {
  readonly #io: Io;
  readonly #sink: Sink | undefined;
  /** Text for people, or nothing where standard error belongs to the lines of JSON. */
  readonly #hasText: boolean;
  readonly #started: number = performance.now();
  #shownAt = 0;
  #isShown = false;
  #text: string[] = [];
  #bytes = 0;
  #records = 0;
  #failed = 0;
  #issues = 0;

  /** `target` is the value of `--report`: undefined without one, empty for standard error. */
  constructor(io: Io, target: string | undefined) {
    this.#io = io;
    this.#hasText = target !== "";
    if (target !== undefined) this.#sink = new Sink(target || "-", target === "" ? io.stderr : io.stdout);
  }

  /** Open the file of the report, before anything else is written. */
  async open(): Promise<void> {
    await this.#sink?.open();
  }

  get failed(): number {
    return this.#failed;
  }

  schemaIssues(issues: readonly SchemaIssue[]): void {
    if (this.#sink === undefined && issues.length > 0) {
      this.#say(`the schema has ${count(issues.length, "issue")} and gives no hint there; explain lists them`);
    }
    for (const issue of issues) this.#write({ kind: "schema", ...issue });
  }

  /** Count a record that was found. */
  record(): void {
    this.#records++;
  }

  error(finding: Omit<Finding, "kind">): void {
    this.#failed++;
    const { record, line, column, message } = finding;
    const place = [`record ${record}`];
    if (line !== undefined) place.push(`line ${line}`);
    if (column !== undefined) place.push(`column ${column}`);
    this.#say(`${place.join(", ")}: ${message}`);
    this.#write({ kind: "error", ...finding });
  }

  issue(finding: Omit<Finding, "kind">): void {
    this.#issues++;
    this.#write({ kind: "issue", ...finding });
  }

  /** Issues of a record beyond those that the codec keeps. */
  dropped(record: number, dropped: number): void {
    this.#issues += dropped;
    this.#write({ kind: "issue", record, message: `${dropped} more issues` });
  }

  /** Count input, and show how far it went where somebody watches. */
  async progress(bytes: number): Promise<void> {
    this.#bytes += bytes;
    const now = performance.now();
    if (this.#io.stderr.isTTY !== true || !this.#hasText || now - this.#started < quiet) return;
    if (now - this.#shownAt < interval) return;
    this.#shownAt = now;
    this.#isShown = true;
    const size = (this.#bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 });
    await this.#draw(`${this.#records.toLocaleString("en")} records, ${size} MB`);
  }

  async flush(): Promise<void> {
    if (this.#text.length > 0) {
      await this.#clear();
      await writeLines(this.#io.stderr, this.#text.join("\n"));
      this.#text = [];
    }
    await this.#sink?.flush().catch(ignoreClosedPipe);
  }

  /** Sum up, after the last record. */
  async close(): Promise<void> {
    await this.#clear();
    if (this.#failed > 0 && this.#records > 1) this.#say(`${this.#failed} of ${count(this.#records, "record")} failed`);
    if (this.#issues > 0 && this.#sink === undefined) {
      this.#say(`${count(this.#issues, "issue")}; --report lists them`);
    }
    this.#write({ kind: "summary", records: this.#records, failed: this.#failed, issues: this.#issues });
    await this.flush();
    await this.#sink?.close().catch(ignoreClosedPipe);
  }

  #say(text: string): void {
    if (this.#hasText) this.#text.push(text);
  }

  #write(finding: object): void {
    this.#sink?.add(Buffer.from(`${escapeControls(JSON.stringify(finding))}\n`));
  }

  async #clear(): Promise<void> {
    if (this.#isShown) await this.#draw("");
    this.#isShown = false;
  }

  async #draw(line: string): Promise<void> {
    await writeTo(this.#io.stderr, `\r\u001b[K${line}`).catch(() => undefined);
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function ignoreClosedPipe(error: unknown): void {
  if (!isClosedPipe(error)) throw error;
}
