import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { identity } from "../../tools/release/owner";
import { linkInstalled, pack, ROOT, unpack } from "../support/packed";

/** The package schema of the checkout. */
export const SCHEMA = join(ROOT, "provider", "schema.json");

/** Where a YAML program says by itself which plugin it wants. */
export const yamlOptions = { version: manifest.version, pluginDownloadURL: identity.pluginDownloadUrl };

/** A YAML program. */
export function writeYaml(folder: string, environmentId: string, options?: object): void {
  const properties = { environmentId, variables: { LOG_LEVEL: "debug" } };
  const vars = { type: "previewenv:EnvVarSet", properties, ...(options && { options }) };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime: "yaml", resources: { vars } }));
}

/** A program in JavaScript, with the npm package as npm publishes it. The variable ENVIRONMENT_ID names the environment. */
export function writeJavaScript(folder: string, entry: string): void {
  unpack(pack(".", join(folder, "..")), folder);
  linkInstalled(folder);
  const program = [
    `const previewenv = require("${entry}");`,
    'const variables = { LOG_LEVEL: "debug" };',
    'new previewenv.EnvVarSet("vars", { environmentId: process.env.ENVIRONMENT_ID, variables });',
    "",
  ];
  writeFileSync(join(folder, "index.js"), program.join("\n"));
  const dependencies = { [manifest.name]: manifest.version };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bare", private: true, dependencies }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime }));
}
