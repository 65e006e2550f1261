/** Something to say about one of the texts of the page. */
export interface Note {
  readonly pane: "schema" | "input" | "output";
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  /** Where in the text, if somewhere. */
  readonly from?: number;
  readonly to?: number;
}
