import * as pulumi from "@pulumi/pulumi";
import { isMarker } from "../../../provider/src/env-vars/placeholder";
import type { ResourceFacts } from "../../../provider/src/framework/resource-facts";
import type * as Settings from "../../../provider/src/framework/settings";
import { secretHint, visibleInputOf, visibleSecretWarning } from "../../../provider/src/framework/visible-inputs";
import type { Host } from "./host";
import { type Given, isPlainMap } from "./inputs";
import { knownValue } from "./outputs";
import { warn } from "./program-run";
import { settingsOf } from "./provider";

const SETTING = "secretHints";

/**
 * Warns of Pulumi secrets that the service would show. State keeps them encrypted. The dashboard does not. A plugin, which is
 * told which values are secret, warns by itself where it can tell.
 */
export function warnOfVisibleSecrets(label: string, facts: ResourceFacts, args: Given, { plugin }: Host): void {
  const visible = visibleInputOf(facts, args);
  // An input that is always marked as secret does not show the plugin what the program marked.
  if (visible === undefined || (plugin !== undefined && !facts.secrets.includes(visible.name))) return;
  const { name: input, advice } = visible;
  const value = args[input];
  const values: readonly (readonly [string, unknown])[] = isPlainMap(value)
    ? Object.entries(value).map(([name, entry]) => [`${input}.${name}`, entry])
    : [[input, value]];
  for (const [path, shown] of values)
    if (pulumi.Output.isInstance(shown))
      // It rejects only when the computation of the value failed, and the resource reports that.
      pulumi.isSecret(shown).then(
        (secret) => secret && warn(visibleSecretWarning(`${label}: ${path}`, advice)),
        () => undefined,
      );
}

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
  if (!pulumi.runtime.isDryRun()) return;
  const exception = "pass it as `pulumi.output(...)`";
  const hint = secretHint({ label, facts, isPlain: (text) => !isMarker(text), exception }, args);
  if (hint !== undefined) warnUnlessOff(hint, provider).catch(() => undefined);
}

async function warnUnlessOff(hint: string, provider: pulumi.ProviderResource | undefined): Promise<void> {
  const setting = (await knownValue(settingsOf(provider)))?.value[SETTING];
  // It needs zod, which a program loads only when there is something to say.
  const { isOn }: typeof Settings = require("../../../provider/src/framework/settings");
  if (isOn(SETTING, setting, process.env)) warn(hint);
}
