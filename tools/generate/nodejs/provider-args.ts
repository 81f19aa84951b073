import type { Setting } from "../../../provider/src/framework/settings";
import { comment, defaultTag } from "./comment";

const types: Readonly<Record<Setting["type"], string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
};

/** The file with the arguments of the TypeScript SDK's `Provider` class. */
export function providerArgs(settings: readonly Setting[]): string {
  const names = settings.map(({ name, secret }) => ({ name, secret }));
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    "",
    comment([
      "Settings of a provider. A setting that is left out comes from stack config (`previewenv:<name>`), or else from its",
      "environment variable.",
    ]),
    "export interface ProviderArgs {",
    ...settings.flatMap((setting) => [
      comment([setting.description, ...notes(setting)]),
      `${setting.name}?: pulumi.Input<${types[setting.type]}>;`,
    ]),
    "}",
    "",
    comment(["Every setting, and whether it is a secret."]),
    `export const settings = ${JSON.stringify(names)} as const;`,
    "",
  ].join("\n");
}

function notes(setting: Setting): readonly string[] {
  const { environment, secret, default: fallback } = setting;
  return [
    secret ? "Secret." : "",
    `Environment variable: \`${environment}\`.`,
    ...defaultTag(fallback === undefined ? undefined : String(fallback)),
  ];
}
