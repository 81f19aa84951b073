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
    const object = shape.type === "array" ? (shape.items ?? {}) : shape;
    if (object.properties === undefined) return [];
    const inner = propertiesOfShape(object);
    const type = namedType(owner, name, shape);
    const description = shape.type === "array" ? `One item of \`${name}\`.` : `The value of \`${name}\`.`;
    return [...namedTypes(type, inner), { name: type, description, properties: inner }];
  });
}

/** `projects` of `EnvironmentBranches` is a list of `EnvironmentBranchesProject`. */
function namedType(owner: string, name: string, shape: Shape): string {
  const one = shape.type === "array" ? name.replace(/s$/u, "") : name;
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
