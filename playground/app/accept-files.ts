import { writeBytes } from "../model/read-input.js";
import { findElement } from "./element.js";

/** Largest file that is taken in; an editor in a page is no place for more. */
const largestFile = 4 * 2 ** 20;

/** What was dropped or chosen: text as it is, anything else as base64. */
export interface AcceptedFile {
  readonly text: string;
  readonly isBinary: boolean;
}

/** Take files that are dropped on an area, or chosen with its button. */
export function acceptFiles(
  area: HTMLElement,
  inputId: string,
  onFile: (file: AcceptedFile) => void,
  onRefusal: (reason: string) => void,
): void {
  const accept = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > largestFile) return onRefusal(`${file.name} is larger than 4 MiB`);
    onFile(readBytes(new Uint8Array(await file.arrayBuffer())));
  };
  const input = findElement(inputId, HTMLInputElement);
  input.addEventListener("change", () => {
    void accept(input.files?.[0]);
    // The same file can be chosen again after it was edited.
    input.value = "";
  });
  acceptDrops(area, (file) => void accept(file));
}

/** In the capture phase: the editor would insert the text of a file at the pointer. */
function acceptDrops(area: HTMLElement, onDrop: (file: File | undefined) => void): void {
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  for (const type of ["dragenter", "dragover"] as const) {
    area.addEventListener(
      type,
      (event) => {
        if (!isFile(event)) return;
        event.preventDefault();
        event.stopPropagation();
        area.classList.add("dropping");
      },
      true,
    );
  }
  area.addEventListener("dragleave", (event) => {
    if (!area.contains(event.relatedTarget as Node | null)) area.classList.remove("dropping");
  });
  area.addEventListener(
    "drop",
    (event) => {
      area.classList.remove("dropping");
      if (!isFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onDrop(event.dataTransfer?.files[0]);
    },
    true,
  );
}

/** Text is UTF-8 without control characters other than white space; wire bytes begin with a line feed and have others. */
export function readBytes(bytes: Uint8Array): AcceptedFile {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    if (!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) return { text, isBinary: false };
  } catch {
    // Not UTF-8, so not text.
  }
  return { text: writeBytes(bytes, "base64"), isBinary: true };
}
