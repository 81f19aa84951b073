import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { capitalized } from "../names";
import { propertiesOf } from "../properties";
import { functionText } from "./documentation";
import type { NamedTypes } from "./named-types";
import { type ObjectSpec, record } from "./property-spec";
import { defaultOf, required } from "./resource-spec";

/** A function in a Pulumi schema. */
export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

/** A function as other languages see it; each answer of one that is a secret is one. */
export function functionSpec(declaration: PreviewenvFunction, types: NamedTypes): FunctionSpec {
  const owner = capitalized(declaration.name);
  const inputs = propertiesOf(declaration.inputs, "input");
  const outputs = propertiesOf(declaration.outputs, "output");
  return {
    description: functionText(declaration),
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
