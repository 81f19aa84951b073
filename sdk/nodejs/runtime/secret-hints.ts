import * as pulumi from "@pulumi/pulumi";
import { isMarker } from "../../../provider/src/env-vars/placeholder";
import type { ResourceFacts } from "../../../provider/src/framework/resource-facts";
import { secretHint } from "../../../provider/src/framework/secret-hints";
import type * as Settings from "../../../provider/src/framework/settings";
import { type Given, isPlainMap } from "./arguments";
import { knownValue } from "./known-value";
import { settingsOfProvider } from "./provider";
import { stackConfig } from "./stack-config";

const SETTING = "secretHints";

/**
 * Warns in a preview of plain texts that read like secrets, where the service would show them. Only the program knows what is
 * plain text: an Output says that its value is no secret.
 */
export function hintAtSecrets(
  label: string,
  facts: ResourceFacts,
  args: Given,
  provider: pulumi.ProviderResource | undefined,
): void {
  const input = facts.visibleInput?.name;
  if (!pulumi.runtime.isDryRun() || input === undefined || !hasPlainText(args[input])) return;
  const exception = "pass it as `pulumi.output(...)`";
  const hint = secretHint({ label, facts, isPlain: (value) => !isMarker(value), exception }, args);
  if (hint !== undefined) warnUnlessOff(hint, provider).catch(() => undefined);
}

function hasPlainText(value: unknown): boolean {
  return typeof value === "string" || isPlainMap(value);
}

async function warnUnlessOff(hint: string, provider: pulumi.ProviderResource | undefined): Promise<void> {
  const settings = provider && settingsOfProvider(provider);
  const given = settings === undefined ? stackConfig().get(SETTING) : (await knownValue(settings))?.value[SETTING];
  // It needs zod, which a program loads only when there is something to say.
  const { isOn }: typeof Settings = require("../../../provider/src/framework/settings");
  if (isOn(SETTING, given, process.env)) await pulumi.log.warn(hint);
}
