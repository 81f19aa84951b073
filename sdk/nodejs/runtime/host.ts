import * as pulumi from "@pulumi/pulumi";

/** Options of a resource or a function that say which plugin serves it. */
export interface Plugin {
  readonly version: string;
  /** Where its archives are. */
  readonly pluginDownloadURL: string;
}

/** How the resources and functions of one entry of the package reach the provider. */
export interface Host {
  /** What a program imports to use it. */
  readonly entry: "pulumi-previewenv" | "pulumi-previewenv/native";
  /** Its name in errors. */
  readonly label: string;
  /** The Pulumi package of its providers. */
  readonly providerPackage: "pulumi-nodejs" | "previewenv";
  /**
   * The plugin that the engine shall take, and fetch if the machine lacks it; `undefined` when there is no choice. A plugin is told
   * which values are secret: it marks secrets in what it reads, and warns of visible ones, and of settings that do not exist.
   */
  readonly plugin: Plugin | undefined;
  /** The type by which the engine knows a resource. */
  readonly typeOf: (type: string) => string;
  /** The type that the same resource has with the other host: a stack may move between the two. */
  readonly aliasOf: (type: string) => string;
  /** Properties that a resource gets beside its arguments, and that state keeps. */
  readonly extrasOf: (type: string) => Readonly<Record<string, string>>;
  /** Properties that only Check sees, because no state may have them. */
  readonly hintsOf: () => Readonly<Record<string, string>>;
  /** The property of a provider that holds a setting. */
  readonly settingKey: (name: string) => string;
  /** Throws a RunError for options that cannot work with this host. */
  readonly refuse: (label: string, opts: pulumi.CustomResourceOptions) => void;
}

/** Type of a resource of the dynamic provider. */
export function dynamicType(type: string): string {
  return `pulumi-nodejs:dynamic/previewenv:${type}`;
}

/** Type of a resource of the native plugin. */
export function nativeType(type: string): string {
  return `previewenv:index:${type}`;
}

/**
 * Refuses a provider that the engine cannot use here: its own error comes late and does not name the cause.
 * @throws pulumi.RunError
 */
export function refuseForeignProvider(label: string, host: Host, provider: unknown): void {
  const found = packageOf(provider);
  if (found === undefined || found === host.providerPackage) return;
  throw new pulumi.RunError(
    `${label} is served by ${host.label}, and the option \`provider\` is a provider of the package ${found}. Give it a ` +
      `\`previewenv.Provider\` that is imported from "${host.entry}", as the rest is.`,
  );
}

/** The Pulumi package of a provider; `undefined` when it is none. */
export function packageOf(provider: unknown): string | undefined {
  if (!pulumi.ProviderResource.isInstance(provider)) return undefined;
  // Not part of the SDK's types; the SDK itself tells providers apart by it.
  const found: unknown = Reflect.get(provider, "pkg");
  return typeof found === "string" ? found : undefined;
}

/** What options lack to name the plugin of a host. */
export function pluginOptions({ plugin }: Host, given: Partial<Plugin>): Partial<Plugin> {
  if (plugin === undefined) return {};
  const { version = plugin.version, pluginDownloadURL = plugin.pluginDownloadURL } = given;
  return { version, pluginDownloadURL };
}
