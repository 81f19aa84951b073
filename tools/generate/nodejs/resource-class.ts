import type { Resource } from "../../../provider/src/framework/resource";
import type { ClassFacts } from "../../../sdk/nodejs/runtime/resource";
import { comment, defaultTag, entries, exampleTag } from "./comment";
import { descriptionOf, inputKinds, propertiesOf, type Property } from "../properties";
import { defaultOf, importForms, type Marks, remarks } from "../remarks";
import { type Form, namedTypes, typeText } from "./type-text";

/** The file of one resource class of the TypeScript SDK. */
export function resourceClass(resource: Resource): string {
  const { type, secrets, secretUnlessFalse, internals, exclusive, visibleInput } = resource;
  const inputs = propertiesOf(resource.inputs, "input");
  const outputs = propertiesOf(resource.state, "output");
  const shown = outputs.filter(({ name }) => !internals.includes(name));
  const facts = {
    outputs: shown.map(({ name }) => name),
    kinds: inputKinds(inputs),
    secrets,
    secretUnlessFalse,
    internals,
    exclusive,
    visibleInput,
  } satisfies ClassFacts;
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    `import { PreviewenvResource } from "../runtime/resource";`,
    "",
    comment([`What a program passes to {@link ${type}}.`]),
    `export interface ${type}Args {`,
    ...inputs.flatMap((input) => argument(type, resource, input)),
    "}",
    "",
    ...interfaces(type, shown),
    comment([resource.description, exampleTag(type, entries.dynamic)]),
    `export class ${type} extends PreviewenvResource {`,
    ...shown.flatMap((output) => member(type, output)),
    "",
    ...getter(resource),
    comment([`@throws pulumi.RunError for arguments that cannot work`]),
    `constructor(name: string, args: ${type}Args, opts?: pulumi.CustomResourceOptions) {`,
    `super(${JSON.stringify(type)}, name, args, ${JSON.stringify(facts)}, opts);`,
    "}",
    "}",
    "",
  ].join("\n");
}

/** The static method that looks at a resource, for the types that can be found by an id. */
function getter({ type, importFormat }: Resource): readonly string[] {
  if (importFormat === undefined) return [];
  return [
    comment([
      "Looks at one that exists and is managed elsewhere: nothing is written, nothing deleted.",
      `\`id\` is what an import takes: ${importForms(importFormat)}.`,
      "With `state` it is looked at as if these were its inputs; left out, its inputs are what an import would find.",
    ]),
    `public static get(name: string, id: pulumi.Input<pulumi.ID>, state?: Partial<${type}Args>, opts?: pulumi.CustomResourceOptions): ${type} {`,
    "return Reflect.construct(this, [name, { ...state }, { ...opts, id }]);",
    "}",
    "",
  ];
}

/** The interfaces of objects within the properties of `owner`. */
export function interfaces(owner: string, properties: readonly Property[]): readonly string[] {
  return namedTypes(owner, properties).flatMap(({ name, description, properties: inner }) => [
    comment([description]),
    `export interface ${name} {`,
    ...inner.flatMap((property) => plainMember(name, property)),
    "}",
    "",
  ]);
}

/** A property as it is given back, outside of an Output. */
export function plainMember(owner: string, property: Property): readonly string[] {
  const { name, required } = property;
  const type = typeText(owner, property, "plain");
  return [
    comment([descriptionOf(property)]),
    `readonly ${name}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`,
  ];
}

/** A property as a program passes it. Only what has a default may be `undefined`: for all else that is no value. */
export function argument(owner: string, marks: Marks, property: Property, form: Form = "input"): readonly string[] {
  const { name, required } = property;
  const type = typeText(owner, property, form);
  return [
    comment([descriptionOf(property), ...remarks(marks, property), ...defaultTag(defaultOf(property))]),
    `${name}${required ? "" : "?"}: ${type}${orUndefined(property)};`,
  ];
}

/** What a program may pass in place of leaving the property out. */
export function orUndefined(property: Property): string {
  return inputKinds([property])[property.name] === "default" ? " | undefined" : "";
}

function member(owner: string, output: Property): readonly string[] {
  const { name, required } = output;
  const type = typeText(owner, output, "plain");
  return [
    comment([descriptionOf(output)]),
    `declare public readonly ${name}: pulumi.Output<${type}${required ? "" : " | undefined"}>;`,
  ];
}
