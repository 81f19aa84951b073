import manifest from "../../package.json";

/** A Pulumi program, and how it is run. */
export interface Program {
  /** Also the name of its folder and of its Pulumi project. */
  readonly name: string;
  readonly title: string;
  /** What it imports. */
  readonly entry: string;
  /** Who installs its packages: a workspace of npm, or one of pnpm. */
  readonly installer: "npm" | "pnpm";
  readonly type: "commonjs" | "module";
  readonly main: "index.ts" | "index.js";
  /** `runtime.options` of Pulumi.yaml. */
  readonly options?: object;
  /** What takes the place of Node in the program's process. */
  readonly runtime?: "bun";
}

const UNTYPED = { typescript: false };
const [DYNAMIC, NATIVE] = [manifest.name, `${manifest.name}/native`];

/** Every way to write and run a program in TypeScript or JavaScript that README or a guide speaks of. */
export const programs: readonly Program[] = [
  {
    name: "typescript",
    title: "TypeScript, CommonJS, in a workspace of npm",
    entry: DYNAMIC,
    installer: "npm",
    type: "commonjs",
    main: "index.ts",
  },
  {
    name: "typescript-module",
    title: 'TypeScript, `"type": "module"`',
    entry: DYNAMIC,
    installer: "npm",
    type: "module",
    main: "index.ts",
  },
  {
    name: "type-stripping",
    title: "TypeScript, with the types stripped by Node",
    entry: DYNAMIC,
    installer: "npm",
    type: "module",
    main: "index.ts",
    options: UNTYPED,
  },
  {
    name: "loaded-by-tsx",
    title: "TypeScript, loaded by tsx",
    entry: DYNAMIC,
    installer: "npm",
    type: "module",
    main: "index.ts",
    options: { ...UNTYPED, nodeargs: "--import=tsx" },
  },
  {
    name: "javascript",
    title: "JavaScript, CommonJS",
    entry: DYNAMIC,
    installer: "npm",
    type: "commonjs",
    main: "index.js",
  },
  {
    name: "native-module",
    title: 'JavaScript, `"type": "module"`, over the native plugin',
    entry: NATIVE,
    installer: "npm",
    type: "module",
    main: "index.js",
    options: UNTYPED,
  },
  {
    name: "pnpm",
    title: "JavaScript, in a workspace of pnpm",
    entry: DYNAMIC,
    installer: "pnpm",
    type: "commonjs",
    main: "index.js",
  },
  {
    name: "pnpm-native",
    title: "JavaScript, in a workspace of pnpm, over the native plugin",
    entry: NATIVE,
    installer: "pnpm",
    type: "commonjs",
    main: "index.js",
  },
  {
    name: "bun-native",
    title: "TypeScript, run by Bun, over the native plugin",
    entry: NATIVE,
    installer: "npm",
    type: "module",
    main: "index.ts",
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
  type: "module",
  main: "index.ts",
  options: UNTYPED,
  runtime: "bun",
};

/** The files of a program by name. It declares one set in the environment that ENVIRONMENT_ID names. */
export function filesOf(program: Program, pluginFolder: string): Readonly<Record<string, string>> {
  const { name, entry, installer, type, main, options } = program;
  // npm would look for our own package in its registry, were it said here: the root of the workspace has it.
  const own = installer === "pnpm" && { [manifest.name]: manifest.version };
  const dependencies = { "@pulumi/pulumi": "^3.230.0", ...own };
  const project = {
    name,
    runtime: { name: "nodejs", ...(options && { options }) },
    plugins: { providers: [{ name: "previewenv", path: pluginFolder }] },
  };
  return {
    "package.json": JSON.stringify({ name: `program-${name}`, private: true, type, main, dependencies }),
    "Pulumi.yaml": JSON.stringify(project),
    ...(main === "index.ts" && { "tsconfig.json": TSCONFIG }),
    [main]: [...(type === "module" ? imports(entry) : requires(entry, main)), ...body(type, main)].join("\n"),
  };
}

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: "ES2022", module: "node20", strict: true, noEmit: true, types: ["node"] },
});

function imports(entry: string): readonly string[] {
  return [`import { EnvVarSet, existing } from "${entry}";`, `import * as previewenv from "${entry}";`];
}

function requires(entry: string, main: Program["main"]): readonly string[] {
  return main === "index.ts"
    ? imports(entry)
    : [`const { EnvVarSet, existing } = require("${entry}");`, `const previewenv = require("${entry}");`];
}

function body(type: Program["type"], main: Program["main"]): readonly string[] {
  const typed = main === "index.ts" ? ": string" : "";
  return [
    `const environmentId${typed} = process.env["ENVIRONMENT_ID"] ?? "";`,
    // Every module of a program may wait at its top level, also before its first resource.
    ...(type === "module" ? ["await Promise.resolve();"] : []),
    "const { name } = previewenv.getEnvironmentOutput({ id: environmentId });",
    'const vars = new EnvVarSet("vars", {',
    "  environmentId,",
    '  variables: { LOG_LEVEL: "debug", OWNER: existing(), NAME: name },',
    '  secrets: { API_KEY: "a-secret-value" },',
    "});",
    type === "module" || main === "index.ts"
      ? "export const { revision } = vars;"
      : "exports.revision = vars.revision;",
  ];
}
