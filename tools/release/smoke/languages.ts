import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { identity } from "../owner";

/** A quickstart that is tried. */
export interface Trial {
  readonly folder: string;
  /** Whether it is tried with what the registries have, and not with files that are packed now. */
  readonly isPublished: boolean;
  /** The arguments of `npm install`. */
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
  /** The commands of a user in the copy before the first `up`. */
  readonly install: (trial: Trial) => Promise<void>;
}

const OF_NODE = { example: "quickstart" };

/** SDKs of Python, Go, .NET and Java come from a registry here. */
export const languages: ReadonlyMap<string, Quickstart> = new Map([
  ["typescript", { ...OF_NODE, install: installNode }],
  ["native", { ...OF_NODE, install: installNative }],
  ["yaml", { example: "quickstart-yaml", install: installPlugin }],
  ["python", { example: "quickstart-python", install: ({ run }) => run("pulumi", "install") }],
  ["go", { example: "quickstart-go", install: ({ run }) => run("go", "get", `${identity.goModule}@v${version}`) }],
  // The language host compiles the project.
  ["dotnet", { example: "quickstart-dotnet", install: () => Promise.resolve() }],
  ["java", { example: "quickstart-java", install: ({ run }) => run("mvn", "--batch-mode", "--quiet", "compile") }],
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
