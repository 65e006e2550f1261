import { extname } from "node:path";

/** One way in which records stand in a file. */
export interface Format {
  readonly name: FormatName;
  /** What a record is: JSON text, or the bytes of a Struct. */
  readonly side: "json" | "struct";
  /** Whether the whole file is one record. */
  readonly isSingle: boolean;
  readonly endings: readonly string[];
  /** The format on the other side where it is not said: of the output, and of the input. */
  readonly defaultTo: FormatName;
  readonly defaultFrom: FormatName;
}

export const formatNames = ["json", "ndjson", "binary", "base64", "hex", "delimited"] as const;
export type FormatName = (typeof formatNames)[number];

const formats: { readonly [name in FormatName]: Format } = {
  json: {
    name: "json",
    side: "json",
    isSingle: true,
    endings: [".json"],
    defaultTo: "binary",
    defaultFrom: "binary",
  },
  ndjson: {
    name: "ndjson",
    side: "json",
    isSingle: false,
    endings: [".ndjson", ".jsonl"],
    defaultTo: "delimited",
    defaultFrom: "delimited",
  },
  binary: {
    name: "binary",
    side: "struct",
    isSingle: true,
    endings: [".binpb", ".pb", ".bin"],
    defaultTo: "json",
    defaultFrom: "json",
  },
  base64: {
    name: "base64",
    side: "struct",
    isSingle: false,
    endings: [".base64", ".b64"],
    defaultTo: "ndjson",
    defaultFrom: "json",
  },
  hex: {
    name: "hex",
    side: "struct",
    isSingle: false,
    endings: [".hex"],
    defaultTo: "ndjson",
    defaultFrom: "json",
  },
  delimited: {
    name: "delimited",
    side: "struct",
    isSingle: false,
    endings: [".delimited"],
    defaultTo: "ndjson",
    defaultFrom: "ndjson",
  },
};

/** What was said about one end of a conversion. */
export interface End {
  readonly format: FormatName | undefined;
  readonly file: string;
}

/** Choose the two formats: as said, else by the ending of the file, else by the other end, else JSON to binary. */
export function chooseFormats(input: End, output: End): { readonly from: Format; readonly to: Format } {
  const from = input.format ?? formatByEnding(input.file);
  const to = output.format ?? formatByEnding(output.file);
  return {
    from: formats[from ?? (to === undefined ? "json" : formats[to].defaultFrom)],
    to: formats[to ?? formats[from ?? "json"].defaultTo],
  };
}

function formatByEnding(file: string): FormatName | undefined {
  const ending = extname(file).toLowerCase();
  return formatNames.find((name) => formats[name].endings.includes(ending));
}
