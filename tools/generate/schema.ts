import type { Property as PropertySpec } from "@pulumi/pulumi/provider/experimental/schema";
import manifest from "../../package.json";
import type { Component } from "../../provider/src/framework/component";
import type { PreviewenvFunction } from "../../provider/src/framework/function";
import type { Resource } from "../../provider/src/framework/resource";
import type { Setting } from "../../provider/src/framework/settings";
import { identity } from "../release/owner";
import { capitalized, descriptionOf, functionText, importText, propertiesOf, type Property } from "./properties";
import type { Declarations } from "./reference/page";
import { collectTypes, type NamedTypes } from "./schema-types";
import { snippetsOf } from "./snippets";

const PACKAGE = "previewenv";
const PREFIX = `${PACKAGE}:index:`;
const [rootNamespace = "", namespace = ""] = identity.nugetPackage.split(".");

/** How each language names the package. */
const languages = {
  // The package of this repository: no SDK is generated for it. `pulumi import` and `pulumi convert` write programs that import it.
  nodejs: { packageName: identity.npmPackage },
  python: { packageName: identity.pythonPackage, pyproject: { enabled: true } },
  go: {
    modulePath: identity.goModule,
    importBasePath: `${identity.goModule}/previewenv`,
    respectSchemaVersion: true,
  },
  // `Pulumi.` on NuGet and `com.pulumi` on Maven Central are Pulumi's own.
  csharp: { rootNamespace, namespaces: { previewenv: namespace }, respectSchemaVersion: true },
  java: {
    basePackage: identity.javaPackage,
    // sdk/java/pom.xml builds the package.
    buildFiles: "none",
    dependencies: { "com.pulumi:pulumi": "1.12.0" },
  },
};

/** `provider/schema.json`: the package as Pulumi's tools, and through them all languages but TypeScript, know it. */
export function packageSchema(declarations: Declarations): string {
  const { settings, resources, components, functions } = declarations;
  const types = collectTypes(PREFIX);
  const resourceSpecs = resources.map((resource) => [PREFIX + resource.type, resourceSpec(resource, types)]);
  const componentSpecs = components.map((component) => [PREFIX + component.type, componentSpec(component, types)]);
  const functionSpecs = functions.map((one) => [PREFIX + one.name, functionSpec(one, types)]);
  const schema = {
    name: PACKAGE,
    displayName: "Preview environments",
    version: manifest.version,
    description: manifest.description,
    keywords: [...manifest.keywords, "category/infrastructure", "kind/native"],
    homepage: identity.homepage,
    repository: identity.repositoryUrl,
    logoUrl: identity.logoUrl,
    license: manifest.license,
    publisher: identity.publisher,
    // With it in every SDK and in state, the engine fetches a plugin that a machine lacks.
    pluginDownloadURL: identity.pluginDownloadUrl,
    // SDKs carry this version, and ask the engine for a plugin of it.
    meta: { supportPack: true },
    config: { variables: configVariables(settings) },
    types: types.all(),
    provider: providerSpec(settings),
    resources: Object.fromEntries([...resourceSpecs, ...componentSpecs]),
    functions: Object.fromEntries(functionSpecs),
    language: languages,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/**
 * A resource as other languages see it. State that it keeps for itself (`internals`) is state without being an output: the
 * engine stores what the provider answers, declared or not.
 */
function resourceSpec(resource: Resource, types: NamedTypes) {
  const { type, internals, replaceOnChanges } = resource;
  const outputs = propertiesOf(resource.state, "output").filter(({ name }) => !internals.includes(name));
  const { properties: inputProperties, required: requiredInputs } = specs(
    propertiesOf(resource.inputs, "input"),
    (input) => ({
      ...inputSpec(type, input, types),
      ...secrecy(resource, input),
      ...(replaceOnChanges.includes(input.name) && { willReplaceOnChanges: true }),
    }),
  );
  return {
    description: documentation(type, resource.description, importSection(resource)),
    ...specs(outputs, (output) => ({ ...types.property(type, output), ...secrecy(resource, output) })),
    inputProperties,
    requiredInputs,
    // A stack that was made with the dynamic provider goes on with this one, in any language, and replaces nothing.
    aliases: [{ type: `pulumi-nodejs:dynamic/previewenv:${type}` }],
  };
}

/** A schema knows no condition: what is a secret unless an input says otherwise is one always, in the SDKs. */
function secrecy({ secrets, secretUnlessFalse }: Resource, property: Property) {
  if (!secrets.includes(property.name)) return {};
  if (secretUnlessFalse === undefined) return { secret: true };
  return { description: `${descriptionOf(property)} In this SDK it is always a secret.`, secret: true };
}

/** A component as other languages see it: the plugin makes its children. */
function componentSpec({ type, description, plain, inputs, outputs }: Component, types: NamedTypes) {
  const { properties: inputProperties, required: requiredInputs } = specs(propertiesOf(inputs, "input"), (input) => {
    const spec = inputSpec(type, input, types);
    return plain.includes(input.name) ? { ...spec, ...asPlain(spec) } : spec;
  });
  return {
    isComponent: true,
    description: documentation(type, description),
    ...specs(propertiesOf(outputs, "output"), (output) => types.property(type, output)),
    inputProperties,
    requiredInputs,
  };
}

/** The entries of a plain map are plain too: their names decide which children there are. Their values may be Outputs. */
function asPlain({ additionalProperties }: PropertySpec) {
  return {
    plain: true,
    ...(additionalProperties && { additionalProperties: { ...additionalProperties, plain: true } }),
  };
}

/** A function as other languages see it. Each answer of one that is a secret is one. */
function functionSpec(declaration: PreviewenvFunction, types: NamedTypes) {
  const { name, inputs, outputs, secret } = declaration;
  const owner = capitalized(name);
  return {
    description: documentation(name, functionText(declaration)),
    inputs: {
      type: "object",
      ...specs(propertiesOf(inputs, "input"), (input) => inputSpec(owner, input, types)),
    },
    outputs: {
      type: "object",
      ...specs(propertiesOf(outputs, "output"), (output) => ({
        ...types.property(owner, output),
        ...(secret && { secret: true }),
      })),
    },
  };
}

/**
 * Stack config, for the `config` module of the SDKs. The environment stands beside what is no secret only: SDKs would
 * print a secret that came from there.
 */
function configVariables(settings: readonly Setting[]) {
  return record(settings, (setting) => ({
    ...settingSpec(setting),
    ...(setting.default !== undefined && {
      default: setting.type === "globs" ? String(setting.default) : setting.default,
    }),
    ...(!setting.secret && { defaultInfo: { environment: [setting.environment] } }),
  }));
}

/**
 * Arguments of an explicit provider, without any default: an SDK would put it into state, where `refresh` and `destroy`
 * find it, whatever the environment says by then. The provider reads the environment itself.
 */
function providerSpec(settings: readonly Setting[]) {
  return {
    description: documentation(
      "provider",
      "The settings of a provider. A setting that is left out comes from its environment variable, or else has its default.",
    ),
    // SDKs cannot read other types back from a provider.
    properties: record(
      settings.filter(({ type }) => type === "string"),
      settingSpec,
    ),
    inputProperties: record(settings, settingSpec),
  };
}

function settingSpec(setting: Setting) {
  const { type, description, environment, secret } = setting;
  const fallback = setting.default === undefined ? "" : ` Default: \`${String(setting.default)}\`.`;
  return {
    description: `${description}${fallback} Environment variable: \`${environment}\`.`,
    type: type === "globs" ? "string" : type,
    ...(secret && { secret: true }),
  };
}

/** Properties by name, in their order, and the names of those that are always there. */
function specs(properties: readonly Property[], toSpec: (property: Property) => PropertySpec) {
  return {
    properties: record(properties, toSpec),
    required: properties.filter(({ required }) => required).map(({ name }) => name),
  };
}

function record<T extends { readonly name: string }>(all: readonly T[], toSpec: (one: T) => PropertySpec) {
  return Object.fromEntries(all.map((one) => [one.name, toSpec(one)]));
}

/** The inputs that a program may pass, with their defaults. */
function inputSpec(owner: string, input: Property, types: NamedTypes) {
  const { default: fallback } = input.shape;
  return { ...types.property(owner, input), ...(fallback !== undefined && { default: fallback }) };
}

/**
 * Description and examples of what a program can name, in Markdown, with more paragraphs. Generators of SDKs cut the examples of other
 * languages out between the marks.
 */
function documentation(name: string, description: string, more: readonly string[] = []): string {
  const examples = snippetsOf(name).map(({ language, text }) => `\`\`\`${language}\n${text}\n\`\`\``);
  return [
    description,
    "{{% examples %}}\n{{% example %}}\n## Example Usage",
    ...examples,
    "{{% /example %}}\n{{% /examples %}}",
    ...more,
  ].join("\n\n");
}

/** How a resource is imported. */
function importSection(resource: Resource): readonly string[] {
  const command = `\`\`\`sh\n$ pulumi import previewenv:index:${resource.type} name <id>\n\`\`\``;
  return ["## Import", importText(resource), ...(resource.importFormat === undefined ? [] : [command])];
}
