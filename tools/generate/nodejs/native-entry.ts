import type { Resource } from "../../../provider/src/framework/resource";
import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import type { Plugin } from "../../../sdk/nodejs/runtime/host";
import { declarationsOf } from "../reference/written";
import { comment, entries, exampleTag } from "./comment";
import { outputDescription, plainDescription } from "./function-wrapper";
import { capitalized, fileName } from "../names";
import { inputKinds, propertiesOf } from "../properties";
import { importForms } from "../remarks";

/** The file of a resource class of `pulumi-previewenv/native`: the class of the package, served by the plugin. */
export function nativeResource({ type, description, importFormat, importDescription }: Resource): string {
  const file = `../${fileName(type)}`;
  return [
    `import * as dynamic from "${file}";`,
    `import { nativeHost } from "../../runtime/host";`,
    "",
    `export type * from "${file}";`,
    "",
    comment([
      description,
      importFormat === undefined
        ? ""
        : `@remarks Import: \`pulumi import previewenv:index:${type} <name> <id>\`. The id is ${importForms(importFormat)}. ${importDescription}`,
      exampleTag(type, entries.native),
    ]),
    `export class ${type} extends dynamic.${type} {`,
    "protected static override readonly host = nativeHost;",
    "}",
    "",
  ].join("\n");
}

/** The file with the functions of `pulumi-previewenv/native`, which the plugin answers. */
export function nativeFunctions(functions: readonly PreviewenvFunction[]): string {
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    ...functions.map(({ name }) => {
      const type = capitalized(name);
      return `import type { ${type}Args, ${type}OutputArgs, ${type}Result } from "../${fileName(name)}";`;
    }),
    `import { invoke, invokeOutput } from "../../runtime/functions";`,
    "",
    ...functions.map(({ name }) => `export type * from "../${fileName(name)}";`),
    "",
    ...functions.flatMap((one) => forms(one)),
  ].join("\n");
}

/** Classes that somebody wrote, with their file, and what of them is another for the plugin. */
const written = [
  ["Provider", "provider", "host = nativeHost"],
  ["PreviewEnvironment", "preview-environment", "parts = parts"],
  ["PreviewEnvironments", "preview-environments", "parts = parts"],
] as const;
const parts = ["EnvVarSet", "EnvironmentBranches", "EnvironmentState"];
const looks = ["getEnvironmentOutput", "getEnvironmentsOutput"];

/** The file with the classes of `pulumi-previewenv/native` that are written by hand for `pulumi-previewenv`, each with its text there. */
export function nativeWritten(): string {
  return [
    `import { nativeHost } from "../../runtime/host";`,
    ...written.map(([name, file]) => `import { ${name} as Dynamic${name} } from "../../runtime/${file}";`),
    ...parts.map((name) => `import { ${name} } from "./${fileName(name)}";`),
    `import { ${looks.join(", ")} } from "./functions";`,
    "",
    `const parts = { host: nativeHost, ${[...parts, ...looks].join(", ")} };`,
    "",
    ...written.flatMap(([name, file, member]) => [
      comment([declarationsOf(`${file}.ts`)(name).description, exampleTag(name, entries.native)]),
      `export class ${name} extends Dynamic${name} {`,
      `protected static override readonly ${member};`,
      "}",
      "",
    ]),
  ].join("\n");
}

/** The file that tells the TypeScript SDK which plugin belongs to it. */
export function pluginFile(plugin: Plugin): string {
  return [
    `import type { Plugin } from "../runtime/host";`,
    "",
    comment(["The plugin of the package's own version, and where the engine finds its archives."]),
    `export const PLUGIN: Plugin = ${JSON.stringify(plugin)};`,
    "",
  ].join("\n");
}

function forms(declaration: PreviewenvFunction): readonly string[] {
  const { name, secret, needsNothing, inputs } = declaration;
  const type = capitalized(name);
  const fallback = needsNothing ? " = {}" : "";
  const kinds = inputKinds(propertiesOf(inputs, "input"));
  const call = JSON.stringify({ name, ...(secret && { secret }), kinds });
  return [
    comment(plainDescription(declaration)),
    `export function ${name}(args: ${type}Args${fallback}, opts?: pulumi.InvokeOptions): Promise<${type}Result> {`,
    `return invoke(${call}, args, opts);`,
    "}",
    "",
    comment([...outputDescription(declaration), exampleTag(name, entries.native)]),
    `export function ${name}Output(args: ${type}OutputArgs${fallback}, opts?: pulumi.InvokeOutputOptions): pulumi.Output<${type}Result> {`,
    `return invokeOutput(${call}, args, opts);`,
    "}",
    "",
  ];
}
