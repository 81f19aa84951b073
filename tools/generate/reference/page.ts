import type { Component } from "../../../provider/src/framework/component";
import type { Resource } from "../../../provider/src/framework/resource";
import type { Setting } from "../../../provider/src/framework/settings";
import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { capitalized, functionText, importText, propertiesOf } from "../properties";
import { snippetsOf } from "../snippets";
import { inputTable, nestedTables, outputTable, table } from "./tables";
import { declarationOf, RUNTIME } from "./written";

/** The declarations that the reference and the schema are made of. */
export interface Declarations {
  readonly settings: readonly Setting[];
  readonly resources: readonly Resource[];
  readonly components: readonly Component[];
  readonly functions: readonly PreviewenvFunction[];
}

/** Where a page beside the reference has the settings. */
const SETTINGS = "installation-configuration.md#configuration";

const provider = declarationOf("provider.ts", "Provider");
const existing = declarationOf("existing.ts", "existing");

/** `docs/reference.md`: every setting, resource and function with all their properties. */
export function reference(declarations: Declarations): string {
  const { resources, components, functions } = declarations;
  const blocks = [
    "# Reference",
    "Every resource, component and function, with every property. Other pages have the differences between [the dynamic provider " +
      "and the plugin](hosts.md), the effects of [resource options](hosts.md#resource-options), the [commands](command-line.md) " +
      "and the [settings](installation-configuration.md#configuration). [Concepts](concepts.md) explains the words, and says which " +
      "resource to use.",
    "In every language, errors and diffs use the property names of this page (`repoName`). In Python, write `repo_name`. In Go " +
      "and .NET, write `RepoName`.",
    ...overview(declarations),
    ...resources.flatMap(resourceSection),
    ...components.flatMap(componentSection),
    // Of PreviewEnvironments, which is the last one.
    "### Inputs that only TypeScript has",
    typescript("preview-environments.ts", "PreviewEnvironmentsArgs"),
    ...functions.flatMap(functionSection),
    ...dotenvSection(),
    ...begin(existing.name, existing.description),
    "### Result",
    `${capitalized(existing.tags.get("returns") ?? "")}.`,
    ...begin(provider.name, provider.description),
    `Its arguments are the [settings](${SETTINGS}), by the names after \`previewenv:\`. None is required. Outside TypeScript, a \`Provider\` does not read stack config.`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The beginning of a section: paragraphs, then the example in TypeScript as it is, and in each other language behind its name. */
function begin(name: string, ...paragraphs: readonly string[]): readonly string[] {
  const examples = snippetsOf(name).flatMap(({ language, title, file, text }) => {
    const program = code(file, language, text);
    return language === "typescript" ? program : [`<details>\n<summary>${title}</summary>`, program, "</details>"];
  });
  return [`## ${name}`, ...paragraphs, "### Example", ...examples];
}

function resourceSection(resource: Resource): readonly string[] {
  const { type, description, internals, importFormat } = resource;
  const inputs = propertiesOf(resource.inputs, "input");
  const names = new Set([...inputs.map(({ name }) => name), ...internals]);
  const computed = propertiesOf(resource.state, "output").filter(({ name }) => !names.has(name));
  return [
    ...begin(
      type,
      description,
      `Type \`previewenv:index:${type}\`. With the dynamic provider \`pulumi-nodejs:dynamic/previewenv:${type}\`.`,
    ),
    "### Inputs",
    "Every input is also an output.",
    inputTable(inputs, resource),
    ...(computed.length > 0 ? ["### Outputs", outputTable(computed), ...nestedTables(computed, outputTable)] : []),
    "### Import",
    (importFormat === undefined
      ? ""
      : `Only with the plugin: \`pulumi import previewenv:index:${type} <name> <id>\`, or the resource option \`import\`. `) +
      importText(resource),
  ];
}

function componentSection({ type, description, inputs, outputs }: Component): readonly string[] {
  const given = propertiesOf(inputs, "input");
  const found = propertiesOf(outputs, "output");
  return [
    ...begin(
      type,
      description,
      `Type \`previewenv:index:${type}\`. In TypeScript, it runs in the program. In every other language, it runs in the plugin.`,
    ),
    "### Inputs",
    inputTable(given),
    ...nestedTables(given, inputTable),
    "### Outputs",
    outputTable(found),
    ...nestedTables(found, outputTable),
  ];
}

function functionSection(declaration: PreviewenvFunction): readonly string[] {
  const { name, inputs, outputs, secret, isWrittenInTypeScript } = declaration;
  const results = propertiesOf(outputs, "output");
  const languages = isWrittenInTypeScript ? " in other languages" : "";
  const more = isWrittenInTypeScript
    ? "In TypeScript, it takes a path or the text, and returns `variables` and `secrets`: see [In TypeScript](#in-typescript)."
    : `\`${name}Output\` does the same for arguments that are Outputs.${secret ? " Its result is a secret." : ""}`;
  return [
    ...begin(name, `${functionText(declaration)} ${more}`),
    `### Arguments${languages}`,
    inputTable(propertiesOf(inputs, "input")),
    `### Result${languages}`,
    outputTable(results),
    ...nestedTables(results, outputTable),
  ];
}

/** The function that TypeScript programs call instead of the function `variablesFromDotenv`, which is the last one. */
function dotenvSection(): readonly string[] {
  return [
    "### In TypeScript",
    declarationOf("dotenv.ts", "variablesFromDotenv").description,
    "`variablesFromDotenv(source, options)` takes a `DotenvSource` and, if needed, `DotenvOptions`, and returns `DotenvVariables`:",
    typescript("dotenv.ts", "DotenvSource", "DotenvOptions", "DotenvVariables"),
  ];
}

/** Neighbouring types of a file of the TypeScript SDK, as it has them. */
function typescript(file: string, ...names: readonly string[]): string {
  const sources = names.map((name) => declarationOf(file, name).source);
  return code(`${RUNTIME}/${file}`, "typescript", sources.join("\n\n"));
}

function code(file: string, language: string, text: string): string {
  return `<!-- part of ${file} -->\n\`\`\`${language}\n${text}\n\`\`\``;
}

/** Every resource, component and function with one sentence each. */
function overview({ resources, components, functions }: Declarations): readonly string[] {
  const inputsOf = (inputs: Parameters<typeof propertiesOf>[0]): string =>
    propertiesOf(inputs, "input")
      .map(({ name }) => `\`${name}\``)
      .join(", ");
  return [
    table(
      ["resource", "what it is", "inputs"],
      [
        ...[...resources, ...components].map(({ type, description, inputs }) => [
          link(type),
          firstSentence(description),
          inputsOf(inputs),
        ]),
        [link(provider.name), firstSentence(provider.description), `[settings](${SETTINGS})`],
      ],
    ),
    table(
      ["function", "what it does", "arguments"],
      [
        ...functions.map(({ name, description, inputs }) => [link(name), firstSentence(description), inputsOf(inputs)]),
        [link(existing.name), firstSentence(existing.description), ""],
      ],
    ),
    "The `get...` functions also send requests in a preview. Their `...Output` forms wait for the resources that the arguments " +
      "come from. If a preview does not know an argument, it does not know the result either.",
  ];
}

function link(name: string): string {
  return `[\`${name}\`](#${name.toLowerCase()})`;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/su.exec(text)?.[0].replace(/:$/u, ".") ?? text;
}
