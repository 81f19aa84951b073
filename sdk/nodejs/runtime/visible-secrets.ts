import * as pulumi from "@pulumi/pulumi";
import type { ResourceFacts, VisibleInput } from "../../../provider/src/framework/resource-facts";
import { visibleInputOf, visibleSecretWarning } from "../../../provider/src/framework/visible-inputs";
import type { Host } from "./host";
import { type Given, isPlainMap } from "./inputs";
import { isLater, knownValue } from "./outputs";
import { warn } from "./program-run";

/** The input that the service shows as plain text. Whether it does may depend on a flag that is known later only. */
async function visibleInput(facts: ResourceFacts, args: Given): Promise<VisibleInput | undefined> {
  const { secretUnlessFalse: flag } = facts;
  if (flag === undefined || !isLater(args[flag])) return visibleInputOf(facts, args);
  // It rejects only when the computation of the flag failed, and the resource reports that.
  const known = await knownValue(args[flag]).catch(() => undefined);
  return visibleInputOf(facts, { [flag]: known?.value });
}

/** The Pulumi secrets in an input that the service shows as plain text. */
export interface VisibleSecrets {
  readonly input: VisibleInput;
  /** The whole input, or the names of entries. */
  readonly entries: "all" | readonly string[];
}

/**
 * The Pulumi secrets that the service would show. `undefined` when there are none. A plugin, which is told which values are secret, looks for
 * them by itself where it can tell.
 */
export async function visibleSecrets(
  { plugin }: Host,
  facts: ResourceFacts,
  args: Given,
): Promise<VisibleSecrets | undefined> {
  const input = await visibleInput(facts, args);
  // An input that is always marked as secret does not show the plugin what the program marked.
  if (input === undefined || (plugin !== undefined && !facts.secrets.includes(input.name))) return undefined;
  const given = args[input.name];
  if (await isSecret(given)) return { input, entries: "all" };
  const value: unknown = given instanceof Promise ? await given.catch(() => undefined) : given;
  if (!isPlainMap(value)) return undefined;
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, entry]) => ((await isSecret(entry)) ? [name] : [])),
  );
  const names = entries.flat();
  return names.length === 0 ? undefined : { input, entries: names };
}

async function isSecret(value: unknown): Promise<boolean> {
  // It rejects only when the computation of the value failed, and the resource reports that.
  return pulumi.Output.isInstance(value) && pulumi.isSecret(value).catch(() => false);
}

/** Warns of Pulumi secrets that the service would show. State keeps them encrypted. The dashboard does not. */
export function warnOfVisibleSecrets(label: string, { input: { name, advice }, entries }: VisibleSecrets): void {
  const paths = entries === "all" ? [name] : entries.map((entry) => `${name}.${entry}`);
  for (const path of paths) warn(visibleSecretWarning(`${label}: ${path}`, advice));
}
