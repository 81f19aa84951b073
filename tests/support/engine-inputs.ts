import { isDeepStrictEqual } from "node:util";
import { isMap, type Properties } from "../../provider/src/framework/properties";
import type { Declared } from "./engine-steps";

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
