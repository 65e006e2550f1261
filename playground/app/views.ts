import type { PageResult } from "../model/convert-page.js";
import type { PageState } from "../model/page-state.js";

/** What a view shows, and what it may ask of the page. */
export interface ViewContext {
  readonly state: PageState;
  readonly result: PageResult;
  /** Select a value of the output by its pointer. */
  readonly showValue: (pointer: string) => void;
  /** Select a part of the schema by its pointer. */
  readonly showSchema: (pointer: string) => void;
  readonly change: (change: Partial<PageState>) => void;
  readonly copy: (text: string, what: string) => void;
}

/** Fills the panel below the tabs. */
export type View = (panel: HTMLElement, context: ViewContext) => void;
