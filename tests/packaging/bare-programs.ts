import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { identity } from "../../tools/release/owner";
import { linkInstalled, pack, ROOT, unpack } from "../support/packed";
import { buildWheel, pip, pythonOf, virtualenv } from "../support/python";
import type { BareMachine } from "./bare-machine";

/** The package schema of the checkout. */
export const SCHEMA = join(ROOT, "provider", "schema.json");

/** A program of one language, with the SDK as its package manager installs it. */
export interface BareProgram {
  readonly title: string;
  readonly language: "yaml" | "python" | "go" | "nodejs";
  /**
   * Puts program and SDK into the machine's project. The variable ENVIRONMENT_ID names the environment.
   * @param plugin The plugin's program, for an SDK that is generated from it.
   */
  prepare(machine: BareMachine, plugin: string): Promise<void> | void;
  readonly env?: NodeJS.ProcessEnv;
}

/** Where a YAML program says by itself which plugin it wants. */
export const yamlOptions = { version: manifest.version, pluginDownloadURL: identity.pluginDownloadUrl };

/** A YAML program. */
export function writeYaml(folder: string, environmentId: string, options?: object): void {
  const properties = { environmentId, variables: { LOG_LEVEL: "debug" } };
  const vars = { type: "previewenv:EnvVarSet", properties, ...(options && { options }) };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime: "yaml", resources: { vars } }));
}

/** Python: the wheel, in a virtual environment of the program's own. */
export const python: BareProgram = {
  title: "a Python program with the wheel",
  language: "python",
  prepare: ({ folder }) => installWheel(pythonProject(folder), join(ROOT, "sdk", "python"), folder),
};

/** Python: an SDK that the CLI generates beside the program. */
export const addedPython: BareProgram = {
  title: "a Python program after `pulumi package add` with the plugin's program",
  language: "python",
  prepare: async (machine, plugin) => {
    const venv = pythonProject(machine.folder);
    await machine.add(plugin, {}, (sdk) => installWheel(venv, sdk, machine.folder));
  },
};

/** Builds a wheel where the tools for that are, and installs it where the program is. */
function installWheel(venv: string, sdk: string, folder: string): void {
  const wheels = buildWheel(sdk, join(folder, "..", "wheel"));
  pip(venv, "install", join(wheels, `${identity.pythonPackage}-${manifest.version}-py3-none-any.whl`));
}

/** Writes a program, and gives its virtual environment, which has Pulumi's package. */
function pythonProject(folder: string): string {
  const venv = join(folder, "venv");
  execFileSync(pythonOf(virtualenv()), ["-m", "venv", venv]);
  const print = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
  const packagesOf = (one: string): string => execFileSync(pythonOf(one), print, { encoding: "utf8" });
  // What the SDK needs, as the index would bring it: pip looks whether it is there.
  writeFileSync(join(packagesOf(venv).trim(), "shared.pth"), packagesOf(virtualenv()));
  const runtime = { name: "python", options: { toolchain: "pip", virtualenv: "venv" } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime }));
  writeFileSync(join(folder, "requirements.txt"), "pulumi>=3.230.0,<4\n");
  const program = [
    "import os",
    `import ${identity.pythonPackage} as previewenv`,
    `previewenv.EnvVarSet("vars", environment_id=os.environ["ENVIRONMENT_ID"], variables={"LOG_LEVEL": "debug"})`,
    "",
  ];
  writeFileSync(join(folder, "__main__.py"), program.join("\n"));
  return venv;
}

const GO_PROGRAM = `package main

import (
	"os"

	"${identity.goModule}/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := previewenv.NewEnvVarSet(ctx, "vars", &previewenv.EnvVarSetArgs{
			EnvironmentId: pulumi.String(os.Getenv("ENVIRONMENT_ID")),
			Variables:     pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
		})
		return err
	})
}
`;

/** Go: the module of the checkout in place of the one that the tag `sdk/go/vX.Y.Z` gives. */
export const go: BareProgram = {
  title: "a Go program with the module",
  language: "go",
  prepare: ({ folder }) => goProject(folder, join(ROOT, "sdk", "go")),
  env: goEnvironment(),
};

/** Go: an SDK that the CLI generates beside the program. */
export const addedGo: BareProgram = {
  title: "a Go program after `pulumi package add` with the package schema",
  language: "go",
  prepare: async (machine) => {
    goProject(machine.folder);
    await machine.add(SCHEMA, goEnvironment(), (sdk) => {
      goProject(machine.folder, "./sdks/previewenv");
      // The generator names an SDK of 2022. What the CLI runs next, `go mod tidy`, finds a newer one.
      cpSync(join(ROOT, "sdk", "go", "go.mod"), join(sdk, "go.mod"));
    });
  },
  env: goEnvironment(),
};

function goProject(folder: string, sdk?: string): void {
  const quickstart = join(ROOT, "examples", "quickstart-go");
  const module = readFileSync(join(quickstart, "go.mod"), "utf8");
  const replace = sdk === undefined ? "" : `\nreplace ${identity.goModule} => ${sdk}\n`;
  writeFileSync(join(folder, "go.mod"), module + replace);
  cpSync(join(quickstart, "go.sum"), join(folder, "go.sum"));
  writeFileSync(join(folder, "main.go"), GO_PROGRAM);
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime: "go" }));
}

/** With it, Go finds what the set-up has compiled for Pulumi's language hosts. */
export function goEnvironment(): NodeJS.ProcessEnv {
  const names = ["GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY"];
  try {
    const values = execFileSync("go", ["env", ...names], { encoding: "utf8", stdio: "pipe" }).split("\n");
    const folders = names.map((name, index) => [name, values[index]]);
    return { ...Object.fromEntries(folders), GOFLAGS: "-buildvcs=false -trimpath" };
  } catch {
    return {};
  }
}

/** JavaScript: the npm package as npm publishes it, compiled. */
export const native = javascript(`${manifest.name}/native`);
export const dynamic = javascript(manifest.name);

function javascript(entry: string): BareProgram {
  return {
    title: `a program in JavaScript that imports ${entry}`,
    language: "nodejs",
    prepare: ({ folder }) => {
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
    },
  };
}
