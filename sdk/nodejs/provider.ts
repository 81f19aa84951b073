import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "./provider-args";
import { type GivenSettings, settingsFrom } from "./settings";
import { warnPlainToken } from "./stack-config";

const settingsOf = new WeakMap<object, pulumi.Output<GivenSettings>>();

/**
 * Settings for the resources and functions that it is given to as `provider`, such as a second organization's token.
 * What it is not given it takes from stack config; environment variables are read by the provider process itself.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const given = settingsFrom(args);
    const config = Object.entries(given).map(([setting, value]) => [`previewenv:${setting}`, value]);
    super("pulumi-nodejs", name, Object.fromEntries(config), opts);
    warnPlainToken();
    settingsOf.set(this, pulumi.output(given));
  }
}

/** What a provider was given, for the functions; `undefined` when it is no {@link Provider}. */
export function settingsOfProvider(provider: object): pulumi.Output<GivenSettings> | undefined {
  return settingsOf.get(provider);
}
