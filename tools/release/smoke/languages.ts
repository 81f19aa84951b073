import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { identity } from "../owner";
import type { Commands } from "./commands";
import type { Source } from "./source";

/** What a quickstart is run with. */
export interface Trial extends Commands {
  readonly folder: string;
  readonly source: Source;
}

/** The quickstart of a language. */
export interface Quickstart {
  readonly example: string;
  /** Where its configuration has the secret: the whole path. */
  readonly secret: readonly string[];
  /** What its page says to install, and for packages of a registry what a user changes in the example. */
  readonly install: (trial: Trial) => void;
}

const JAVA_GUIDE = join(__dirname, "..", "..", "..", "docs", "guides", "quickstart-languages.md");

const OF_NODE = { example: "quickstart", secret: ["--path", "secrets.DATABASE_URL"] };

/** SDKs of Python, Go, .NET and Java come from a registry here. `linked` generates its SDK beside the program. */
export const languages: ReadonlyMap<string, Quickstart> = new Map([
  ["typescript", { ...OF_NODE, install: installNode }],
  ["native", { ...OF_NODE, install: installNative }],
  ["linked", { ...OF_NODE, install: installLinked }],
  ["yaml", { example: "quickstart-yaml", secret: ["databaseUrl"], install: installYaml }],
  ["python", { example: "quickstart-python", secret: ["--path", "secrets.DATABASE_URL"], install: installPython }],
  ["go", { example: "quickstart-go", secret: ["databaseUrl"], install: installGo }],
  ["dotnet", { example: "snippets/env-var", secret: ["databaseUrl"], install: installDotnet }],
  ["java", { example: "snippets/env-var", secret: ["databaseUrl"], install: installJava }],
]);

function installYaml(trial: Trial): void {
  trial.source.installPlugin(trial);
}

function edit({ folder }: Trial, file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
}

/** The example with what is tried instead of the package that it names. `undefined`: without any. */
function withPackage(trial: Trial, spec: string | undefined): void {
  edit(trial, "package.json", (text) => {
    const program: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(text);
    const { [identity.npmPackage]: own, ...others } = program.dependencies;
    if (own === undefined) throw new Error(`the example does not name ${identity.npmPackage}`);
    return JSON.stringify({ ...program, dependencies: { ...others, [identity.npmPackage]: spec } }, undefined, 2);
  });
  trial.npm("install", "--no-audit", "--no-fund");
}

function installNode(trial: Trial): void {
  withPackage(trial, trial.source.npm);
}

/** Its classes tell the engine where the plugin is. */
function installNative(trial: Trial): void {
  if (!trial.source.servesPlugin) trial.source.installPlugin(trial);
  const { npmPackage } = identity;
  edit(trial, "index.ts", (text) => text.replace(`from "${npmPackage}"`, `from "${npmPackage}/native"`));
  withPackage(trial, trial.source.npm);
}

/** `pulumi package add` writes an SDK below the program and links it there, under the name of the npm package. */
function installLinked(trial: Trial): void {
  trial.source.installPlugin(trial);
  withPackage(trial, undefined);
  trial.run("pulumi", "package", "add", "previewenv");
}

function installPython(trial: Trial): void {
  trial.run("pulumi", "install");
}

function installGo(trial: Trial): void {
  trial.run("go", "get", `${identity.goModule}@v${version}`);
}

const DOTNET_PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <Nullable>enable</Nullable>
  </PropertyGroup>
</Project>
`;

function installDotnet(trial: Trial): void {
  writeFileSync(join(trial.folder, "Pulumi.yaml"), "name: quickstart-dotnet\nruntime: dotnet\n");
  writeFileSync(join(trial.folder, "quickstart.csproj"), DOTNET_PROJECT);
  trial.run("dotnet", "add", "package", identity.nugetPackage, "--version", version);
}

/** The pom.xml of the guide, so that what is tried is what its readers write. @throws when the page has none */
function mavenProject(): string {
  const [, project] = /^<!-- file: pom\.xml -->\n```xml\n(.+?)^```$/msu.exec(readFileSync(JAVA_GUIDE, "utf8")) ?? [];
  if (project === undefined) throw new Error(`${JAVA_GUIDE} shows no pom.xml`);
  return project;
}

function installJava({ folder, run }: Trial): void {
  const sources = join(folder, "src", "main", "java");
  mkdirSync(sources, { recursive: true });
  renameSync(join(folder, "App.java"), join(sources, "App.java"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: quickstart-java\nruntime: java\n");
  writeFileSync(join(folder, "pom.xml"), mavenProject());
  run("mvn", "--batch-mode", "--quiet", "compile");
}
