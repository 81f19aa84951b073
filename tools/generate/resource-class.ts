import type { Resource } from "../../provider/src/framework/resource";
import { comment } from "./comment";
import { propertiesOf, type Property } from "./properties";
import { namedTypes, typeText } from "./type-text";

/** What a declaration says about some of its properties. */
export type Marks = Pick<Resource, "secrets" | "replaceOnChanges"> & Partial<Pick<Resource, "secretUnlessFalse">>;

/** What is worth knowing about a property beyond its description, as sentences. */
export function remarks(
  { secrets, secretUnlessFalse, replaceOnChanges }: Marks,
  { name, shape }: Property,
): readonly string[] {
  return [
    shape.default === undefined ? "" : `Default: \`${JSON.stringify(shape.default)}\`.`,
    secrets.includes(name) ? secrecy(secretUnlessFalse) : "",
    replaceOnChanges.includes(name) ? "Changing it replaces the resource." : "",
  ].filter((one) => one !== "");
}

function secrecy(unlessFalse: string | undefined): string {
  return unlessFalse === undefined
    ? "Always a Pulumi secret."
    : `A Pulumi secret, unless \`${unlessFalse}\` is \`false\`.`;
}

/** `EnvVarSet` lives in `env-var-set`, in every folder. */
export function fileName(type: string): string {
  return type.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-").toLowerCase();
}

/** The header of every generated file. */
export function header(source: string): string {
  return `// Generated from provider/src/${source} by \`npm run generate\`. Do not edit.\n`;
}

/** The file of one resource class of the TypeScript SDK. */
export function resourceClass(resource: Resource): string {
  const { type, secrets, secretUnlessFalse, internals } = resource;
  const inputs = propertiesOf(resource.inputs, "input");
  const outputs = propertiesOf(resource.state, "output");
  const shown = outputs.filter(({ name }) => !internals.includes(name));
  const facts = {
    outputs: outputs.map(({ name }) => name),
    secrets,
    ...(secretUnlessFalse && { secretUnlessFalse }),
    internals,
  };
  return [
    header(`resources/${fileName(type)}.ts`),
    `import type * as pulumi from "@pulumi/pulumi";`,
    `import { PreviewenvResource } from "../runtime/resource";`,
    "",
    comment([`What a program passes to {@link ${type}}.`]),
    `export interface ${type}Args {`,
    ...inputs.flatMap((input) => argument(resource, input)),
    "}",
    "",
    ...interfaces(type, shown),
    comment([resource.description]),
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
      `\`id\` is what an import takes: ${importFormat
        .split(" or ")
        .map((one) => `\`${one}\``)
        .join(" or ")}.`,
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
  const { name, required, shape } = property;
  const described = shape.description === undefined ? [] : [comment([shape.description])];
  const type = typeText(owner, property, "plain");
  return [...described, `readonly ${name}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`];
}

function argument(resource: Resource, input: Property): readonly string[] {
  const { name, required, shape } = input;
  const type = typeText(resource.type, input, "input");
  return [
    comment([shape.description ?? "", ...remarks(resource, input)]),
    `${name}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`,
  ];
}

function member(owner: string, output: Property): readonly string[] {
  const { name, required, shape } = output;
  const type = typeText(owner, output, "plain");
  return [
    comment([shape.description ?? ""]),
    `declare public readonly ${name}: pulumi.Output<${type}${required ? "" : " | undefined"}>;`,
  ];
}
