import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { identity } from "../../release/owner";
import { pulumiEnvironment } from "../../tour/pulumi-environment";

const run = promisify(execFile);
const LOGO = path.join(__dirname, "..", "..", "..", "docs", "logo.png");
const Schema = z.looseObject({ name: z.string(), version: z.string() });

/** A language whose SDK the Pulumi CLI generates from provider/schema.json into sdk/<name>. */
export interface Language {
  /** As `pulumi package gen-sdk --language` has it. */
  readonly name: "dotnet" | "go" | "java" | "python";
  /** Files of the folder that somebody wrote. */
  readonly written: readonly string[];
}

/** Every language whose SDK is generated. */
export const languages: readonly Language[] = [
  { name: "python", written: ["README.md", "LICENSE"] },
  // The generator asks for an SDK of 2022, which lacks what the generated code calls. `go mod tidy` wrote go.sum.
  { name: "go", written: ["README.md", "go.mod", "go.sum"] },
  { name: "dotnet", written: [".gitattributes", "README.md", "Directory.Build.props"] },
  { name: "java", written: ["README.md", "pom.xml"] },
];

/**
 * Generates the SDK of a language from the package schema into the folder `target`/<name>.
 * @throws Error with what the CLI says
 */
export async function generateSdk({ name }: Language, schema: string, target: string): Promise<void> {
  // The generator of .NET downloads the logo of the package.
  await using logo = createServer((_request, response) => response.end(readFileSync(LOGO))).listen(0, "127.0.0.1");
  await once(logo, "listening");
  const { port } = z.object({ port: z.number() }).parse(logo.address());
  const spec = Schema.parse(JSON.parse(readFileSync(schema, "utf8")));
  // The CLI keeps settings and logs in a home.
  const home = mkdtempSync(path.join(tmpdir(), "previewenv-pulumi-home-"));
  try {
    const source = path.join(home, "schema.json");
    writeFileSync(source, JSON.stringify({ ...spec, logoUrl: `http://127.0.0.1:${port}/logo.png` }));
    const env = { ...process.env, ...pulumiEnvironment(home) };
    await run("pulumi", ["package", "gen-sdk", source, "--language", name, "--out", target], { env });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  if (name === "java") writeJavaPlugin(path.join(target, name), spec);
  if (name === "python") correctImports(path.join(target, name, identity.pythonPackage, "config"));
}

/** The generator looks in the folder of the settings for a module that is in the one above: Python then cannot load the settings. */
function correctImports(folder: string): void {
  for (const file of ["vars.py", "__init__.pyi"].map((one) => path.join(folder, one)))
    writeFileSync(file, readFileSync(file, "utf8").replace("from . import _utilities", "from .. import _utilities"));
}

/** Tells `pulumi install` which plugin belongs to the package. The generator writes this file for the other languages. */
function writeJavaPlugin(folder: string, { name, version }: z.output<typeof Schema>): void {
  const resources = path.join(folder, "src", "main", "resources", ...identity.javaPackage.split("."), name);
  mkdirSync(resources, { recursive: true });
  const plugin = { resource: true, name, version, server: identity.pluginDownloadUrl };
  writeFileSync(path.join(resources, "plugin.json"), `${JSON.stringify(plugin, undefined, 2)}\n`);
}
