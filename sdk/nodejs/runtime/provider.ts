import * as pulumi from "@pulumi/pulumi";
import { type ProviderArgs, settings } from "../generated/provider-args";
import { failing } from "./failure";
import { type Host, packageOf, pluginOptions, refuseForeignProvider } from "./host";
import { checkArgs, markSecrets } from "./inputs";
import { type GivenSettings, settingsFrom, warnOfConfig, warnOfUnknown, warnOfUnknownConfig } from "./settings";

/** An empty text is no value of a setting: `process.env.SECOND_TOKEN ?? ""`. */
const kinds = Object.fromEntries(settings.map(({ name }) => [name, "setting"] as const));
const settingsOf = new WeakMap<object, pulumi.Output<GivenSettings>>();

/**
 * Settings for some resources and functions of a program, such as the token of a second organization. Pass it to them as
 * the option `provider`. A setting that is left out comes from stack config, or else from its environment variable,
 * which the provider reads.
 */
export class Provider extends pulumi.ProviderResource {
  /** What serves the resources that it is given to. */
  protected static readonly host: Host;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const { host } = new.target;
    const label = `Provider ${JSON.stringify(name)}`;
    // A setting that stands here without a value would silently be that of stack config: another organization's token.
    const ownSettings = settingsFrom(markSecrets(checkArgs(label, args, kinds), []));
    const config = Object.entries(ownSettings).map(([setting, value]) => [host.settingPrefix + setting, value]);
    super(host.providerPackage, name, Object.fromEntries(config), pulumi.mergeOptions(opts, pluginOptions(host, opts)));
    warnOfConfig(host);
    // It takes settings that it is not given from stack config, and the plugin sees only what it is given here.
    warnOfUnknownConfig();
    warnOfUnknown(Object.keys(args), "", `previewenv.Provider ${JSON.stringify(name)}: `);
    settingsOf.set(this, failing(pulumi.output(ownSettings)));
  }
}

/** What a provider was given, for the functions. `undefined` when it is no {@link Provider}. */
export function settingsOfProvider(provider: object): pulumi.Output<GivenSettings> | undefined {
  return settingsOf.get(provider);
}

/**
 * Refuses the options of a component that has a {@link Provider}, and none for the host of its children. They would
 * otherwise be made with other settings, without an error.
 * @throws pulumi.RunError
 */
export function refuseOtherHosts(label: string, host: Host, opts: pulumi.ComponentResourceOptions): void {
  const own = [opts.provider, ...Object.values(opts.providers ?? {})].filter(
    (provider) => provider && settingsOf.has(provider),
  );
  if (!own.some((provider) => packageOf(provider) === host.providerPackage)) refuseForeignProvider(label, host, own[0]);
}
