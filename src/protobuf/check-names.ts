import type { DescMessage } from "@bufbuild/protobuf";
import type { HintTable } from "./hint-table.js";
import { structKindOf } from "./struct-kind.js";

/**
 * Makes a check of the names in a table, for one message after the other as their types come by: a misspelt name would silently
 * do nothing. Names in messages that never come by may be in the table, which serves many.
 */
export function createNameCheck(table: HintTable): (desc: DescMessage) => void {
  const names = Object.keys(table);
  return (desc) => {
    for (const name of names) {
      if (name.startsWith(`${desc.typeName}.`) && !isHintable(desc, name)) {
        throw new TypeError(`hints has "${name}", which is no field of type Struct, Value, ListValue or Any`);
      }
    }
  };
}

function isHintable(desc: DescMessage, name: string): boolean {
  const member = name.slice(desc.typeName.length + 1);
  // What is in a nested message is checked with that.
  if (member.includes(".")) return true;
  const found =
    desc.fields.find((field) => field.name === member) ??
    desc.nestedExtensions.find(({ typeName }) => typeName === name);
  return structKindOf(found?.message) !== undefined || found?.message?.typeName === "google.protobuf.Any";
}
