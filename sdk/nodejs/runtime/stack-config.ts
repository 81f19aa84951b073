import * as pulumi from "@pulumi/pulumi";
import type * as UnknownSettings from "../../../provider/src/framework/settings";
import type { Host } from "./host";
import { settings } from "../generated/provider-args";
import { perRun } from "./program-run";

const NAMESPACE = "previewenv";
const TOKEN = "apiToken";
const tokenWarning = perRun(() => ({ given: false }));
const unknownWarning = perRun(() => ({ given: false }));

/** Stack config of the provider: `previewenv:<name>`. */
export function stackConfig(): pulumi.Config {
  return new pulumi.Config(NAMESPACE);
}

/** Warns, once per program, of what is wrong with the settings in stack config. */
export function warnOfConfig(host: Host): void {
  warnPlainToken();
  // The plugin does so by itself, in every language.
  if (host.plugin === undefined) warnUnknownSettings();
}

/** Warns, once per program, of keys in stack config that are no settings. */
export function warnUnknownSettings(): void {
  const once = unknownWarning();
  if (once.given) return;
  once.given = true;
  const prefix = `${NAMESPACE}:`;
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(prefix));
  const names = keys.map((key) => key.slice(prefix.length));
  warnUnknown(names, prefix);
}

/** Warns of names that no setting has. `prefix` stands before each name, `label` before the text. */
export function warnUnknown(given: readonly string[], prefix: string, label = ""): void {
  const names = settings.map(({ name }) => name);
  const known: ReadonlySet<string> = new Set(names);
  if (given.every((name) => known.has(name))) return;
  const { unknownSettings }: typeof UnknownSettings = require("../../../provider/src/framework/settings");
  for (const text of unknownSettings(given, names, prefix)) pulumi.log.warn(label + text).catch(() => undefined);
}

function warnPlainToken(): void {
  const once = tokenWarning();
  if (once.given) return;
  once.given = true;
  const key = `${NAMESPACE}:${TOKEN}`;
  if (stackConfig().get(TOKEN) === undefined || isConfigSecret(key)) return;
  const text = `${key} is in the stack's config as plain text: run \`pulumi config set --secret ${key} <value>\`.`;
  pulumi.log.warn(text).catch(() => undefined);
}

/** Not part of the SDK's types. Without this function nothing is known, and no warning is given. */
function isConfigSecret(key: string): boolean {
  const runtime: object = pulumi.runtime;
  return (
    !("isConfigSecret" in runtime) ||
    typeof runtime.isConfigSecret !== "function" ||
    runtime.isConfigSecret(key) === true
  );
}
