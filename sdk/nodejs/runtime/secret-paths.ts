import * as pulumi from "@pulumi/pulumi";
import type { Path } from "../../../provider/src/framework/properties";
import { type Given, isPlainMap } from "./inputs";

/** The paths of the Pulumi secrets within these arguments. `undefined` when there are none. */
export async function secretPaths(args: Given, names: readonly string[]): Promise<readonly Path[] | undefined> {
  const found = await Promise.all(names.map((name) => pathsWithin(args[name], [name])));
  const paths = found.flat();
  return paths.length === 0 ? undefined : paths;
}

async function pathsWithin(value: unknown, path: Path): Promise<readonly Path[]> {
  // An Output or a Promise rejects only when the computation of its value failed, and the resource reports that.
  if (pulumi.Output.isInstance(value)) return (await pulumi.isSecret(value).catch(() => false)) ? [path] : [];
  const known: unknown = value instanceof Promise ? await value.catch(() => undefined) : value;
  if (!Array.isArray(known) && !isPlainMap(known)) return [];
  const found = await Promise.all(Object.entries(known).map(([name, item]) => pathsWithin(item, [...path, name])));
  return found.flat();
}
