import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { identity } from "../owner";

const GUIDE = join(__dirname, "..", "..", "..", "docs", "guides", "quickstart-languages.md");

/** A quickstart that is tried. */
export interface Trial {
  readonly folder: string;
  /** Whether it is tried with what the registries have, and not with files that are packed now. */
  readonly isPublished: boolean;
  /** What `npm install` gets. */
  readonly npmPackage: string;
  /** The options of `pulumi plugin install` that lead to the plugin. */
  readonly plugin: readonly string[];
  /** Runs a program in the folder. @throws when it fails */
  readonly run: (program: string, ...args: readonly string[]) => Promise<void>;
  readonly npm: (...args: readonly string[]) => Promise<void>;
}

/** The quickstart of a language. */
export interface Quickstart {
  readonly example: string;
  /** Where its configuration has the secret: the whole path. */
  readonly secret: readonly string[];
  /** What its page says to install, and for packages of a registry what a user changes in the example. */
  readonly install: (trial: Trial) => Promise<void>;
}

const OF_NODE = { example: "quickstart", secret: ["--path", "secrets.DATABASE_URL"] };

/** SDKs of Python, Go, .NET and Java come from a registry here. `linked` generates its SDK beside the program. */
export const languages: ReadonlyMap<string, Quickstart> = new Map([
  ["typescript", { ...OF_NODE, install: installNode }],
  ["native", { ...OF_NODE, install: installNative }],
  ["linked", { ...OF_NODE, install: installLinked }],
  ["yaml", { example: "quickstart-yaml", secret: ["databaseUrl"], install: installPlugin }],
  ["python", { example: "quickstart-python", secret: ["--path", "secrets.DATABASE_URL"], install: installPython }],
  ["go", { example: "quickstart-go", secret: ["databaseUrl"], install: installGo }],
  ["dotnet", { example: "snippets/env-var", secret: ["databaseUrl"], install: installDotnet }],
  ["java", { example: "snippets/env-var", secret: ["databaseUrl"], install: installJava }],
]);

function installPlugin({ run, plugin }: Trial): Promise<void> {
  return run("pulumi", "plugin", "install", "resource", "previewenv", version, ...plugin);
}

/** Beside what the example depends on, with what is tried instead of the package that it names. */
function installNode({ npm, npmPackage }: Trial): Promise<void> {
  return npm("install", npmPackage, "--no-audit", "--no-fund");
}

/** Its classes tell the engine where the plugin is, once a release has it. */
async function installNative(trial: Trial): Promise<void> {
  if (!trial.isPublished) await installPlugin(trial);
  const { npmPackage } = identity;
  const program = join(trial.folder, "index.ts");
  writeFileSync(program, readFileSync(program, "utf8").replace(`from "${npmPackage}"`, `from "${npmPackage}/native"`));
  await installNode(trial);
}

/** `pulumi package add` writes an SDK below the program and links it there, under the name of the npm package. */
async function installLinked(trial: Trial): Promise<void> {
  await installPlugin(trial);
  await trial.npm("uninstall", identity.npmPackage, "--no-audit", "--no-fund");
  await trial.run("pulumi", "package", "add", "previewenv");
}

function installPython({ run }: Trial): Promise<void> {
  return run("pulumi", "install");
}

function installGo({ run }: Trial): Promise<void> {
  return run("go", "get", `${identity.goModule}@v${version}`);
}

async function installDotnet({ folder }: Trial): Promise<void> {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: quickstart-dotnet\nruntime: dotnet\n");
  writeFileSync(join(folder, "quickstart.csproj"), projectOfGuide("<Project "));
}

function installJava({ folder, run }: Trial): Promise<void> {
  const sources = join(folder, "src", "main", "java");
  mkdirSync(sources, { recursive: true });
  renameSync(join(folder, "App.java"), join(sources, "App.java"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: quickstart-java\nruntime: java\n");
  writeFileSync(join(folder, "pom.xml"), projectOfGuide("<project "));
  return run("mvn", "--batch-mode", "--quiet", "compile");
}

/** What readers of the guide write into the file of a project. @throws when the page does not show it */
function projectOfGuide(beginning: string): string {
  const fences = readFileSync(GUIDE, "utf8").matchAll(/^```xml\n(.+?)^```$/gmsu);
  const project = Array.from(fences, ([, text = ""]) => text).find((text) => text.startsWith(beginning));
  if (project === undefined) throw new Error(`${GUIDE} shows no ${beginning}`);
  return project;
}
