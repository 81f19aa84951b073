import type { Component } from "../../provider/src/framework/component";
import type { Resource } from "../../provider/src/framework/resource";
import type { Setting } from "../../provider/src/framework/settings";
import type { PreviewenvFunction } from "../../provider/src/framework/function";
import type { Difference } from "../../provider/src/hosts/differences";
import { descriptionOf, propertiesOf, propertiesOfShape, type Property, type Shape } from "./properties";
import { contentOf } from "./nodejs/type-text";
import { importForms, type Marks, noMarks, remarks } from "./remarks";

/** What the reference and the schema are made of. */
export interface Declarations {
  readonly settings: readonly Setting[];
  readonly resources: readonly Resource[];
  readonly components: readonly Component[];
  readonly functions: readonly PreviewenvFunction[];
}

/** `docs/reference.md`: every setting, resource and function with all their properties, and what the hosts do differently. */
export function reference(
  { settings, resources, components, functions }: Declarations,
  differences: readonly Difference[],
): string {
  return [
    "# Reference",
    "",
    `Resources: ${resources.map(({ type }) => link(type)).join(", ")}. ` +
      `Components: ${components.map(({ type }) => link(type)).join(", ")}. ` +
      `Functions: ${functions.map(({ name }) => link(name)).join(", ")}. [Settings](#settings). ` +
      "[Dynamic provider and native plugin](#dynamic-provider-and-native-plugin).",
    "",
    ...resources.flatMap(resourceSection),
    ...components.flatMap(componentSection),
    ...functions.flatMap(functionSection),
    ...settingsSection(settings),
    ...differencesSection(differences),
  ].join("\n");
}

function resourceSection(resource: Resource): readonly string[] {
  const { type, description, internals } = resource;
  const inputs = propertiesOf(resource.inputs, "input");
  const names = new Set([...inputs.map(({ name }) => name), ...internals]);
  const computed = propertiesOf(resource.state, "output").filter(({ name }) => !names.has(name));
  return [
    `## ${type}`,
    "",
    description,
    "",
    `Type \`previewenv:index:${type}\`; with the dynamic provider \`pulumi-nodejs:dynamic/previewenv:${type}\`.`,
    "",
    "### Inputs",
    "",
    "Every input is also an output.",
    "",
    ...inputTable(inputs, resource),
    ...(computed.length > 0 ? ["### Outputs", "", ...outputTable(computed)] : []),
    "### Import",
    "",
    ...importText(resource),
  ];
}

function componentSection({ type, description, inputs, outputs }: Component): readonly string[] {
  const given = propertiesOf(inputs, "input");
  return [
    `## ${type}`,
    "",
    description,
    "",
    `Type \`previewenv:index:${type}\`. In TypeScript it runs in the program, in every other language in the native plugin.`,
    "",
    "### Inputs",
    "",
    ...inputTable(given, noMarks),
    ...given.flatMap(nestedTable),
    "### Outputs",
    "",
    ...outputTable(propertiesOf(outputs, "output")),
  ];
}

/** The properties of an object within an input, or of each entry of a map of objects. */
function nestedTable({ name, shape }: Property): readonly string[] {
  const entry = contentOf(shape);
  const fields = propertiesOfShape(entry ?? shape);
  if (fields.length === 0) return [];
  return [entry === undefined ? `\`${name}\`:` : `Each entry of \`${name}\`:`, "", ...inputTable(fields, noMarks)];
}

function importText({ type, importFormat, importDescription }: Resource): readonly string[] {
  if (importFormat === undefined) return [`Cannot be imported. ${importDescription}`, ""];
  return [
    `Only with the native plugin: \`pulumi import previewenv:index:${type} <name> <id>\`, or the resource option ` +
      `\`import\`. The id is ${importForms(importFormat)}. ${importDescription}`,
    "",
  ];
}

function functionSection({ name, description, inputs, outputs, secret }: PreviewenvFunction): readonly string[] {
  const results = propertiesOf(outputs, "output");
  return [
    `## ${name}`,
    "",
    `${description} \`${name}Output\` does the same for arguments that are Outputs.${secret ? " Its result is a secret." : ""}`,
    "",
    "### Arguments",
    "",
    ...inputTable(propertiesOf(inputs, "input"), noMarks),
    "### Result",
    "",
    ...outputTable(results),
    ...itemTables(results),
  ];
}

/** A table for each kind of list items whose fields are described. */
function itemTables(outputs: readonly Property[]): readonly string[] {
  const tables = new Map<string, { readonly names: string[]; readonly fields: readonly Property[] }>();
  for (const { name, shape } of outputs) {
    const fields = propertiesOfShape(shape.items ?? {});
    if (fields.length === 0) continue;
    const key = JSON.stringify(fields);
    const table = tables.get(key) ?? { names: [], fields };
    table.names.push(`\`${name}\``);
    tables.set(key, table);
  }
  return [...tables.values()].flatMap(({ names, fields }) => [
    `Each of ${names.join(" and ")}:`,
    "",
    ...outputTable(fields),
  ]);
}

function settingsSection(settings: readonly Setting[]): readonly string[] {
  const rows = settings.map((setting) => {
    const { name, environment, type, description, secret } = setting;
    const unset = setting.optional === true ? "not set" : "required";
    const fallback = setting.default === undefined ? unset : `\`${String(setting.default)}\``;
    return row(
      `\`previewenv:${name}\``,
      `\`${environment}\``,
      type,
      fallback,
      secret ? `${description} Secret.` : description,
    );
  });
  return [
    "## Settings",
    "",
    "Each setting is looked up by itself. The first of these places that has it counts: `new previewenv.Provider(...)`, stack config, the environment variable.",
    "",
    row("stack config", "environment variable", "type", "default", "what it is"),
    row("---", "---", "---", "---", "---"),
    ...rows,
    "",
  ];
}

function differencesSection(differences: readonly Difference[]): readonly string[] {
  return [
    "## Dynamic provider and native plugin",
    "",
    "The dynamic provider serves TypeScript programs, and needs no installation. The native plugin serves every Pulumi language. " +
      "This table has every difference between them:",
    "",
    row("", "dynamic provider", "native plugin"),
    row("---", "---", "---"),
    ...differences.map(({ topic, dynamic, native }) => row(topic, dynamic, native)),
    "",
  ];
}

function inputTable(inputs: readonly Property[], facts: Marks): readonly string[] {
  const rows = inputs.map((input) => {
    const text = [descriptionOf(input), ...remarks(facts, input)].join(" ");
    return row(`\`${input.name}\``, kind(input.shape), input.required ? "yes" : "no", text);
  });
  return [row("name", "type", "required", "what it is"), row("---", "---", "---", "---"), ...rows, ""];
}

function outputTable(outputs: readonly Property[]): readonly string[] {
  const rows = outputs.map((output) =>
    row(
      `\`${output.name}\``,
      kind(output.shape),
      `${descriptionOf(output)}${output.required ? "" : " May be missing."}`,
    ),
  );
  return [row("name", "type", "what it is"), row("---", "---", "---"), ...rows, ""];
}

/** A type in words. */
function kind(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((one) => `\`"${one}"\``).join(" or ");
  if (shape.properties !== undefined) {
    const names = propertiesOfShape(shape).map(({ name, required }) => (required ? name : `${name}?`));
    return `\`{${names.join(", ")}}\``;
  }
  if (shape.type === "array") return `list of ${kind(shape.items ?? {})}`;
  if (shape.type === "object")
    return `map of ${typeof shape.additionalProperties === "object" ? kind(shape.additionalProperties) : "anything"}`;
  return shape.type ?? "anything";
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}
