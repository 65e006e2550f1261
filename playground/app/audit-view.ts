import { auditSchema } from "../model/for-model.js";
import { createElement } from "./element.js";
import { badge } from "./model-view.js";
import type { View } from "./views.js";

/** What the audit finds in the schema, taken as the input schema of a tool. */
export const showAudit: View = (panel, { state, showSchema }) => {
  const findings = auditSchema(state.schema);
  const items = findings.map(({ severity, code, message, fix, pointer }) => {
    const link = createElement("button", { class: "link", text: pointer || "(root)", attributes: { type: "button" } });
    link.addEventListener("click", () => showSchema(pointer));
    const words = createElement("span", {}, createElement("code", { text: code }), ` at `, link, `: ${message}`);
    return createElement(
      "li",
      {},
      badge(severity),
      words,
      createElement("span", { class: "fix", text: `Repair: ${fix}` }),
    );
  });
  panel.replaceChildren(
    createElement("p", {
      class: "hint",
      text:
        "What goes wrong when the schema is served to a model as it is, as the input of a tool. The command “protobuf-struct-codec audit” " +
        "asks a live endpoint the same.",
    }),
    items.length === 0
      ? createElement("p", { text: state.schema.trim() === "" ? "No schema yet." : "Nothing found." })
      : createElement("ul", { class: "findings" }, ...items),
  );
};
