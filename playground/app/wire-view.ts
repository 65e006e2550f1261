import { literalAt } from "../model/changes.js";
import { indexPlaces } from "../model/json-places.js";
import { markClass, markPlaces } from "../model/shown-texts.js";
import type { WireRow } from "../model/wire-rows.js";
import { createElement } from "./element.js";
import type { View } from "./views.js";

/** The wire bytes, field by field, beside the values they hold and what comes out for them. */
export const showWire: View = (panel, { result, showValue }) => {
  const { bytes, wire, output, codec, changes } = result;
  if (bytes === undefined || wire === undefined) {
    panel.replaceChildren(createElement("p", { class: "hint", text: "No message yet." }));
    return;
  }
  const size = `${bytes.length} bytes${wire.isCut ? `; the first ${wire.rows.length} fields` : ""}. Grey is tag and length.`;
  const table = createElement("table", { class: "wire" });
  const head = ["offset", "bytes", "field", "value", "JSON"].map((text) =>
    createElement("th", { text, attributes: { scope: "col" } }),
  );
  const index = indexPlaces(output.places);
  const marked = codec === undefined ? [] : markPlaces(output.places, codec, changes);
  const marks = new Map(marked.map(({ place, mark, isChanged }) => [place, markClass(mark, isChanged)]));
  const literalOf = (row: WireRow): HTMLElement | undefined => {
    const place = isScalar(row) ? index.get(row.pointer) : undefined;
    if (place === undefined) return undefined;
    return createElement("span", { class: marks.get(place) ?? "", text: literalAt(output, place) });
  };
  const body = createElement(
    "tbody",
    {},
    ...wire.rows.map((row) => rowOf(row, bytes, literalOf(row), () => showValue(row.pointer))),
  );
  table.append(createElement("thead", {}, createElement("tr", {}, ...head)), body);
  panel.replaceChildren(createElement("p", { class: "hint", text: size }), table);
};

/** A field that is a value of its own, and no container. */
function isScalar({ field, value }: WireRow): boolean {
  return field.endsWith("_value") && value !== "";
}

function rowOf(row: WireRow, bytes: Uint8Array, literal: HTMLElement | undefined, onClick: () => void): HTMLElement {
  const json = createElement("td", { class: "value" });
  if (literal !== undefined) {
    const link = createElement(
      "button",
      { class: "link", title: row.pointer, attributes: { type: "button" } },
      literal,
    );
    link.addEventListener("click", onClick);
    json.append(link);
  }
  return createElement(
    "tr",
    row.isWrong ? { class: "wrong" } : {},
    createElement("td", { class: "offset", text: row.offset.toString(16).padStart(4, "0") }),
    createElement("td", { class: "bytes" }, ...bytesOf(row, bytes)),
    createElement("td", { class: "field", text: indent(row.depth) + row.field }),
    createElement("td", { class: "value", text: row.value }),
    json,
  );
}

/** Nesting beyond this is no longer indented, or nothing would be left of the line. */
const deepestIndent = 12;

function indent(depth: number): string {
  return "  ".repeat(Math.min(depth, deepestIndent));
}

/** Most bytes of a field that are shown. */
const mostBytes = 64;

function bytesOf(row: WireRow, bytes: Uint8Array): HTMLElement[] {
  const shown = bytes.subarray(row.offset, Math.min(row.end, row.offset + mostBytes));
  const head = row.isWrong ? 0 : headLength(row, shown);
  const cut = row.end - row.offset > mostBytes ? " …" : "";
  return [
    createElement("span", { class: "tag", text: `${hex(shown.subarray(0, head))} ` }),
    createElement("span", { text: hex(shown.subarray(head)) + cut }),
  ];
}

/** How many bytes are tag and length; what follows is the value. */
function headLength(row: WireRow, shown: Uint8Array): number {
  const tag = varintLength(shown, 0);
  const isLengthDelimited = ((shown[0] ?? 0) & 7) === 2;
  return Math.min(row.end - row.offset, isLengthDelimited ? varintLength(shown, tag) : tag);
}

function varintLength(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) >= 0x80) at++;
  return at + 1;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
