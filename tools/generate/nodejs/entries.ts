import type { Component } from "../../../provider/src/framework/component";
import type { Plugin } from "../../../sdk/nodejs/runtime/host";
import { fileName, propertiesOf } from "../properties";
import { declarationOf } from "../reference/written";
import { collectTypes, type EnumSpec } from "../schema-types";
import { comment, entries, exampleTag } from "./text";

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
      comment([declarationOf(`${file}.ts`, name).description, exampleTag(name, entries.native)]),
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

/**
 * The file with the enums of the TypeScript SDK. Programs may write the values as they are. The code that
 * `pulumi import` prints names them as the package schema does.
 */
export function enumObjects(declarations: readonly Pick<Component, "type" | "inputs">[]): string {
  return enumsOf(declarations)
    .flatMap(([name, spec]) => [
      comment([`${spec.description} The values may be written as they are, too.`]),
      `export const ${name} = {`,
      ...spec.enum.flatMap(({ name: member, value, description }) => [
        comment([description]),
        `${member}: ${JSON.stringify(value)},`,
      ]),
      "} as const;",
      "",
      comment([spec.description]),
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
      "",
    ])
    .join("\n");
}

/** The names of the enums. */
export function enumNames(declarations: readonly Pick<Component, "type" | "inputs">[]): readonly string[] {
  return enumsOf(declarations).map(([name]) => name);
}

function enumsOf(
  declarations: readonly Pick<Component, "type" | "inputs">[],
): readonly (readonly [string, EnumSpec])[] {
  const types = collectTypes("");
  for (const { type, inputs } of declarations)
    for (const property of propertiesOf(inputs, "input")) types.property(type, property);
  return Object.entries(types.all()).flatMap(([name, spec]) => ("enum" in spec ? [[name, spec] as const] : []));
}
