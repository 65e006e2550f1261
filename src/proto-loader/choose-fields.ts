import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { createMessageHints, type HintTable, type MessageHints } from "../protobuf.js";
import type { LoaderStructOptions } from "./loader-options.js";

/** The fields that hold plain values. */
export interface ChosenFields {
  readonly hints: MessageHints;
  readonly fields: ReadonlyMap<DescField, { readonly hasOldShape: boolean }>;
  /** Whether a function of the table decides about one of them. */
  readonly hasFunctions: boolean;
  /** Messages that may have one of the fields somewhere. */
  readonly holders: ReadonlySet<DescMessage>;
}

const structNames = /^google\.protobuf\.(?:Struct|Value|ListValue)$/;

/** Find the fields that options name. A name that is no field of a Struct is a TypeError: it would silently do nothing. */
export function chooseFields(messages: ReadonlyMap<string, DescMessage>, options: LoaderStructOptions): ChosenFields {
  const { hints = {}, fields = [], oldShape = [], ...rest } = options;
  const find = (name: string): DescField => findField(messages, name);
  const table: { [name: string]: HintTable[string] } = {};
  const chosen = new Map<DescField, { hasOldShape: boolean }>();
  for (const name of fields) chosen.set(find(name), { hasOldShape: false });
  for (const [name, hint] of Object.entries(hints)) {
    const field = find(name);
    chosen.set(field, { hasOldShape: false });
    table[`${field.parent.typeName}.${field.name}`] = hint;
  }
  for (const name of oldShape) {
    const field = find(name);
    if (!chosen.has(field)) throw new TypeError(`oldShape has "${name}", which is in neither hints nor fields`);
    chosen.set(field, { hasOldShape: true });
  }
  return {
    hints: createMessageHints({ ...rest, hints: table }),
    fields: chosen,
    hasFunctions: Object.values(hints).some((hint) => typeof hint === "function"),
    holders: findHolders(messages, chosen),
  };
}

function findField(messages: ReadonlyMap<string, DescMessage>, name: string): DescField {
  const dot = name.lastIndexOf(".");
  const parent = messages.get(name.slice(0, dot));
  const member = name.slice(dot + 1);
  const field =
    parent?.fields.find((one) => one.name === member) ?? parent?.fields.find((one) => one.name === camelCase(member));
  // The inside of a Struct is no place for another.
  const isStruct = structNames.test(field?.message?.typeName ?? "") && !structNames.test(parent?.typeName ?? "");
  if (field !== undefined && isStruct) return field;
  throw new TypeError(`"${name}" is no field of type Struct, Value or ListValue`);
}

/** As protobufjs names fields, unless it is told to keep their case. */
function camelCase(name: string): string {
  return name.slice(0, 1) + name.slice(1).replace(/_([a-z])(?=[a-z]|$)/g, (_, letter: string) => letter.toUpperCase());
}

/** Everything that leads to one of the fields, found from behind. */
function findHolders(
  messages: ReadonlyMap<string, DescMessage>,
  fields: ReadonlyMap<DescField, unknown>,
): Set<DescMessage> {
  const users = new Map<DescMessage, DescMessage[]>();
  for (const message of messages.values()) {
    for (const { message: used } of message.fields) {
      if (used !== undefined) users.set(used, [...(users.get(used) ?? []), message]);
    }
  }
  const holders = new Set([...fields.keys()].map(({ parent }) => parent));
  for (const holder of holders) for (const user of users.get(holder) ?? []) holders.add(user);
  return holders;
}
