import { createRequire } from "node:module";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Declarer } from "../../../provider/src/framework/duplicate-declarations";
import {
  EARLIER_SECRETS_KEY,
  FROM_LIST_KEY,
  GET_KEY,
  IDENTITY_KEY,
  PREVIEW_KEY,
  PROVIDER_KEY,
  SECRET_PATHS_KEY,
  UNFINISHED_KEY,
} from "../../../provider/src/framework/host-keys";
import type { Properties } from "../../../provider/src/framework/properties";
import type { ResourceFacts } from "../../../provider/src/framework/resource-facts";
import { inputsWithSecrets } from "../../../provider/src/framework/visible-inputs";
import { PLUGIN } from "../generated/plugin";
import { secretPaths } from "./checked-arguments";
import { isMocked, perRun, processKind, warn } from "./program-run";

/** Options of a resource or a function that say which plugin serves it. */
export interface Plugin {
  readonly version: string;
  /** Where its archives are. */
  readonly pluginDownloadURL: string;
}

/** How the resources and functions of one entry of the package reach the provider. */
export interface Host {
  /** The module that a program imports to use it. */
  readonly entry: "pulumi-previewenv" | "pulumi-previewenv/native";
  /** Its name in errors. */
  readonly label: string;
  /** The Pulumi package of its providers. */
  readonly providerPackage: "pulumi-nodejs" | "previewenv";
  /** The text before the name of a resource type for the engine. */
  readonly typePrefix: string;
  /** The same with the other host: a stack may move between the two. */
  readonly otherPrefix: string;
  /** The text before the name of a setting, among the properties of a provider. */
  readonly settingPrefix: "previewenv:" | "";
  /**
   * The plugin that the engine shall take, and fetch if the machine lacks it. `undefined` when there is no choice. A plugin is told
   * which values are secret: it marks secrets in what it reads, and warns of visible ones, and of settings that do not exist.
   */
  readonly plugin: Plugin | undefined;
}

const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/previewenv:";
/** Functions and components have types of the plugin with both hosts. */
export const NATIVE_TYPE = "previewenv:index:";

/**
 * Whether it is a resource of this type for the engine. Each class says so of its own type, because the check of Pulumi's base classes is
 * true for resources of all types, and policies find resources by the class. They pass an object that has only the type.
 */
export function isOfType(candidate: unknown, type: string): boolean {
  return typeof candidate === "object" && candidate !== null && Reflect.get(candidate, "__pulumiType") === type;
}

/** Pulumi's dynamic provider: a Node.js process that loads the package the program has installed. */
export const dynamicHost: Host = {
  entry: "pulumi-previewenv",
  label: "the dynamic provider",
  providerPackage: "pulumi-nodejs",
  typePrefix: DYNAMIC_TYPE,
  otherPrefix: NATIVE_TYPE,
  settingPrefix: "previewenv:",
  plugin: undefined,
};

/** The plugin `pulumi-resource-previewenv`, which the engine starts: the one of the package's own version. */
export const nativeHost: Host = {
  entry: "pulumi-previewenv/native",
  label: "the native plugin",
  providerPackage: "previewenv",
  typePrefix: NATIVE_TYPE,
  otherPrefix: DYNAMIC_TYPE,
  settingPrefix: "",
  plugin: PLUGIN,
};

/**
 * Properties that a resource gets beside its arguments, and that state keeps. The dynamic provider is not captured in the program:
 * state holds one constant line, which loads the installed package. That line is a promise to every state file ever written
 * and never changes.
 */
export function hostProperties({ plugin }: Host, type: string): Readonly<Record<string, string>> {
  if (plugin !== undefined) return {};
  return { [PROVIDER_KEY]: `exports.handler = () => require("pulumi-previewenv/dynamic").provider("${type}");` };
}

/** Properties in the inputs or the state of a host that no diff shows. The plugin leaves them out of its own diffs. */
export function hostBookkeeping({ plugin }: Host): readonly string[] {
  return plugin === undefined
    ? [PROVIDER_KEY, UNFINISHED_KEY, SECRET_PATHS_KEY, EARLIER_SECRETS_KEY, FROM_LIST_KEY]
    : [];
}

/**
 * Properties that Check takes out of the inputs. The engine does not tell a dynamic provider which resource a call is about, what is a
 * preview, nor which inputs are secrets. It tells the plugin.
 */
export function propertiesForCheck(
  { plugin }: Host,
  { identity }: Declarer,
  facts: ResourceFacts,
  args: Properties,
): Properties {
  // Nobody checks a mocked resource, and unit tests compare inputs.
  if (isMocked()) return {};
  if (plugin === undefined)
    return {
      ...secretPathsProperty(inputsWithSecrets(facts), args),
      [IDENTITY_KEY]: identity,
      ...(pulumi.runtime.isDryRun() && { [PREVIEW_KEY]: true }),
    };
  const { secrets, visibleInput } = facts;
  // An input that is always a secret does not show the plugin what the program marked.
  return visibleInput !== undefined && secrets.includes(visibleInput.name)
    ? secretPathsProperty([visibleInput.name], args)
    : {};
}

/** The same for the Read of a `get`: the program only looks at the resource, and nobody checks it. The plugin is told all this. */
export function propertiesForGet({ plugin }: Host, facts: ResourceFacts, args: Properties): Properties {
  if (plugin !== undefined || isMocked()) return {};
  return { [GET_KEY]: true, ...secretPathsProperty(inputsWithSecrets(facts), args) };
}

function secretPathsProperty(searched: readonly string[], args: Properties): Properties {
  return searched.length > 0 ? { [SECRET_PATHS_KEY]: secretPaths(args, searched) } : {};
}

/**
 * Refuses a provider that the engine cannot use here: its own error comes late and does not name the cause.
 * @throws pulumi.RunError
 */
export function refuseForeignProvider(label: string, host: Host, provider: unknown): void {
  const providerPackage = packageOf(provider);
  if (providerPackage === undefined || providerPackage === host.providerPackage) return;
  throw new pulumi.RunError(
    `${label} is served by ${host.label}, and the option \`provider\` is a provider of the package ${providerPackage}. Give it a ` +
      `\`previewenv.Provider\` that is imported from "${host.entry}", as the rest is.`,
  );
}

/** The Pulumi package of a provider. `undefined` when it is none. */
export function packageOf(provider: unknown): string | undefined {
  if (!pulumi.ProviderResource.isInstance(provider)) return undefined;
  // Not part of the SDK's types. The SDK itself tells providers apart by it.
  const name: unknown = Reflect.get(provider, "pkg");
  return typeof name === "string" ? name : undefined;
}

/**
 * Refuses what cannot work with the dynamic provider.
 * @throws pulumi.RunError
 */
export function refuseDynamic(label: string, opts: pulumi.CustomResourceOptions): void {
  if (opts.import !== undefined)
    throw new pulumi.RunError(
      `${label}: the option \`import\` does not work with Pulumi's dynamic provider. Import the classes from ` +
        '"pulumi-previewenv/native", which uses the plugin: `import * as previewenv from "pulumi-previewenv/native";`.',
    );
  // No provider process starts under mocks.
  if (!isMocked()) checkedEntry();
}

const ENTRY = "pulumi-previewenv/dynamic";
const checkedEntry = perRun(() => checkDynamicEntry(process.cwd()));

/**
 * Fails when the provider process, which starts in the program's folder, would not find this package there. Pulumi starts the provider
 * of an inline program in a folder that the program cannot know. It may find the package there, so an inline program only gets a warning.
 * @throws pulumi.RunError that says what to install
 */
export function checkDynamicEntry(folder: string): void {
  if (isFoundFrom(folder)) return;
  const kind = processKind();
  const problem = `${ENTRY} cannot be found from ${folder}`;
  if (kind === "inline program")
    warn(
      `${problem}. Pulumi starts the provider of an inline program in the folder \`main\` of its project settings, by default the one in ` +
        "which this process was started, and without `main` in `workDir`. If the provider does not start, start this process in the folder " +
        `that has node_modules, set \`projectSettings.main\` to that folder, or import the classes from "${nativeHost.entry}".`,
    );
  else if (kind === "component package")
    throw new pulumi.RunError(
      `${problem}, where Pulumi starts the provider. In a component package, import the classes from "${nativeHost.entry}": programs of ` +
        "every language can use its plugin.",
    );
  else
    throw new pulumi.RunError(
      `${problem}, where Pulumi starts the provider. Make pulumi-previewenv a direct dependency of the program: ` +
        "`npm install pulumi-previewenv`, `pnpm add pulumi-previewenv` or `yarn add pulumi-previewenv` with `nodeLinker: node-modules` " +
        "in .yarnrc.yml.",
    );
}

function isFoundFrom(folder: string): boolean {
  // Pulumi starts the provider with plain Node.js, which does not know Yarn Plug'n'Play.
  if (process.versions["pnp"] !== undefined) return false;
  try {
    // From within node_modules: a package can always resolve itself, and the provider process is not in the package.
    createRequire(path.join(folder, "node_modules", "program.js")).resolve(ENTRY);
    return true;
  } catch {
    return false;
  }
}
