import type { Resource } from "../../../provider/src/framework/resource";
import { descriptionOf, propertiesOf, type Property } from "../properties";
import { documentation, importText } from "./documentation";
import type { NamedTypes } from "./named-types";
import { record, type PropertySpec } from "./property-spec";

/**
 * A resource as other languages see it. What it keeps for itself (`internals`) is state without being an output: the
 * engine stores what the provider answers, declared or not.
 */
export function resourceSpec(resource: Resource, types: NamedTypes) {
  const inputs = propertiesOf(resource.inputs, "input");
  const outputs = propertiesOf(resource.state, "output").filter(({ name }) => !resource.internals.includes(name));
  return {
    description: documentation(resource.type, resource.description, importText(resource)),
    properties: record(outputs, (output) => ({
      ...types.property(resource.type, output),
      ...secrecy(resource, output),
    })),
    required: required(outputs),
    inputProperties: record(inputs, (input) => inputSpec(resource, input, types)),
    requiredInputs: required(inputs),
    // A stack that was made with the dynamic provider goes on with this one, in any language, and replaces nothing.
    aliases: [{ type: `pulumi-nodejs:dynamic/previewenv:${resource.type}` }],
  };
}

/** Names of the properties that are always there. */
export function required(properties: readonly Property[]): readonly string[] {
  return properties.filter((property) => property.required).map(({ name }) => name);
}

/** The default of a property, where it has one. */
export function defaultOf({ shape }: Property): Pick<PropertySpec, "default"> {
  return shape.default === undefined ? {} : { default: shape.default };
}

function inputSpec(resource: Resource, input: Property, types: NamedTypes): PropertySpec {
  return {
    ...types.property(resource.type, input),
    ...defaultOf(input),
    ...secrecy(resource, input),
    ...(resource.replaceOnChanges.includes(input.name) && { willReplaceOnChanges: true }),
  };
}

/** A schema knows no condition: what is a secret unless an input says otherwise is one always, in the SDKs. */
function secrecy(
  { secrets, secretUnlessFalse }: Resource,
  property: Property,
): Pick<PropertySpec, "description" | "secret"> {
  if (!secrets.includes(property.name)) return {};
  if (secretUnlessFalse === undefined) return { secret: true };
  return { description: `${descriptionOf(property)} In this SDK it is always a secret.`, secret: true };
}
