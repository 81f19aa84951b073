import { identity } from "../../release/owner";
import {
  capitalized,
  defaultOf,
  descriptionOf,
  inputKinds,
  type Marks,
  type Property,
  propertiesOfShape,
  remarks,
  type Shape,
} from "../properties";
import { typescriptSnippet } from "../snippets";

const WIDTH = 112;

/** The modules that programs import: for the dynamic provider, and for the native plugin. */
export const entries = { dynamic: identity.npmPackage, native: `${identity.npmPackage}/native` } as const;

/** A doc comment of the given sentences, wrapped, with tags on lines of their own. On one line when it fits. */
export function comment(sentences: readonly string[]): string {
  const isTag = (one: string): boolean => one.startsWith("@");
  const text = sentences.filter((one) => one !== "" && !isTag(one)).join(" ");
  const tags = sentences.filter(isTag).flatMap((one) => (one.includes("\n") ? escaped(one).split("\n") : wrap(one)));
  const lines = [...(text === "" ? [] : wrap(text)), ...tags];
  if (lines.length === 1) return `/** ${lines[0] ?? ""} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** The tag with the default of a property, as editors show it. None when it has no default. */
export function defaultTag(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`@default ${value}`];
}

/** The tag with the example of a resource or function, for those who import `entry`. */
export function exampleTag(name: string, entry: string): string {
  return `@example\n\`\`\`typescript\n${typescriptSnippet(name, entry)}\n\`\`\``;
}

/** The tag with the link to what the reference says of a resource or function. */
export function pageTag(name: string): string {
  return `@see {@link ${identity.repositoryUrl}/blob/HEAD/docs/reference.md#${name.toLowerCase()}}`;
}

function escaped(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of escaped(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** How a type is written: as the program passes it (each part may be an Output), or as it is given back. */
export type Form = "input" | "plain";

/** A named interface for an object within a property. */
export interface Named {
  readonly name: string;
  readonly description: string;
  readonly properties: readonly Property[];
}

/** The TypeScript type of a property. Objects get the name of their interface. */
export function typeText(owner: string, { name, shape }: Property, form: Form): string {
  return formOf(shape, form, namedType(owner, name, shape));
}

/** The interfaces that the properties of one declaration need, inner ones first. */
export function namedTypes(owner: string, properties: readonly Property[]): readonly Named[] {
  return properties.flatMap(({ name, shape }) => {
    const object = contentOf(shape) ?? shape;
    if (object.properties === undefined) return [];
    const inner = propertiesOfShape(object);
    const type = namedType(owner, name, shape);
    return [
      ...namedTypes(type, inner),
      { name: type, description: `${position(shape)} \`${name}\`.`, properties: inner },
    ];
  });
}

/** The elements of a list or a map. */
export function contentOf({ type, items, properties, additionalProperties }: Shape): Shape | undefined {
  if (type === "array") return items ?? {};
  return properties === undefined && typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function position(shape: Shape): string {
  if (shape.type === "array") return "One item of";
  return contentOf(shape) === undefined ? "The value of" : "One entry of";
}

/** `projects` of `EnvironmentBranches` is a list of `EnvironmentBranchesProject`. So are the entries of a map. */
function namedType(owner: string, name: string, shape: Shape): string {
  const one = contentOf(shape) === undefined ? name : name.replace(/s$/u, "");
  return owner + capitalized(one);
}

function formOf(shape: Shape, form: Form, named: string): string {
  const inner = plain(shape, form, named);
  return form === "input" ? `pulumi.Input<${inner}>` : inner;
}

function plain(shape: Shape, form: Form, named: string): string {
  if (shape.enum !== undefined) return shape.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (shape.properties !== undefined) return named;
  const { type, items = {}, additionalProperties } = shape;
  if (type === undefined) return "unknown";
  if (type === "array") return `(${formOf(items, form, named)})[]`;
  if (type !== "object") return type === "integer" ? "number" : type;
  return `{ [key: string]: ${formOf(typeof additionalProperties === "object" ? additionalProperties : {}, form, named)} }`;
}

/** The interfaces of objects within the properties of `owner`, each property as `member` writes it. */
export function interfaces(owner: string, properties: readonly Property[], member = plainMember): readonly string[] {
  return namedTypes(owner, properties).flatMap(({ name, description, properties: inner }) => [
    comment([description]),
    `export interface ${name} {`,
    ...inner.flatMap((property) => member(name, property)),
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
export function argument(
  owner: string,
  marks: Marks,
  property: Property,
  form: Form = "input",
  modifier: "" | "readonly " = "",
): readonly string[] {
  const { name, required, shape } = property;
  const type = (form === "plain" && shape.type === "array" ? modifier : "") + typeText(owner, property, form);
  return [
    comment([descriptionOf(property), ...remarks(marks, property), ...defaultTag(defaultOf(property))]),
    `${modifier}${name}${required ? "" : "?"}: ${type}${orUndefined(property)};`,
  ];
}

/** The values that a program may pass instead of leaving the property out. */
function orUndefined(property: Property): string {
  return inputKinds([property])[property.name] === "default" ? " | undefined" : "";
}
