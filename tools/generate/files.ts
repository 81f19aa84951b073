import { readFileSync } from "node:fs";
import * as path from "node:path";
import { buildSync } from "esbuild";
import { printWidth } from "../../.oxfmtrc.json";
import { version } from "../../package.json";
import { components } from "../../provider/src/components";
import { settings } from "../../provider/src/framework/settings";
import { functions } from "../../provider/src/functions";
import { resources } from "../../provider/src/resources";
import { identity } from "../release/owner";
import { commandLine, driftReportSchema } from "./command-line";
import { withFirstLine } from "./first-line";
import { licenseDocument } from "./licenses";
import { componentArgs, componentTypes, nativeResource, providerArgs, resourceClass } from "./nodejs/classes";
import { enumNames, enumObjects, pluginFile, writtenEntry } from "./nodejs/entries";
import { functionWrapper, nativeFunctions } from "./nodejs/functions";
import { declarationFile, fileName } from "./properties";
import { reference } from "./reference/page";
import { packageSchema } from "./schema";

const ROOT = path.join(__dirname, "..", "..");
/** Where the page of the sandbox is written by hand. */
const PAGE_SOURCE = "provider/src/sandbox/page/source";
const DECLARATIONS = "the declarations in provider/src";
const RUNTIME = "sdk/nodejs/runtime and the declarations in provider/src";

/** Every file that `npm run generate` writes, with its whole text. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const declarations = { settings, resources, components, functions };
  const written = [
    ...resources.map((one) => [sdk(one.type), declarationFile(one.type), resourceClass(one)] as const),
    ...components.map((one) => [sdk(one.type), declarationFile(one.type), componentTypes(one)] as const),
    ...programFunctions.map((one) => [sdk(one.name), declarationFile(one.name), functionWrapper(one)] as const),
    [sdk("providerArgs"), "provider/src/framework/settings.ts", providerArgs(settings)] as const,
    ...resources.map((one) => [native(one.type), declarationFile(one.type), nativeResource(one)] as const),
    [native("functions"), DECLARATIONS, nativeFunctions(programFunctions)] as const,
    [sdk("written"), RUNTIME, writtenEntry("dynamic", components)] as const,
    [native("written"), RUNTIME, writtenEntry("native", components)] as const,
    [sdk("index"), DECLARATIONS, dynamicEntry()] as const,
    [native("index"), DECLARATIONS, nativeEntry()] as const,
    [sdk("componentArgs"), DECLARATIONS, componentArgs(components)] as const,
    [sdk("enums"), DECLARATIONS, enumObjects([...resources, ...components])] as const,
    [
      sdk("plugin"),
      "package.json and tools/release/identity.json",
      pluginFile({ version, pluginDownloadURL: identity.pluginDownloadUrl }),
    ] as const,
    ["provider/src/sandbox/page/bundle.ts", PAGE_SOURCE, sandboxPage()] as const,
    ["provider/schema.json", DECLARATIONS, packageSchema(declarations)] as const,
    ["provider/drift-report.v1.schema.json", "provider/src/drift/report-schema.ts", driftReportSchema()] as const,
    ["docs/reference.md", DECLARATIONS, reference(declarations)] as const,
    ["docs/command-line.md", DECLARATIONS, commandLine()] as const,
    ["docs/licenses.md", "package-lock.json", licenseDocument(ROOT)] as const,
  ];
  const formatted = written.map(async ([file, source, text]) => {
    return [file, await format(file, withFirstLine(file, text, source, "generate"))] as const;
  });
  return new Map(await Promise.all(formatted));
}

function sdk(name: string): string {
  return `sdk/nodejs/generated/${fileName(name)}.ts`;
}

function native(name: string): string {
  return sdk(`native/${name}`);
}

/** The functions that are generated for TypeScript too. */
const programFunctions = functions.filter(({ isWrittenInTypeScript }) => !isWrittenInTypeScript);

/**
 * The file with all that is generated for `pulumi-previewenv`. It names classes, functions, enums and types one by one: what else a generated
 * file exports is for the package alone.
 */
function dynamicEntry(): string {
  return [
    ...resources.map(({ type }) => exported([type], `./${fileName(type)}`)),
    ...programFunctions.map(({ name }) => exported(formsOf(name), `./${fileName(name)}`)),
    exported(enumNames([...resources, ...components]), "./enums"),
    exportedTypes("."),
  ].join("");
}

/** The same for `pulumi-previewenv/native`. */
function nativeEntry(): string {
  return [
    ...resources.map(({ type }) => exported([type], `./${fileName(type)}`)),
    exported(
      programFunctions.flatMap(({ name }) => formsOf(name)),
      "./functions",
    ),
    exported(enumNames([...resources, ...components]), "../enums"),
    exportedTypes(".."),
  ].join("");
}

function exported(names: readonly string[], file: string): string {
  return `export { ${names.join(", ")} } from "${file}";\n`;
}

/** The types of both entries. Each has its name here: `export type *` needs TypeScript 5, and `pulumi convert` writes programs for 4. */
function exportedTypes(folder: string): string {
  const texts = [
    ...resources.map((one) => [one.type, resourceClass(one)] as const),
    ...programFunctions.map((one) => [one.name, functionWrapper(one)] as const),
    ...components.map((one) => [one.type, componentTypes(one)] as const),
  ];
  return texts
    .map(([name, text]) => {
      const types = Array.from(text.matchAll(/^export interface (\w+)/gmu), ([, type = ""]) => type);
      return `export type { ${types.join(", ")} } from "${folder}/${fileName(name)}";\n`;
    })
    .join("");
}

/** A function for plain arguments, and one for Outputs. */
function formsOf(name: string): readonly string[] {
  return [name, `${name}Output`];
}

/** The text as the project's formatter writes it. `file` tells the language. It leaves Markdown and files without a language alone. */
async function format(file: string, text: string): Promise<string> {
  if (file.endsWith(".md") || path.extname(file) === "") return text;
  const oxfmt = await import("oxfmt");
  const { code, errors } = await oxfmt.format(file, text, { printWidth });
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(", ")}`);
  return code;
}

/** The sandbox's page as a module of texts, so that the published package needs no bundler. */
function sandboxPage(): string {
  const texts = {
    markup: readFileSync(path.join(ROOT, PAGE_SOURCE, "page.html"), "utf8").replaceAll(/\n\s+/gu, "\n"),
    style: bundle("style.css"),
    script: bundle("main.ts"),
  };
  return Object.entries(texts)
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`)
    .join("");
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(ROOT, PAGE_SOURCE, entry)],
    bundle: true,
    minify: true,
    charset: "utf8",
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}
