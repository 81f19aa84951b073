import manifest from "../../package.json";

/** A way to write and run a Pulumi program. */
export interface Program {
  /** Also the name of its folder and of its Pulumi project. */
  readonly name: string;
  readonly title: string;
  /** What it imports. */
  readonly entry: string;
  /** Who installs its packages: a workspace of npm, or one of pnpm. */
  readonly installer: "npm" | "pnpm";
  /** `runtime.options` of Pulumi.yaml. */
  readonly options?: object;
  /** What takes the place of Node in the program's process. */
  readonly runtime?: "bun";
}

const UNTYPED = { typescript: false };
const [DYNAMIC, NATIVE] = [manifest.name, `${manifest.name}/native`];

/** The ways that README or a guide speaks of. CommonJS in TypeScript: the guides of tests/outside. In JavaScript: tests/packaging/installation.outside.spec.ts. */
export const programs: readonly Program[] = [
  { name: "module", title: 'TypeScript, `"type": "module"`', entry: DYNAMIC, installer: "npm" },
  {
    name: "type-stripping",
    title: "TypeScript, with the types stripped by Node",
    entry: DYNAMIC,
    installer: "npm",
    options: UNTYPED,
  },
  {
    name: "loaded-by-tsx",
    title: "TypeScript, loaded by tsx",
    entry: DYNAMIC,
    installer: "npm",
    options: { ...UNTYPED, nodeargs: "--import=tsx" },
  },
  { name: "native", title: "TypeScript, over the native plugin", entry: NATIVE, installer: "npm", options: UNTYPED },
  { name: "pnpm", title: "TypeScript, in a workspace of pnpm", entry: DYNAMIC, installer: "pnpm", options: UNTYPED },
  {
    name: "bun-native",
    title: "TypeScript, run by Bun, over the native plugin",
    entry: NATIVE,
    installer: "npm",
    options: UNTYPED,
    runtime: "bun",
  },
];

/** A program whose process is Bun, as is the provider's: there is no Node at all. */
export const onBunAlone: Program = {
  name: "bun",
  title: "TypeScript, run by Bun, without a Node",
  entry: DYNAMIC,
  installer: "npm",
  options: UNTYPED,
  runtime: "bun",
};

/** The files of a program by name. It declares one set in the environment that ENVIRONMENT_ID names. */
export function filesOf(program: Program, pluginFolder: string): Readonly<Record<string, string>> {
  const { name, entry, installer, options } = program;
  // npm would look for our own package in its registry, were it said here: the root of the workspace has it.
  const own = installer === "pnpm" && { [manifest.name]: manifest.version };
  const dependencies = { "@pulumi/pulumi": "^3.230.0", ...own };
  const project = {
    name,
    runtime: { name: "nodejs", ...(options && { options }) },
    plugins: { providers: [{ name: "previewenv", path: pluginFolder }] },
  };
  const manifestOf = { name: `program-${name}`, private: true, type: "module", main: "index.ts", dependencies };
  return {
    "package.json": JSON.stringify(manifestOf),
    "Pulumi.yaml": JSON.stringify(project),
    "tsconfig.json": TSCONFIG,
    "index.ts": textOf(entry),
  };
}

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: "ES2022", module: "node20", strict: true, noEmit: true, types: ["node"] },
});

/** Every module of a program may wait at its top level, also before its first resource. */
function textOf(entry: string): string {
  return `
import { EnvVarSet, existing } from "${entry}";
import * as previewenv from "${entry}";

const environmentId: string = process.env["ENVIRONMENT_ID"] ?? "";
await Promise.resolve();
const { name } = previewenv.getEnvironmentOutput({ id: environmentId });
const vars = new EnvVarSet("vars", {
  environmentId,
  variables: { LOG_LEVEL: "debug", OWNER: existing(), NAME: name },
  secrets: { API_KEY: "a-secret-value" },
});
export const { revision } = vars;
`;
}
