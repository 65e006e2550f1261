import type { DescMessage } from "@bufbuild/protobuf";
import type { MethodDefinition, PackageDefinition, ServiceDefinition } from "@grpc/proto-loader";
import { type ChosenFields, chooseFields } from "./choose-fields.js";
import { describePackage, type MethodMessages } from "./describe-package.js";
import { LoaderForm } from "./loader-form.js";
import { LoaderMethod } from "./loader-method.js";
import type { LoaderStructOptions } from "./loader-options.js";

/**
 * Give the services of a package definition plain values in the Struct, Value and ListValue fields that are named, which
 * protobufjs would send as empty Structs. They are converted as their hints say; objects otherwise stay as proto-loader has them. What
 * is read is exact JSON: under `int64: "bigint"` with `bigint`s, else with decimal strings. An absent field is what proto-loader
 * makes of it: under `defaults` null, as is a Value that holds null; who writes null for a Value sends it. Gives a copy; no state
 * of protobufjs is touched. Throws as `createMessageHints` does, and TypeError for a name that is no such field.
 */
export function withStructs<Definition extends PackageDefinition>(
  definition: Definition,
  options: LoaderStructOptions,
): Definition {
  const { messages, methods } = describePackage(definition);
  const chosen = chooseFields(messages, options);
  const forms = new Map<DescMessage, LoaderForm>();
  const formOf = (desc: DescMessage): LoaderForm => {
    const form = forms.get(desc) ?? new LoaderForm(desc, chosen);
    forms.set(desc, form);
    return form;
  };
  const parts = Object.entries(definition).map(([name, part]) => {
    return [name, isService(part) ? wrapService(part, methods, chosen, formOf) : part] as const;
  });
  return Object.fromEntries(parts) as Definition;
}

function isService(part: PackageDefinition[string]): part is ServiceDefinition {
  return !("format" in part && typeof part.format === "string");
}

function wrapService(
  service: ServiceDefinition,
  methods: ReadonlyMap<string, MethodMessages>,
  { holders }: ChosenFields,
  formOf: (desc: DescMessage) => LoaderForm,
): ServiceDefinition {
  const wrap = (method: MethodDefinition<object, object>): MethodDefinition<object, object> => {
    const types = methods.get(method.path);
    if (types === undefined || !(holders.has(types.input) || holders.has(types.output))) return method;
    return new LoaderMethod(method, formOf(types.input), formOf(types.output)).definition;
  };
  return Object.fromEntries(Object.entries(service).map(([name, method]) => [name, wrap(method)]));
}
