import manifest from "../../../package.json";
import { identity } from "../../release/owner";
import type { Declarations } from "../reference/page";
import { componentSpec } from "./component-spec";
import { functionSpec } from "./function-spec";
import { languages } from "./languages";
import { collectTypes } from "./named-types";
import { configVariables, providerSpec } from "./provider-spec";
import { resourceSpec } from "./resource-spec";

const PACKAGE = "previewenv";
const PREFIX = `${PACKAGE}:index:`;

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
