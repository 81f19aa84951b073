import { isMap, type Properties } from "../../provider/src/framework/properties";
import type { Declared } from "./engine-steps";

/** What state holds of resources, by name. */
export type State = ReadonlyMap<string, { readonly outputs: Properties }>;

/** Inputs with the outputs that they name. */
export function resolved(declared: Declared, state: State): Declared {
  return { ...declared, inputs: resolvedMap(declared.inputs, state) };
}

function resolvedMap(map: Properties, state: State): Properties {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, resolvedValue(value, state)]));
}

function resolvedValue(value: unknown, state: State): unknown {
  if (Array.isArray(value)) return value.map((item) => resolvedValue(item, state));
  if (!isMap(value)) return value;
  const output = outputOf(value);
  return output === undefined ? resolvedMap(value, state) : state.get(output[0])?.outputs[output[1]];
}

/** Names of the resources whose outputs an input names. */
export function dependenciesOf({ inputs }: Declared): readonly string[] {
  const find = (value: unknown): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap(find);
    if (!isMap(value)) return [];
    const output = outputOf(value);
    return output === undefined ? Object.values(value).flatMap(find) : [output[0]];
  };
  return [...new Set(find(inputs))];
}

function outputOf(value: Record<string, unknown>): readonly [string, string] | undefined {
  const output = value["$output"];
  if (!Array.isArray(output)) return undefined;
  const [name, property] = output;
  return typeof name === "string" && typeof property === "string" ? [name, property] : undefined;
}
