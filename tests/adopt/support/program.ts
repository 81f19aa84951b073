import { isDeepStrictEqual } from "node:util";
import * as ts from "typescript";
import { parse } from "yaml";
import * as z from "zod";
import type { Language } from "../../../provider/src/adopt/usage";
import { EXISTING } from "../../../provider/src/framework/existing-text";

const text = z.record(z.string(), z.string());
const inputs = z.strictObject({
  environmentId: z.string(),
  variables: text.optional(),
  secrets: text.optional(),
  services: z.array(z.string()).optional(),
  scopes: z.record(z.string(), z.array(z.string())).optional(),
  branches: text.optional(),
});

/** What a written program declares, resource by resource. An id that it looks up is `FOUND`. */
export interface Declared {
  readonly resources: Readonly<Record<string, { readonly type: string; readonly inputs: z.output<typeof inputs> }>>;
  /** The arguments of getEnvironment. */
  readonly filters?: unknown;
}

/** Stands for a secret of the stack's config. */
export function configured(key: string): string {
  return `the secret ${key} of the stack's config`;
}

/** Stands for the id of the environment that a program finds by filters. */
export const FOUND = "the id that was found";

/** Runs a program in TypeScript, with classes that write down what they are given. */
export function runTypeScript(program: string): Declared {
  const resources: Record<string, { type: string; inputs: z.output<typeof inputs> }> = {};
  let filters: unknown;
  const declare = (type: string) =>
    function (name: string, args: unknown): void {
      resources[name] = { type, inputs: inputs.parse(args) };
    };
  const previewenv = {
    existing: () => EXISTING,
    getEnvironmentOutput: (args: unknown) => ((filters = args), { id: FOUND }),
    EnvVarSet: declare("EnvVarSet"),
    EnvironmentBranches: declare("EnvironmentBranches"),
  };
  const pulumi = {
    Config: function (): unknown {
      return { requireSecret: configured };
    },
  };
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- to run what was written is what this is for
  new Function("require", "exports", outputText)(
    (name: string) => (name === "@pulumi/pulumi" ? pulumi : previewenv),
    {},
  );
  return { resources, ...(filters !== undefined && { filters }) };
}

const project = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/u),
  runtime: z.literal("yaml"),
  options: z.strictObject({ refresh: z.literal("always") }),
  // Of an object, as a value of its own Pulumi takes `12345`, `True` and JSON for no text.
  config: z
    .strictObject({ secrets: z.strictObject({ type: z.literal("object"), secret: z.literal(true) }) })
    .optional(),
  variables: z
    .strictObject({
      environment: z.strictObject({
        "fn::invoke": z.strictObject({ function: z.literal("previewenv:getEnvironment"), arguments: z.unknown() }),
      }),
    })
    .optional(),
  resources: z.record(
    z.string(),
    z.strictObject({ type: z.string(), properties: z.unknown(), options: z.unknown().optional() }),
  ),
  outputs: z.unknown().optional(),
});

/** Reads a program in Pulumi YAML: by the rules of both versions of YAML, and then as Pulumi reads texts. */
export function readYaml(program: string): Declared {
  const [parsed, old]: readonly unknown[] = [parse(program), parse(program, { version: "1.1" })];
  if (!isDeepStrictEqual(parsed, old)) throw new Error("the versions of YAML read it in two ways");
  const { config, variables, resources } = project.parse(parsed);
  const hasConfig = config !== undefined;
  const declared = Object.entries(resources).map(([name, { type, properties }]) => [
    name,
    { type: type.replace("previewenv:", ""), inputs: inputs.parse(interpolated(properties, hasConfig)) },
  ]);
  return {
    resources: Object.fromEntries(declared),
    ...(variables && { filters: interpolated(variables.environment["fn::invoke"].arguments, hasConfig) }),
  };
}

/** As `parseInterpolate` of pulumi-yaml does: `$$` is a dollar sign, and `${` begins a reference. */
function interpolated(value: unknown, hasConfig: boolean): unknown {
  if (value === "${environment.id}") return FOUND;
  if (typeof value === "string") {
    const key = /^\$\{secrets\.(\w+)\}$/u.exec(value)?.[1];
    return hasConfig && key !== undefined ? configured(key) : interpolatedText(value);
  }
  if (Array.isArray(value)) return value.map((item) => interpolated(item, hasConfig));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [interpolatedText(key), interpolated(one, hasConfig)]),
  );
}

function interpolatedText(value: string): string {
  return value.replaceAll(/\$\$|\$\{/gu, (found) => {
    if (found === "${") throw new Error(`a reference in ${value}`);
    return "$";
  });
}

/** Whether the value is taken over that has this key in the stack's config. */
type Which = (key: string) => boolean;

/** A program after somebody has done what its comment says, for some of the secrets. */
export function takenOver(language: Language, program: string, which: Which = () => true): string {
  return language === "yaml" ? inYaml(program, which) : inTypeScript(program, which);
}

function inTypeScript(program: string, which: Which): string {
  const above = Array.from(program.matchAll(/^ {2}\/\/ {4}(.*)$/gmu), ([, line = ""]) => line);
  const declared = program.replaceAll(
    /previewenv\.existing\(\), \/\/ (config\.requireSecret\("(\w+)"\))$/gmu,
    (line, call: string, key: string) => (which(key) ? `${call},` : line),
  );
  return [...above, declared].join("\n");
}

function inYaml(program: string, which: Which): string {
  return program
    .replace(/^# (config:\n)# (.*)$/mu, "$1$2")
    .replaceAll(/previewenv:existing:v1 # (\$\{secrets\.(\w+)\})$/gmu, (line, reference: string, key: string) =>
      which(key) ? reference : line,
    );
}
