import type { Component } from "../../../provider/src/framework/component";
import { dynamicHost, nativeHost, type Plugin } from "../../../sdk/nodejs/runtime/host";
import { propertiesOf } from "../properties";
import { declarationOf } from "../reference/written";
import { collectTypes } from "../schema-types";
import { typeMembers } from "./classes";
import { comment, entries, exampleTag, pageTag } from "./text";

/** A part that somebody wrote, with its file. A class has a member that is another one for each host. */
const written = [
  { name: "Provider", file: "provider", member: "host" },
  { name: "PreviewEnvironment", file: "preview-environment", member: "parts" },
  { name: "PreviewEnvironments", file: "preview-environments", member: "parts" },
  { name: "existing", file: "existing" },
  { name: "variablesFromDotenv", file: "dotenv" },
] as const;
const parts =
  "EnvVarSet, EnvironmentBranches, EnvironmentState, getEnvironment, getEnvironmentOutput, getEnvironmentsOutput";

/**
 * The file with the classes and functions of one host that are written by hand, each with its documentation. The text for a component is
 * that of its declaration. Classes for the plugin extend those for the dynamic provider, as those of resources do.
 */
export function writtenEntry(host: keyof typeof entries, components: readonly Component[]): string {
  const runtime = host === "dynamic" ? "../runtime" : "../../runtime";
  return [
    `import { ${host}Host as host, isOfType } from "${runtime}/host";`,
    `import type { Parts } from "${runtime}/preview-environment";`,
    ...written.map(
      ({ name, file }) =>
        `import { ${name} as ${name}Written } from "${host === "dynamic" ? `${runtime}/${file}` : "../written"}";`,
    ),
    `import { ${parts} } from ".";`,
    "",
    `const parts: Parts = { host, ${parts} };`,
    "",
    ...written.flatMap((one) => [
      comment([
        ...documentation(one.file, one.name, components),
        pageTag(one.name),
        exampleTag(one.name, entries[host]),
      ]),
      "member" in one
        ? `export class ${one.name} extends ${one.name}Written {
             protected static override readonly ${one.member} = ${one.member};
             ${one.member === "host" ? providerType(host) : ""}
           }`
        : `export const ${one.name}: typeof ${one.name}Written = ${one.name}Written;`,
      "",
    ]),
  ].join("\n");
}

/** Of a provider the engine knows only the package. A component has one type with both hosts. */
function providerType(host: keyof typeof entries): string {
  const { providerPackage } = host === "dynamic" ? dynamicHost : nativeHost;
  return typeMembers("Provider", `pulumi:providers:${providerPackage}`, host === "dynamic" ? "" : "override").join(
    "\n",
  );
}

function documentation(file: string, name: string, components: readonly Component[]): readonly string[] {
  const { description, tags } = declarationOf(`${file}.ts`, name);
  const declared = components.find(({ type }) => type === name);
  return [declared?.description ?? description, ...[...tags].map(([tag, text]) => `@${tag} ${text}`)];
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
  const types = collectTypes("");
  for (const { type, inputs } of declarations)
    for (const property of propertiesOf(inputs, "input")) types.property(type, property);
  const texts = Object.entries(types.all()).flatMap(([name, { description = "", enum: values }]) => {
    if (values === undefined) return [];
    return [
      comment([`${description} The values may be written as they are, too.`]),
      `export const ${name} = {`,
      ...values.flatMap((one) => [comment([one.description ?? ""]), `${one.name}: ${JSON.stringify(one.value)},`]),
      "} as const;",
      "",
      comment([description]),
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
      "",
    ];
  });
  return texts.join("\n");
}
