import type { Component } from "../../../provider/src/framework/component";
import type { InputKind } from "../../../provider/src/framework/missing-value-text";
import type { Resource } from "../../../provider/src/framework/resource";
import type { Setting } from "../../../provider/src/framework/settings";
import type { ArgumentFacts } from "../../../sdk/nodejs/runtime/component-arguments";
import { dynamicHost, nativeHost } from "../../../sdk/nodejs/runtime/host";
import type { ClassFacts } from "../../../sdk/nodejs/runtime/previewenv-resource";
import {
  descriptionOf,
  fileName,
  importForms,
  importText,
  inputKinds,
  noMarks,
  propertiesOf,
  type Property,
  type Shape,
} from "../properties";
import { argument, comment, contentOf, defaultTag, entries, exampleTag, interfaces, pageTag, typeText } from "./text";

/** The file of one resource class of the TypeScript SDK. */
export function resourceClass(resource: Resource): string {
  const { type, secrets, secretUnlessFalse, shownInMessages, internals, exclusive, visibleInput } = resource;
  const inputs = propertiesOf(resource.inputs, "input");
  const outputs = propertiesOf(resource.state, "output");
  const shown = outputs.filter(({ name }) => !internals.includes(name));
  const facts = {
    outputs: shown.map(({ name }) => name),
    kinds: inputKinds(inputs),
    secrets,
    secretUnlessFalse,
    shownInMessages,
    internals,
    exclusive,
    visibleInput,
  } satisfies ClassFacts;
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    `import { isOfType } from "../runtime/host";`,
    `import { PreviewenvResource } from "../runtime/previewenv-resource";`,
    "",
    comment([`What a program passes to {@link ${type}}.`]),
    `export interface ${type}Args {`,
    ...inputs.flatMap((input) => argument(type, resource, input)),
    "}",
    "",
    ...interfaces(type, shown),
    comment([resource.description, pageTag(type), exampleTag(type, entries.dynamic)]),
    `export class ${type} extends PreviewenvResource {`,
    ...shown.flatMap((output) => outputMember(type, output)),
    ...typeMembers(type, dynamicHost.typePrefix + type, ""),
    "",
    ...getter(resource, ""),
    comment([`@throws pulumi.RunError for arguments that cannot work`]),
    `constructor(name: string, args: ${type}Args, opts?: pulumi.CustomResourceOptions) {`,
    `super(${JSON.stringify(type)}, name, args, ${JSON.stringify(facts)}, opts);`,
    "}",
    "}",
    "",
  ].join("\n");
}

/** The static members by which a program and its policies tell resources of one type. */
export function typeMembers(type: string, engineType: string, override: "" | "override"): readonly string[] {
  return [
    "",
    comment([`The type of every ${type} for the engine.`]),
    `public static ${override} readonly __pulumiType: string = ${JSON.stringify(engineType)};`,
    "",
    comment(["Whether it is of this class, or of that of another copy of the package."]),
    `public static override isInstance(candidate: unknown): candidate is ${type} {`,
    `return isOfType(candidate, ${type}.__pulumiType);`,
    "}",
  ];
}

/** The static method that looks at a resource, for the types that can be found by an id. Each entry makes one of its own class. */
function getter({ type, importFormat }: Resource, override: "" | "override"): readonly string[] {
  if (importFormat === undefined) return [];
  const args = override === "" ? `${type}Args` : `dynamic.${type}Args`;
  return [
    comment([
      "Looks at one that exists and is managed elsewhere: nothing is written, nothing deleted.",
      `\`id\` is what an import takes: ${importForms(importFormat)}.`,
      "With `state` it is looked at as if these were its inputs. Without `state`, its inputs are what an import would find.",
    ]),
    `public static ${override} get(name: string, id: pulumi.Input<pulumi.ID>, state?: Partial<${args}>, opts?: pulumi.CustomResourceOptions): ${type} {`,
    `return Reflect.construct(${type}, [name, { ...state }, { ...opts, id }]);`,
    "}",
    "",
  ];
}

function outputMember(owner: string, output: Property): readonly string[] {
  const { name, required } = output;
  const type = typeText(owner, output, "plain");
  return [
    comment([descriptionOf(output)]),
    `declare public readonly ${name}: pulumi.Output<${type}${required ? "" : " | undefined"}>;`,
  ];
}

/** The file of a resource class of `pulumi-previewenv/native`: the class of the package, served by the plugin. */
export function nativeResource(resource: Resource): string {
  const { type, description, importFormat } = resource;
  const file = `../${fileName(type)}`;
  return [
    importFormat === undefined ? "" : `import type * as pulumi from "@pulumi/pulumi";`,
    `import * as dynamic from "${file}";`,
    `import { isOfType, nativeHost } from "../../runtime/host";`,
    "",
    comment([
      description,
      importFormat === undefined
        ? ""
        : `@remarks Import: \`pulumi import previewenv:index:${type} <name> <id>\`. ${importText(resource)}`,
      pageTag(type),
      exampleTag(type, entries.native),
    ]),
    `export class ${type} extends dynamic.${type} {`,
    "protected static override readonly host = nativeHost;",
    ...typeMembers(type, nativeHost.typePrefix + type, "override"),
    "",
    ...getter(resource, "override"),
    "}",
    "",
  ].join("\n");
}

/** The file with the types of one component of the TypeScript SDK, and what its class, which is written by hand, knows of its arguments. */
export function componentTypes({ type, inputs, plain, outputs }: Component): string {
  const given = propertiesOf(inputs, "input");
  const found = propertiesOf(outputs, "output");
  const kinds = inputKinds(given);
  const facts = given.map((property) => [property.name, argumentFacts(property, kinds[property.name], plain)]);
  const member = (owner: string, property: Property): readonly string[] =>
    argument(owner, noMarks, property, plain.includes(property.name) ? "plain" : "input", "readonly ");
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    `import type { ArgumentFacts } from "../runtime/component-arguments";`,
    "",
    ...interfaces(type, given, member),
    comment([`What a program passes to {@link ${type}}.`]),
    `export interface ${type}Args {`,
    ...given.flatMap((input) => member(type, input)),
    "}",
    "",
    ...interfaces(type, found),
    comment([`What a ${type} gives back.`]),
    `export interface ${type}Outputs {`,
    ...found.flatMap((output) => [
      comment([output.shape.description ?? ""]),
      `readonly ${output.name}: pulumi.Output<${typeText(type, output, "plain")}>;`,
    ]),
    "}",
    "",
    comment([`The arguments of a ${type}, and what is known of each.`]),
    `export const argumentsOf${type} = ${JSON.stringify(Object.fromEntries(facts))} as const satisfies Record<keyof ${type}Args, ArgumentFacts>;`,
    "",
  ].join("\n");
}

function argumentFacts(
  { name, shape }: Property,
  kind: InputKind | undefined,
  plain: readonly string[],
): ArgumentFacts {
  return {
    ...(kind && { kind }),
    ...(plain.includes(name) && { plain: plainForm(name, shape) }),
  };
}

/** @throws Error for a plain argument of a form that no component has */
function plainForm(name: string, shape: Shape): NonNullable<ArgumentFacts["plain"]> {
  if (shape.enum !== undefined) return shape.enum;
  if (shape.type === "array") return "a list";
  if (shape.type === "boolean") return "a boolean";
  if (shape.type !== "object") throw new Error(`the plain argument ${name} is a ${shape.type ?? "value of any type"}`);
  return contentOf(shape)?.properties === undefined ? "a plain object" : "a plain object of plain objects";
}

const settingTypes: Readonly<Record<Setting["type"], string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  globs: "boolean | string",
};

/** The file with the arguments of the TypeScript SDK's `Provider` class. */
export function providerArgs(settings: readonly Setting[]): string {
  const names = settings.map(({ name, secret }) => ({ name, secret }));
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    "",
    comment([
      "Settings of a provider. A setting that is left out comes from stack config (`previewenv:<name>`), or else from its",
      "environment variable.",
    ]),
    "export interface ProviderArgs {",
    ...settings.flatMap((setting) => [
      comment([setting.description, ...settingNotes(setting)]),
      `${setting.name}?: pulumi.Input<${settingTypes[setting.type]}>;`,
    ]),
    "}",
    "",
    comment(["Every setting, and whether it is a secret."]),
    `export const settings = ${JSON.stringify(names)} as const;`,
    "",
  ].join("\n");
}

function settingNotes(setting: Setting): readonly string[] {
  const { environment, secret, default: fallback } = setting;
  return [
    secret ? "Secret." : "",
    `Environment variable: \`${environment}\`.`,
    ...defaultTag(fallback === undefined ? undefined : String(fallback)),
  ];
}
