import type { Example } from "./model/examples.js";
import { marks } from "./model/marks.js";
import { choiceSettings, limitSettings, strictCodes, switchSettings } from "./model/settings.js";

/** How many of the choices stand outside of "more options". */
const choicesInFront = 3;

/** The list of examples as options of a select. */
export function renderExamples(examples: readonly Example[]): string {
  const options = examples.map(({ title }, i) => `<option value="${i}">${escapeHtml(title)}</option>`);
  return `${options.join("")}<option value="" hidden>your own</option>`;
}

/** What each colour means. */
export function renderLegend(): string {
  return marks
    .map(
      ([mark, label, meaning]) =>
        `<li title="${escapeHtml(meaning)}"><span class="chip mark-${mark}">${label}</span></li>`,
    )
    .join("");
}

/** Every option of the codec as a control named after it. */
export function renderOptions(): string {
  const choices = choiceSettings.map(
    ({ name, label, choices: values }) =>
      `<label><span><code>${name}</code> ${escapeHtml(label)}</span><select name="${name}">${values
        .map(([value, meaning]) => `<option value="${value}">${value}: ${escapeHtml(meaning)}</option>`)
        .join("")}</select></label>`,
  );
  return [
    `<div class="grid">${choices.slice(0, choicesInFront).join("")}</div>`,
    `<details><summary>More options</summary><div class="grid">${choices.slice(choicesInFront).join("")}`,
    `<label><span><code>prettySpaces</code> indent of the JSON</span><input type="number" name="prettySpaces" min="0" max="10"></label></div>`,
    `<fieldset><legend>Switches</legend>${switchSettings.map(([name, label]) => checkbox(name, name, label)).join("")}</fieldset>`,
    `<fieldset><legend><code>strict</code>: issues that are errors</legend>${strictCodes
      .map((code) => checkbox(`strict.${code}`, code, ""))
      .join("")}</fieldset>`,
    `<fieldset><legend><code>limits</code></legend><div class="grid narrow">${limitSettings
      .map(
        ({ name, label, otherwise }) =>
          `<label><span><code>${name}</code> ${label}</span><input type="number" name="limits.${name}" min="0" placeholder="${otherwise}"></label>`,
      )
      .join("")}</div></fieldset>`,
    `<label><span><code>documents</code> further schemas that references may name: a JSON object of schemas by URI</span>`,
    `<textarea name="documents" rows="3" spellcheck="false"></textarea></label>`,
    `<button type="button" id="reset-options">Back to the defaults</button></details>`,
  ].join("");
}

function checkbox(name: string, code: string, label: string): string {
  return `<label class="check"><input type="checkbox" name="${name}"> <code>${code}</code> ${escapeHtml(label)}</label>`;
}

/** Text as it may stand in HTML, within quotes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
