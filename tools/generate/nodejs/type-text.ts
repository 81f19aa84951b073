import { capitalized } from "../names";
import { type Property, propertiesOfShape, type Shape } from "../properties";

/** How a type is written: as the program passes it (each part may be an Output), or as it is given back. */
export type Form = "input" | "plain";

/** A named interface for an object within a property. */
export interface Named {
  readonly name: string;
  readonly description: string;
  readonly properties: readonly Property[];
}

/** The TypeScript type of a property; objects get the name of their interface. */
export function typeText(owner: string, { name, shape }: Property, form: Form): string {
  return text(shape, form, namedType(owner, name, shape));
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

/** What a list or a map consists of. */
export function contentOf({ type, items, properties, additionalProperties }: Shape): Shape | undefined {
  if (type === "array") return items ?? {};
  return properties === undefined && typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function position(shape: Shape): string {
  if (shape.type === "array") return "One item of";
  return contentOf(shape) === undefined ? "The value of" : "One entry of";
}

/** `projects` of `EnvironmentBranches` is a list of `EnvironmentBranchesProject`; so are the entries of a map. */
function namedType(owner: string, name: string, shape: Shape): string {
  const one = contentOf(shape) === undefined ? name : name.replace(/s$/u, "");
  return owner + capitalized(one);
}

function text(shape: Shape, form: Form, named: string): string {
  const inner = plain(shape, form, named);
  return form === "input" ? `pulumi.Input<${inner}>` : inner;
}

function plain(shape: Shape, form: Form, named: string): string {
  if (shape.enum !== undefined) return shape.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (shape.properties !== undefined) return named;
  const { items = {}, additionalProperties } = shape;
  switch (shape.type) {
    case "string":
    case "boolean":
      return shape.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${text(items, form, named)})[]`;
    case "object":
      return `{ [key: string]: ${text(typeof additionalProperties === "object" ? additionalProperties : {}, form, named)} }`;
    case undefined:
      return "unknown";
    default:
      throw new Error(`no TypeScript type for the JSON Schema type ${shape.type} of ${named}`);
  }
}
