import { writeCode } from "../model/code.js";
import { createElement } from "./element.js";
import type { View } from "./views.js";

/** The program that does the same. */
export const showCode: View = (panel, { state, result, copy }) => {
  const code = writeCode(state, result.input);
  const button = createElement("button", { text: "Copy", attributes: { type: "button" } });
  button.addEventListener("click", () => copy(code, "Program"));
  panel.replaceChildren(
    createElement(
      "p",
      { class: "hint" },
      "The same in a program, after ",
      createElement("code", { text: "npm install protobuf-struct-codec @bufbuild/protobuf" }),
      ".",
    ),
    createElement("div", { class: "choice" }, button),
    createElement("pre", { class: "source", text: code }),
  );
};
