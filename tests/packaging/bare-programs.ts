import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import manifest from "../../package.json";
import { NATIVE_PACKAGE } from "../../tools/generate/native-package";
import { identity } from "../../tools/release/owner";
import { pack, unpack } from "../support/packed";
import type { BareMachine } from "./bare-machine";

const ROOT = resolve(__dirname, "..", "..");
const VENV = process.env["PREVIEWENV_PYTHON_VENV"] ?? "";

/** A program of one language, with the SDK as its package manager installs it. */
export interface BareProgram {
  readonly title: string;
  readonly language: "yaml" | "python" | "go" | "nodejs";
  /** Puts program and SDK into the machine's project. The variable ENVIRONMENT_ID names the environment. */
  prepare(machine: BareMachine): void;
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
  prepare: ({ folder }) => {
    const [source, wheels, venv] = [join(folder, "..", "source"), join(folder, "..", "wheels"), join(folder, "venv")];
    cpSync(join(ROOT, "sdk", "python"), source, { recursive: true });
    const build = ["wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", wheels];
    execFileSync(join(VENV, "bin", "python"), ["-m", "pip", ...build, source], { stdio: "pipe" });
    execFileSync(join(VENV, "bin", "python"), ["-m", "venv", venv]);
    const own = join(venv, "bin", "python");
    const print = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
    const [packages, shared] = [own, join(VENV, "bin", "python")].map((one) =>
      execFileSync(one, print, { encoding: "utf8" }).trim(),
    );
    // What the wheel needs, as its index would bring it: pip looks whether it is there.
    writeFileSync(join(packages ?? "", "shared.pth"), `${shared ?? ""}\n`);
    const wheel = join(wheels, `${identity.pythonPackage}-${manifest.version}-py3-none-any.whl`);
    execFileSync(own, ["-m", "pip", "install", "--quiet", "--no-index", wheel], { stdio: "pipe" });
    const runtime = { name: "python", options: { toolchain: "pip", virtualenv: "venv" } };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime }));
    writeFileSync(
      join(folder, "__main__.py"),
      [
        "import os",
        `import ${identity.pythonPackage} as previewenv`,
        `previewenv.EnvVarSet("vars", environment_id=os.environ["ENVIRONMENT_ID"], variables={"LOG_LEVEL": "debug"})`,
        "",
      ].join("\n"),
    );
  },
};

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
  prepare: ({ folder }) => {
    const quickstart = join(ROOT, "examples", "quickstart-go");
    const module = readFileSync(join(quickstart, "go.mod"), "utf8");
    const replace = `\nreplace ${identity.goModule} => ${join(ROOT, "sdk", "go")}\n`;
    writeFileSync(join(folder, "go.mod"), module + replace);
    cpSync(join(quickstart, "go.sum"), join(folder, "go.sum"));
    writeFileSync(join(folder, "main.go"), GO_PROGRAM);
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime: "go" }));
  },
  // With these, Go finds what the set-up has compiled for Pulumi's language hosts.
  env: { ...goFolders(), GOFLAGS: "-buildvcs=false -trimpath" },
};

function goFolders(): NodeJS.ProcessEnv {
  const names = ["GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY"];
  try {
    const values = execFileSync("go", ["env", ...names], { encoding: "utf8", stdio: "pipe" }).split("\n");
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  } catch {
    return {};
  }
}

/** TypeScript: the two packages as npm publishes them, compiled. */
export const nodejs: BareProgram = {
  title: "a program in TypeScript with the native package",
  language: "nodejs",
  prepare: ({ folder }) => {
    const modules = join(folder, "node_modules");
    for (const source of [NATIVE_PACKAGE, "."]) unpack(pack(source, join(folder, "..")), folder);
    for (const name of ["@pulumi", ...Object.keys(manifest.dependencies)])
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name), "junction");
    writeFileSync(
      join(folder, "index.js"),
      [
        `const previewenv = require("${identity.nativeNpmPackage}");`,
        'const variables = { LOG_LEVEL: "debug" };',
        'new previewenv.EnvVarSet("vars", { environmentId: process.env.ENVIRONMENT_ID, variables });',
        "",
      ].join("\n"),
    );
    const dependencies = { [identity.nativeNpmPackage]: manifest.version };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bare", private: true, dependencies }));
    const runtime = { name: "nodejs", options: { typescript: false } };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime }));
  },
};
