import type { Component } from "../../../provider/src/framework/component";
import { propertiesOf, type Property } from "../properties";
import { documentation } from "./documentation";
import type { NamedTypes } from "./named-types";
import { type PropertySpec, record, type TypeSpec } from "./property-spec";
import { defaultOf, required } from "./resource-spec";

/** A component as other languages see it: the plugin makes its children. */
export function componentSpec(component: Component, types: NamedTypes) {
  const { type, plain } = component;
  const inputs = propertiesOf(component.inputs, "input");
  const outputs = propertiesOf(component.outputs, "output");
  const inputSpec = (input: Property): PropertySpec => {
    const spec = { ...types.property(type, input), ...defaultOf(input) };
    return plain.includes(input.name) ? { ...spec, ...asPlain(spec) } : spec;
  };
  return {
    isComponent: true,
    description: documentation(type, component.description),
    properties: record(outputs, (output) => types.property(type, output)),
    required: required(outputs),
    inputProperties: record(inputs, inputSpec),
    requiredInputs: required(inputs),
  };
}

/** The entries of a plain map are plain too: their names decide which children there are. What they hold may be Outputs. */
function asPlain({ additionalProperties }: TypeSpec): Pick<TypeSpec, "additionalProperties" | "plain"> {
  return {
    plain: true,
    ...(additionalProperties && { additionalProperties: { ...additionalProperties, plain: true } }),
  };
}
