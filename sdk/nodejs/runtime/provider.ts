import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../../provider/src/framework/properties";
import type * as Settings from "../../../provider/src/framework/settings";
import { type ProviderArgs, settings } from "../generated/provider-args";
import { failing } from "./program-failure";
import { type Host, packageOf, refuseForeignProvider } from "./host";
import { checkArgs, markSecrets } from "./checked-arguments";
import { perRun, warn } from "./program-run";

const NAMESPACE = "previewenv";
const TOKEN = `${NAMESPACE}:apiToken`;

/** Settings by name, as text. A setting without a value is absent. */
export type GivenSettings = Readonly<Record<string, string | undefined>>;

/** An empty text is no value of a setting: `process.env.SECOND_TOKEN ?? ""`. */
const kinds = Object.fromEntries(settings.map(({ name }) => [name, "setting"] as const));
type OwnSettings = Readonly<Record<string, pulumi.Output<string | undefined>>>;
/**
 * The settings of each Provider. A component with its own copy of this package must not use another service's token. No property of the
 * Provider: Pulumi cannot serialize a function that captures one with a symbol as key.
 */
const ownSettings = sharedSettings();

/**
 * Settings for some resources and functions of a program, such as the token of a second organization. Pass it to them as
 * the option `provider`. A setting that you leave out comes from stack config, or else from its environment variable.
 */
export class Provider extends pulumi.ProviderResource {
  /** The provider of the resources that it is passed to. */
  protected static readonly host: Host;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const { host } = new.target;
    const label = `Provider ${JSON.stringify(name)}`;
    // A setting that stands here without a value would silently be that of stack config: another organization's token.
    const own = withConfig(markSecrets(checkArgs(label, args, kinds), []));
    const config = Object.entries(own).map(([setting, value]) => [host.settingPrefix + setting, value]);
    super(host.providerPackage, name, Object.fromEntries(config), { ...host.plugin, ...opts });
    warnOfConfig(host);
    // It takes settings that it is not given from stack config, and the plugin sees only what it is given here.
    warnOfUnknownConfig();
    warnOfUnknown(Object.keys(args), "", `previewenv.Provider ${JSON.stringify(name)}: `);
    ownSettings.set(this, own);
  }
}

/** The map that all copies of this package in a process share: a component may have been installed with its own. */
function sharedSettings(): WeakMap<object, OwnSettings> {
  const key = Symbol.for("pulumi-previewenv.settings");
  const found: unknown = Reflect.get(globalThis, key);
  if (found instanceof WeakMap) return found;
  const made = new WeakMap<object, OwnSettings>();
  Object.defineProperty(globalThis, key, { value: made });
  return made;
}

/** The settings that are given, and those of stack config for the others. Secret ones are secret, wherever from. */
function withConfig(args: Properties): Record<string, pulumi.Output<string | undefined>> {
  const config = new pulumi.Config(NAMESPACE);
  const all = settings.flatMap(({ name, secret }) => {
    const value = args[name] ?? config.get(name);
    // An empty text of stack config counts as not set. In a Provider, the plugin refuses it.
    if (value === undefined || value === "") return [];
    const known = failing(pulumi.output(value)).apply(String);
    const text = name === "baseUrl" ? known.apply(hideCredentials) : known;
    return [[name, secret ? failing(pulumi.secret(text)) : text] as const];
  });
  return Object.fromEntries(all);
}

/** `parseBaseUrl` refuses an address with credentials, a query or a fragment. The engine shows the inputs of a provider before that. */
function hideCredentials(baseUrl: string): pulumi.Output<string> {
  return /[@?#]/u.test(baseUrl) ? pulumi.secret(baseUrl) : pulumi.output(baseUrl);
}

/** Whether it is a {@link Provider}, of either host. */
export function isProvider(candidate: unknown): candidate is Provider {
  return typeof candidate === "object" && candidate !== null && ownSettings.has(candidate);
}

/** The settings of a {@link Provider}, else those of stack config. */
export function settingsOf(provider: object | undefined): pulumi.Output<GivenSettings> {
  return failing(pulumi.output((provider && ownSettings.get(provider)) ?? withConfig({})));
}

/** The {@link Provider} of a resource or a function with these options: its own, else the one of a component above it. */
export function providerOf(host: Host, { provider, parent }: pulumi.InvokeOptions): Provider | undefined {
  // Not part of the SDK's types. A component may have the Provider under a name that is not the one of its package: the engine gives
  // it to the children, so a look-up must not go to another service.
  const inherited: unknown = parent && Reflect.get(parent, "__providers");
  return (provider ? [provider] : Object.values(inherited ?? {}))
    .filter(isProvider)
    .find((candidate) => packageOf(candidate) === host.providerPackage);
}

/** The service of a {@link Provider}, else that of the program, as one text for all spellings of its address. */
export function serviceOf(provider: Provider | undefined): string | pulumi.Output<string> {
  const { baseUrl } = (provider && ownSettings.get(provider)) ?? {};
  return baseUrl === undefined ? serviceAt(new pulumi.Config(NAMESPACE).get("baseUrl")) : baseUrl.apply(serviceAt);
}

function serviceAt(baseUrl = process.env["PREVIEWENV_BASE_URL"] ?? ""): string {
  return (URL.parse(baseUrl)?.href ?? baseUrl).replace(/\/+$/u, "");
}

/**
 * Refuses the options of a component that has a {@link Provider}, and none for the host of its children. They would
 * otherwise be made with other settings, without an error.
 * @throws pulumi.RunError
 */
export function refuseOtherHosts(label: string, host: Host, opts: pulumi.ComponentResourceOptions): void {
  const own = [opts.provider, ...Object.values(opts.providers ?? {})].filter(isProvider);
  if (!own.some((provider) => packageOf(provider) === host.providerPackage)) refuseForeignProvider(label, host, own[0]);
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
  warn(`${TOKEN} is in the stack's config as plain text: run \`pulumi config set --secret ${TOKEN}\`.`);
});

/** Warns, once per program, of keys in stack config that are no settings. */
const warnOfUnknownConfig = perRun(() => {
  const prefix = `${NAMESPACE}:`;
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(prefix));
  const names = keys.map((key) => key.slice(prefix.length));
  warnOfUnknown(names, prefix);
});

/** Warns of names that no setting has. `prefix` stands before each name, `label` before the text. */
function warnOfUnknown(settingNames: readonly string[], prefix: string, label = ""): void {
  const names: readonly string[] = settings.map(({ name }) => name);
  if (settingNames.every((name) => names.includes(name))) return;
  // It needs zod, which a program loads only when there is something to say.
  const { unknownSettings }: typeof Settings = require("../../../provider/src/framework/settings");
  for (const text of unknownSettings(settingNames, names, prefix)) warn(label + text);
}
