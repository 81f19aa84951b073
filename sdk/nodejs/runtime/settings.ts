import * as pulumi from "@pulumi/pulumi";
import type * as Settings from "../../../provider/src/framework/settings";
import { settings } from "../generated/provider-args";
import { failing } from "./failure";
import type { Host } from "./host";
import { perRun, warn } from "./program-run";

const NAMESPACE = "previewenv";
const TOKEN = `${NAMESPACE}:apiToken`;

/** Settings by name, as text. What is not set is absent. */
export type GivenSettings = Readonly<Record<string, string | undefined>>;

/** The settings that are given, and those of stack config for the others. Secret ones are secret, wherever from. */
export function settingsFrom(
  args: Readonly<Record<string, unknown>>,
): Record<string, pulumi.Output<string | undefined>> {
  const config = new pulumi.Config(NAMESPACE);
  const all = settings.flatMap(({ name, secret }) => {
    const given = args[name];
    const fallback = config.get(name);
    if (given === undefined && fallback === undefined) return [];
    const text = given === undefined ? pulumi.output(fallback) : failing(pulumi.output(given)).apply(String);
    return [[name, secret ? failing(pulumi.secret(text)) : text] as const];
  });
  return Object.fromEntries(all);
}

/** Warns, once per program, of what is wrong with the settings in stack config. */
export function warnOfConfig(host: Host): void {
  warnOfPlainToken();
  // The plugin does so by itself, in every language.
  if (host.plugin === undefined) warnOfUnknownConfig();
}

const warnOfPlainToken = perRun(() => {
  // Not part of the SDK's types. Without this function nothing is known, and no warning is given.
  const isSecret: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  if (!(TOKEN in pulumi.runtime.allConfig()) || typeof isSecret !== "function" || isSecret(TOKEN) === true) return;
  warn(`${TOKEN} is in the stack's config as plain text: run \`pulumi config set --secret ${TOKEN} <value>\`.`);
});

/** Warns, once per program, of keys in stack config that are no settings. */
export const warnOfUnknownConfig = perRun(() => {
  const prefix = `${NAMESPACE}:`;
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(prefix));
  const names = keys.map((key) => key.slice(prefix.length));
  warnOfUnknown(names, prefix);
});

/** Warns of names that no setting has. `prefix` stands before each name, `label` before the text. */
export function warnOfUnknown(settingNames: readonly string[], prefix: string, label = ""): void {
  const names: readonly string[] = settings.map(({ name }) => name);
  if (settingNames.every((name) => names.includes(name))) return;
  // It needs zod, which a program loads only when there is something to say.
  const { unknownSettings }: typeof Settings = require("../../../provider/src/framework/settings");
  for (const text of unknownSettings(settingNames, names, prefix)) warn(label + text);
}
