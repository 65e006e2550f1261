import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Colours are custom properties of the page, which reach into the shadow root and change with the theme.
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--field)", fontSize: "0.8125rem" },
  // The pane around it shows the focus.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "0.5rem 0" },
  ".cm-line": { padding: "0 0.5rem" },
  ".cm-gutters": { backgroundColor: "var(--field)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "1.5rem", padding: "0 0.25rem 0 0.375rem" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  "& .cm-matchingBracket": { outline: "none", backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": { outline: "1px solid var(--faint)", backgroundColor: "transparent" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    maxWidth: "min(28rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-hover": { padding: "0.375rem 0.5rem", fontFamily: "var(--sans)" },
  // The squiggles of the lint package are images in data URLs, which a strict policy refuses; lines will do.
  ".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: "underline wavy 1.5px var(--error)", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy 1.5px var(--warning)", textUnderlineOffset: "3px" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", borderLeftWidth: "3px", padding: "0.25rem 0.5rem" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".mark": { borderRadius: "2px", borderBottom: "2px solid transparent" },
  ".mark-integer": { backgroundColor: "var(--mark-integer)", borderBottomColor: "var(--line-integer)" },
  ".mark-wide": { backgroundColor: "var(--mark-wide)", borderBottom: "3px double var(--line-wide)" },
  ".mark-unknown": { backgroundColor: "var(--mark-unknown)", borderBottom: "2px dashed var(--line-unknown)" },
  ".mark-digits": { backgroundColor: "var(--mark-digits)", borderBottom: "2px dotted var(--line-digits)" },
  ".mark-number": { backgroundColor: "var(--mark-number)", borderBottom: "1px solid var(--line-number)" },
  ".mark-ambiguous": { backgroundColor: "var(--mark-ambiguous)", borderBottom: "2px dashed var(--line-ambiguous)" },
  ".changed": { fontWeight: "700", boxShadow: "0 0 0 1.5px var(--changed)" },
  ".linked": { backgroundColor: "var(--linked)" },
});

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.bool, tags.null], color: "var(--code-literal)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--code-mark)" },
]);

/** How an editor looks, in light and dark. */
export const editorTheme: Extension = [look, syntaxHighlighting(highlighting)];
