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

/** Which entries of the input that the service shows are Pulumi secrets. `undefined` when none is. */
export async function visibleSecrets(
  facts: ResourceFacts,
  args: Given,
): Promise<"all" | readonly string[] | undefined> {
  const visible = await visibleInput(facts, args);
  if (visible === undefined) return undefined;
  const given = args[visible.name];
  if (await isSecret(given)) return "all";
  const value: unknown = given instanceof Promise ? await given.catch(() => undefined) : given;
  if (!isPlainMap(value)) return undefined;
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, entry]) => ((await isSecret(entry)) ? [name] : [])),
  );
  const names = entries.flat();
  return names.length === 0 ? undefined : names;
}

async function isSecret(value: unknown): Promise<boolean> {
  // It rejects only when the computation of the value failed, and the resource reports that.
  return pulumi.Output.isInstance(value) && pulumi.isSecret(value).catch(() => false);
}

/**
 * Warns of Pulumi secrets that the service would show. State keeps them encrypted. The dashboard does not. A plugin, which is
 * told which values are secret, warns by itself where it can tell.
 */
export async function warnOfVisibleSecrets(
  label: string,
  facts: ResourceFacts,
  args: Given,
  { plugin }: Host,
): Promise<void> {
  const visible = await visibleInput(facts, args);
  // An input that is always marked as secret does not show the plugin what the program marked.
  if (visible === undefined || (plugin !== undefined && !facts.secrets.includes(visible.name))) return;
  const { name: input, advice } = visible;
  const secrets = await visibleSecrets(facts, args);
  const paths = secrets === "all" ? [input] : (secrets ?? []).map((name) => `${input}.${name}`);
  for (const path of paths) warn(visibleSecretWarning(`${label}: ${path}`, advice));
}
