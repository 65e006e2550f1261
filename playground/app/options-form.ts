import {
  choiceSettings,
  defaultOptions,
  isLimit,
  limitSettings,
  type PageOptions,
  strictCodes,
  switchSettings,
} from "../model/settings.js";
import { findElement } from "./element.js";

/** The controls of the options, which stand in the page already. */
export class OptionsForm {
  readonly #form = findElement("options", HTMLFormElement);

  constructor(onChange: (options: PageOptions, documents: string) => void) {
    const report = (): void => onChange(this.#read(), this.#area("documents").value);
    this.#form.addEventListener("input", report);
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    findElement("reset-options", HTMLButtonElement).addEventListener("click", () => {
      this.show(defaultOptions, "");
      report();
    });
  }

  show(options: PageOptions, documents: string): void {
    for (const { name, choices } of choiceSettings) {
      this.#select(name).value = options.choices.get(name) ?? choices[0]?.[0] ?? "";
    }
    for (const [name] of switchSettings) this.#input(name).checked = options.switches.has(name);
    for (const code of strictCodes) this.#input(`strict.${code}`).checked = options.strict.has(code);
    for (const { name } of limitSettings) this.#input(`limits.${name}`).value = String(options.limits.get(name) ?? "");
    this.#input("prettySpaces").value = String(options.prettySpaces);
    if (this.#area("documents").value !== documents) this.#area("documents").value = documents;
  }

  #read(): PageOptions {
    const spaces = Number(this.#input("prettySpaces").value);
    return {
      choices: new Map(
        choiceSettings
          .map(({ name, choices }) => [name, this.#select(name).value, choices[0]?.[0]] as const)
          .filter(([, value, otherwise]) => value !== otherwise)
          .map(([name, value]) => [name, value]),
      ),
      switches: new Set(switchSettings.map(([name]) => name).filter((name) => this.#input(name).checked)),
      strict: new Set(strictCodes.filter((code) => this.#input(`strict.${code}`).checked)),
      limits: new Map(
        limitSettings
          .map(({ name }) => [name, this.#input(`limits.${name}`).value] as const)
          .filter(([, value]) => value !== "" && isLimit(Number(value)))
          .map(([name, value]) => [name, Number(value)]),
      ),
      prettySpaces: isLimit(spaces) && spaces <= 10 ? spaces : 0,
    };
  }

  #control<T extends HTMLElement>(name: string, kind: new () => T): T {
    const control = this.#form.elements.namedItem(name);
    if (!(control instanceof kind)) throw new Error(`the page has no option ${name}`);
    return control;
  }

  #select(name: string): HTMLSelectElement {
    return this.#control(name, HTMLSelectElement);
  }

  #input(name: string): HTMLInputElement {
    return this.#control(name, HTMLInputElement);
  }

  #area(name: string): HTMLTextAreaElement {
    return this.#control(name, HTMLTextAreaElement);
  }
}
