import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { specifier } from "./api-reference.js";
import type { Door, DoorExport, Manifest } from "./read-doors.js";

const docs = fileURLToPath(new URL("../", import.meta.url));

/** `docs/summary.json`: the package in a form that programs read. */
export function writeSummary({ name, description }: Manifest, doors: readonly Door[]): string {
  const exports = doors.flatMap((door) => door.exports);
  const find = (wanted: string) => exports.find((found) => found.name === wanted);
  const summary = {
    name,
    description,
    install: `npm install ${name} @bufbuild/protobuf`,
    doors: doors.map((door) => ({
      import: specifier(name, door.path),
      exports: door.exports.map(({ name: exported, kind, comment }) => ({
        name: exported,
        kind,
        summary: firstSentence(comment),
      })),
    })),
    options: ["CodecOptions", "HintOptions"].flatMap((owner) => listOptions(find(owner))),
    limits: ["CodecLimits", "HintLimits"].flatMap((owner) => listOptions(find(owner))),
    codes: {
      StructCodecError: listWords(find("CodecErrorCode")),
      issue: listWords(find("IssueCode")),
      StructSchemaError: listWords(find("SchemaErrorCode")),
      audit: listWords(find("AuditCode")),
    },
    documents: listDocuments(),
  };
  return `${JSON.stringify(summary, undefined, 1)}\n`;
}

function listOptions(owner: DoorExport | undefined): { name: string; default?: string; summary: string }[] {
  const members = (owner?.members ?? []).filter(({ name }) => name !== "limits");
  return members.map(({ name, comment }) => {
    const otherwise = /^Defaults to ("[^"]*"|[\w,]+(?: MiB)?)/.exec(comment)?.[1];
    return {
      name,
      ...(otherwise !== undefined && { default: otherwise.replace(/^"|"$/g, "") }),
      summary: oneLine(comment),
    };
  });
}

/** The words of a union of words. */
function listWords(found: DoorExport | undefined): string[] {
  return [...(found?.declaration.matchAll(/^\s*\| "(\w+)"|= "(\w+)"|(?<=")\s*\| "(\w+)"/gm) ?? [])].map(
    ([, first, second, third]) => (first ?? second ?? third) as string,
  );
}

/** Every document of the folder: its heading and the sentence below it. */
function listDocuments(): { path: string; title: string; summary: string }[] {
  const names = readdirSync(docs).filter((name) => name.endsWith(".md"));
  return names.sort().map((name) => {
    const text = readFileSync(docs + name, "utf8");
    const [, title = "", first = ""] = /^# (.*)\n\n([\s\S]*?)(?:\n\n|$)/.exec(text) ?? [];
    return { path: `docs/${name}`, title, summary: firstSentence(first) };
  });
}

/** Up to the first full stop that ends a sentence. */
function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(oneLine(text))?.[0].replace(/:$/, ".") ?? oneLine(text);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
