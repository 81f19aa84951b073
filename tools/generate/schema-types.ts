import type { ComplexType, Property as PropertySpec, Type } from "@pulumi/pulumi/provider/experimental/schema";
import { namedTypes } from "./nodejs/text";
import { capitalized, descriptionOf, type Property, type Shape, valueDescription } from "./properties";

/** The named types of a schema, as they come up: one for each object and each enum within a property. */
export interface NamedTypes {
  /** The property as the schema has it. `owner` is the resource or function, for the names of objects. */
  property(owner: string, property: Property): PropertySpec;
  /** Every type so far, by token. */
  all(): Readonly<Record<string, ComplexType>>;
}

/**
 * Types whose tokens start with `prefix`, such as `previewenv:index:`. An enum has the name of its property and is
 * shared by all that have the same values. An object has the name of the interface of the TypeScript SDK.
 */
export function collectTypes(prefix: string): NamedTypes {
  const types = new Map<string, ComplexType>();

  return {
    property: specOf,
    all: () => Object.fromEntries([...types].toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };

  function specOf(owner: string, property: Property): PropertySpec {
    const [outer] = namedTypes(owner, [property]).slice(-1);
    if (outer !== undefined) {
      const { name, description, properties } = outer;
      const inner = properties.map((one) => [one.name, specOf(name, one)] as const);
      const required = properties.filter((one) => one.required).map((one) => one.name);
      add(name, { description, type: "object", properties: Object.fromEntries(inner), required });
    }
    return { description: descriptionOf(property), ...typeOf(property.shape, property.name, outer?.name) };
  }

  function typeOf(shape: Shape, name: string, object: string | undefined): Type {
    if (shape.enum !== undefined) return reference(addEnum(name, shape));
    if (shape.properties !== undefined && object !== undefined) return reference(object);
    const { type, items = {}, additionalProperties } = shape;
    if (type === "array") return { type, items: typeOf(items, name, object) };
    if (type === "object") {
      const entry = typeof additionalProperties === "object" ? additionalProperties : {};
      return { type, additionalProperties: typeOf(entry, name, object) };
    }
    return type === undefined ? { $ref: "pulumi.json#/Any" } : { type };
  }

  function addEnum(property: string, shape: Shape): string {
    const name = capitalized(property);
    const members = (shape.enum ?? []).map((value) => ({
      name: capitalized(value),
      value,
      description: valueDescription(shape, value),
    }));
    add(name, { description: `What \`${property}\` can be.`, type: "string", enum: members });
    return name;
  }

  function add(name: string, spec: ComplexType): void {
    const token = prefix + name;
    const known = types.get(token);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec))
      throw new Error(`two different types would be named ${token}: rename a property of one of the two declarations`);
    types.set(token, spec);
  }

  function reference(name: string): Type {
    return { $ref: `#/types/${prefix}${name}` };
  }
}
