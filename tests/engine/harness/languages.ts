import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findOnPath } from "../../../tools/setup/command.mjs";
import { installSdk, PYTHON_FOLDER_VARIABLE, virtualenv } from "../../support/languages";
import type { Side } from "../../support/host";
import type { Argument, Program, ResourceEntry } from "./program";

const ROOT = resolve(__dirname, "..", "..", "..");
export const FIXTURES = join(ROOT, "tests", "engine", "fixtures");

/** The native plugin as `npm run build` leaves it. */
export const PLUGIN_FOLDER = join(ROOT, "dist", "plugin");

/** How a project's program is written. */
export interface Language {
  /** Puts what every program needs into a new project's folder. */
  prepare(folder: string): void;
  /** What Pulumi.yaml holds for a program. An empty one at first. */
  settings(program: Program): object;
  readonly env?: NodeJS.ProcessEnv;
}

/** Pulumi.yaml's way to use a plugin that is not installed. */
export function plugins(folder: string = PLUGIN_FOLDER): object {
  return { plugins: { providers: [{ name: "previewenv", path: folder }] } };
}

/** JavaScript, over one of the two hosts: the program is fixtures/program/index.js. */
export function javascript(host: "dynamic" | "native"): Language {
  return {
    prepare: (folder) => {
      cpSync(join(FIXTURES, "program", "index.js"), join(folder, "index.js"));
      const modules = join(folder, "node_modules");
      if (!existsSync(modules)) symlinkSync(join(ROOT, "node_modules"), modules, "junction");
      // Without it Pulumi warns in every run.
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "engine-specs", private: true }));
    },
    settings: () => ({
      runtime: { name: "nodejs", options: { typescript: false } },
      ...(host === "native" && plugins()),
    }),
    env: { PREVIEWENV_TEST_ENTRY: host === "native" ? "pulumi-previewenv/native" : "pulumi-previewenv" },
  };
}

/** YAML: the program stands in Pulumi.yaml. */
export function yaml(pluginFolder?: string): Language {
  return {
    prepare: () => undefined,
    settings: ({ providers = [], resources, outputs = {} }) => ({
      runtime: "yaml",
      ...plugins(pluginFolder),
      resources: Object.fromEntries([
        ...providers.map(({ name, args }) => [name, { type: "pulumi:providers:previewenv", properties: plain(args) }]),
        ...resources.map((entry) => [entry.name, yamlResource(entry)]),
      ]),
      outputs: plain(outputs),
    }),
    // Nothing is left of the modules to load before: the plugin would start a Node to find that out.
    env: { NODE_OPTIONS: undefined },
  };
}

/** For what the engine does whichever host and language it is: YAML, a call of which takes a third of the time of one with the dynamic host. */
export function anyLanguage(): Language {
  return lackOf("yaml") === undefined ? yaml() : javascript("native");
}

function yamlResource({ type, args, options: { provider, dependsOn, ...options } = {} }: ResourceEntry): object {
  return {
    type: `previewenv:index:${type}`,
    properties: plain(args),
    options: {
      ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name, plain(value)])),
      ...(provider !== undefined && { provider: `\${${provider}}` }),
      ...(dependsOn !== undefined && { dependsOn: dependsOn.map((name) => `\${${name}}`) }),
    },
  };
}

/** An argument in the words of Pulumi YAML. */
function plain(value: Argument | undefined): unknown {
  // A `${` of the program's own.
  if (typeof value === "string") return value.replaceAll("${", "$$${");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const entries = Object.entries(value);
  const [[marker, content] = []] = entries;
  if (marker === "$output" && Array.isArray(content)) return `\${${content.join(".")}}`;
  if (marker === "$secret") return { "fn::secret": plain(content) };
  if (marker?.startsWith("$")) throw new Error(`no ${marker} in a YAML program`);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
}

/** A suite whose programs are in a language. Where the set-up has found no host for it the suite is skipped, and its title says so. */
export function describeIn(
  language: "yaml" | "python" | "go",
  title: string,
  suite: (this: Mocha.Suite) => void,
): void {
  const lack = lackOf(language);
  if (lack === undefined) describe(title, suite);
  else describe.skip(`${title} (${lack}: \`npm test\` says why when it begins)`, suite);
}

/** A suite for each host: its programs are in JavaScript over the dynamic provider, and in YAML over the plugin. */
export function onBothHosts(title: string, suite: (this: Mocha.Suite, side: Side, language: Language) => void): void {
  describe(`${title} (dynamic)`, function () {
    suite.call(this, "dynamic", javascript("dynamic"));
  });
  describeIn("yaml", `${title} (native, in YAML)`, function () {
    suite.call(this, "native", yaml());
  });
}

/** Why programs in a language cannot run here. `undefined` when they can. */
export function lackOf(language: "yaml" | "python" | "go" | "java"): string | undefined {
  const host = `pulumi-language-${language}`;
  if (findOnPath(host) === undefined) return `there is no ${host}`;
  if (language === "java" && findOnPath("mvn") === undefined) return "there is no mvn";
  const needsPackages = language === "python" && !process.env[PYTHON_FOLDER_VARIABLE];
  return needsPackages ? "there is no virtual environment with Pulumi's package" : undefined;
}

/** For a suite: programs in Python, with the SDK installed once. Gives the language of fixtures/<program>/__main__.py. */
export function usePython(): (program: string) => Language {
  let folder: string;
  let packages: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-python-"));
    packages = installSdk(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  return (program) => ({
    prepare: (project) => cpSync(join(FIXTURES, program), project, { recursive: true }),
    settings: () => ({
      runtime: { name: "python", options: { toolchain: "pip", virtualenv: virtualenv() } },
      ...plugins(),
    }),
    env: { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" },
  });
}

/** What a CLI of today says of a language host of 2025, after it has written the program. */
export const OLD_HOST = /failed to link SDK to project: .*error unmarshalling request/u;

/** The folder of the converter, which is beside the YAML host. `undefined`: there is none. */
export function converterFolder(): string | undefined {
  const found = findOnPath("pulumi-converter-yaml");
  return found && dirname(found);
}
