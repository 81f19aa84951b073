import { isDeepStrictEqual } from "node:util";
import { isMap, type Properties } from "../../provider/src/framework/properties";
import type { Declared, Stored } from "./engine-steps";
import { type Provider, ProviderFailure } from "./host";

/** The engine puts old inputs in the place of ignored ones, before the provider sees them. */
export function ignoring(
  { inputs, ignoreChanges = [] }: Pick<Declared, "inputs" | "ignoreChanges">,
  olds: Properties,
): Properties {
  return ignoreChanges.reduce((news, path) => replacing(news, olds, path.split(".")), inputs);
}

function replacing(news: Properties, olds: Properties, path: readonly string[]): Properties {
  const [head = "", ...rest] = path;
  const { [head]: current, ...others } = news;
  const old = Object.hasOwn(olds, head) ? olds[head] : undefined;
  if (rest.length === 0) return old === undefined ? others : { ...others, [head]: old };
  if (!isMap(current) || !isMap(old)) return news;
  return { ...others, [head]: replacing(current, old, rest) };
}

/** Paths that differ, as the engine finds them in inputs: names that begin with two underscores are passed over. */
export function differences(olds: unknown, news: unknown, path: readonly string[] = []): readonly string[] {
  if (isDeepStrictEqual(olds, news)) return [];
  if (!isMap(olds) || !isMap(news)) return [path.join(".")];
  const keys = new Set([...Object.keys(olds), ...Object.keys(news)]);
  return [...keys]
    .filter((key) => !key.startsWith("__"))
    .flatMap((key) => differences(own(olds, key), own(news, key), [...path, key]))
    .toSorted();
}

function own(map: Properties, key: string): unknown {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return value === null ? undefined : value;
}

export type State = ReadonlyMap<string, { readonly outputs: Properties }>;

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

/** Names of the resources that it depends on, or whose outputs an input names. */
export function dependenciesOf({ inputs, dependsOn = [] }: Declared): readonly string[] {
  const find = (value: unknown): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap(find);
    if (!isMap(value)) return [];
    const output = outputOf(value);
    return output === undefined ? Object.values(value).flatMap(find) : [output[0]];
  };
  return [...new Set([...dependsOn, ...find(inputs)])];
}

function outputOf(value: Record<string, unknown>): readonly [string, string] | undefined {
  const output = value["$output"];
  if (!Array.isArray(output)) return undefined;
  const [name, property] = output;
  return typeof name === "string" && typeof property === "string" ? [name, property] : undefined;
}

/** Reads what a program only looks at, in each run: state has what the program gave as its inputs. `undefined` when it could not be read. */
export async function lookedUp(
  provider: Provider,
  errors: string[],
  name: string,
  { type, inputs, lookUp = "" }: Declared,
): Promise<Stored | undefined> {
  try {
    const found = await provider.lookUp(type, lookUp, inputs, { name });
    if (found === undefined) throw new ProviderFailure(`resource '${lookUp}' does not exist`);
    const { id, outputs } = found;
    return { type, id, inputs, outputs, initErrors: [], dependencies: [], isExternal: true };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    errors.push(error.message);
    return undefined;
  }
}
