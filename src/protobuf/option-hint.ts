import {
  type DescExtension,
  type DescField,
  type DescFile,
  type DescMessage,
  getOption,
  hasOption,
  type Registry,
} from "@bufbuild/protobuf";
import { struct as structOption } from "../../gen/structcodec/v1/hint_pb.js";
import { getOwn } from "../base/own.js";
import { isCompiledHint } from "../hint/compile-hint.js";
import { isSchemaObject, type JsonSchema } from "../json-schema/json-schema.js";
import { isStandardSchema } from "../json-schema/standard-schema.js";
import { deriveSchema } from "../tools/derive-schema.js";
import { isCodec } from "./field-codec.js";
import type { HintTable } from "./hint-table.js";

/** Where the names in field options lead. */
export interface OptionContext {
  readonly schemas: HintTable;
  readonly registry: Registry | undefined;
}

/** What the option on a field says: a source, or why there is none although one was asked for. */
export type OptionHint = { readonly source: HintTable[string] } | { readonly missing: string };

/** Read the option `structcodec.v1.struct` of a field, undefined where it names no source. */
export function readOptionHint(field: DescField | DescExtension, context: OptionContext): OptionHint | undefined {
  if (!hasOption(field, structOption)) return undefined;
  const { source } = getOption(field, structOption);
  switch (source.case) {
    case "message": {
      const message = context.registry?.getMessage(source.value) ?? findMessage(field, source.value);
      if (message === undefined) return { missing: `message ${source.value} of the field option was not found` };
      return { source: deriveSchema(message, { schemas: plainSchemas(context), registry: context.registry }) };
    }
    case "schema": {
      const schema = getOwn(context.schemas, source.value) as HintTable[string];
      return schema === undefined
        ? { missing: `schema "${source.value}" of the field option was not given` }
        : { source: schema };
    }
    case "inline":
      return { source: source.value };
    default:
      return undefined;
  }
}

/** A derived schema can take in those schemas only that are there as such. */
function plainSchemas({ schemas }: OptionContext): { readonly [name: string]: JsonSchema } {
  const plain = Object.entries(schemas).filter(([, entry]) => isPlainSchema(entry));
  return Object.fromEntries(plain) as { [name: string]: JsonSchema };
}

function isPlainSchema(entry: unknown): boolean {
  if (typeof entry === "boolean") return true;
  return isSchemaObject(entry) && !isStandardSchema(entry) && !isCompiledHint(entry) && !isCodec(entry);
}

/** Look for a message in the file of a field and in all that it imports. */
function findMessage(field: DescField | DescExtension, typeName: string): DescMessage | undefined {
  const files = new Set<DescFile>([field.kind === "field" ? field.parent.file : field.file]);
  for (const file of files) {
    const pending = [...file.messages];
    for (let message = pending.pop(); message !== undefined; message = pending.pop()) {
      if (message.typeName === typeName) return message;
      pending.push(...message.nestedMessages);
    }
    for (const dependency of file.dependencies) files.add(dependency);
  }
  return undefined;
}
