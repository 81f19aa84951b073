import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { capitalized } from "../names";
import { propertiesOf } from "../properties";
import { documentation } from "./documentation";
import type { NamedTypes } from "./named-types";
import { record } from "./property-spec";
import { defaultOf, required } from "./resource-spec";

/** A function as other languages see it; each answer of one that is a secret is one. */
export function functionSpec(declaration: PreviewenvFunction, types: NamedTypes) {
  const owner = capitalized(declaration.name);
  const inputs = propertiesOf(declaration.inputs, "input");
  const outputs = propertiesOf(declaration.outputs, "output");
  return {
    description: documentation(declaration.name, declaration.description),
    inputs: {
      type: "object",
      properties: record(inputs, (input) => ({ ...types.property(owner, input), ...defaultOf(input) })),
      required: required(inputs),
    },
    outputs: {
      type: "object",
      properties: record(outputs, (output) => ({
        ...types.property(owner, output),
        ...(declaration.secret && { secret: true }),
      })),
      required: required(outputs),
    },
  };
}
