import type * as z from "zod";
import { ConfigError } from "../client/errors";
import { nearest } from "../command/did-you-mean";
import { isUnknown } from "./properties";
import { flag, globList, seconds, text, wholeNumber } from "./setting-forms";

/** One setting of the provider: declared once for the host, the SDK's `Provider` class and the reference. */
export interface Setting {
  /** Name in stack config, without the `previewenv:` before it. */
  readonly name: string;
  readonly environment: string;
  readonly description: string;
  readonly secret: boolean;
  readonly schema: z.ZodType<string | number | boolean>;
  /** The values that the schema accepts, for an error: "a whole number from 1 to 10". */
  readonly allowed: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "globs";
  readonly default?: number | boolean;
  /** Without a default, and not required. */
  readonly optional?: true;
}

/** Every setting, in the order of the reference. A setting without a default is required, unless it is `optional`. */
export const settings = [
  {
    name: "baseUrl",
    environment: "PREVIEWENV_BASE_URL",
    description: "Address of the Environment Management API, without `/api/v1`. It may contain a path.",
    ...text,
  },
  {
    name: "apiToken",
    environment: "PREVIEWENV_API_TOKEN",
    description: "The organization's API token, from the organization settings page of the service's dashboard.",
    ...text,
    secret: true,
  },
  {
    name: "requestTimeoutSeconds",
    environment: "PREVIEWENV_REQUEST_TIMEOUT_SECONDS",
    description: "How long one attempt of one request may take, in seconds.",
    ...seconds,
    default: 30,
  },
  {
    name: "maxRetries",
    environment: "PREVIEWENV_MAX_RETRIES",
    description:
      "How often the provider repeats a request after 408, 425, 502, 503, 504 or a lost connection. If not set, it repeats the request until the " +
      "service has given no other answer for 60 seconds. Waits after a 429 do not count.",
    ...wholeNumber(0),
    optional: true,
  },
  {
    name: "maxConcurrency",
    environment: "PREVIEWENV_MAX_CONCURRENCY",
    description: "How many requests one provider process sends at the same time.",
    ...wholeNumber(1),
    default: 8,
  },
  {
    name: "batchSize",
    environment: "PREVIEWENV_BATCH_SIZE",
    description: "How many variables one request writes at most. After a 413, the provider halves it.",
    ...wholeNumber(1),
    default: 100,
  },
  {
    name: "allowInsecureHttp",
    environment: "PREVIEWENV_ALLOW_INSECURE_HTTP",
    description: "Allows plain http to another machine. The token is then sent unencrypted.",
    ...flag,
    default: false,
  },
  {
    name: "previewChecks",
    environment: "PREVIEWENV_PREVIEW_CHECKS",
    description:
      "Whether a preview asks the service about new resources, new variable names, and builds that are due with the variables that they " +
      "require. With `false`, a preview sends no request of its own.",
    ...flag,
    default: true,
  },
  {
    name: "secretHints",
    environment: "PREVIEWENV_SECRET_HINTS",
    description:
      "Whether a preview warns about visible values that look like secrets. `false` turns the warnings off. To exempt single " +
      'variables, list their names as globs: `pulumi config set --plaintext previewenv:secretHints "SORT_KEY,CACHE_*"`.',
    ...globList,
    default: true,
  },
] as const satisfies readonly Setting[];

type Declared = (typeof settings)[number];

/** Resolved settings, with defaults filled in. */
export type Settings = {
  readonly [S in Declared as S["name"]]: z.output<S["schema"]> | (S extends { optional: true } ? undefined : never);
};

/** Where a setting may come from. `undefined` when it is not set there. */
export type Source = (name: string) => unknown;

/** The settings, or why there are none: the problem of each one that is missing or wrong, by its name. */
export interface Resolution {
  readonly settings?: Settings;
  readonly problems: ReadonlyMap<string, string>;
}

/**
 * Resolves each setting by itself: the first source that has it, then its environment variable, then its default.
 * Environment variables are read anew each time, so that a rotated token counts at once. No problem shows the value of a setting.
 */
export function resolve(source: Source, environment: NodeJS.ProcessEnv): Resolution {
  const resolved = settings.map((setting) => resolveOne(setting, source, environment));
  const problems = new Map(
    resolved.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem] as const])),
  );
  const values = Object.fromEntries(resolved.map(({ name, value }) => [name, value]));
  return { problems, ...(areSettings(values, problems) && { settings: values }) };
}

/** @throws ConfigError with every setting that is missing or wrong */
export function resolveSettings(source: Source, environment: NodeJS.ProcessEnv): Settings {
  const { settings: resolved, problems } = resolve(source, environment);
  if (resolved !== undefined) return resolved;
  throw new ConfigError(...problems.values());
}

/** Whether the values are those of all settings. Where there is no problem, the schema of a setting has given its value. */
function areSettings(values: object, problems: ReadonlyMap<string, string>): values is Settings {
  return problems.size === 0 && settings.every(({ name }) => Object.hasOwn(values, name));
}

interface Resolved {
  readonly name: string;
  readonly value: unknown;
  readonly problem?: string;
}

function resolveOne(setting: Setting, source: Source, environment: NodeJS.ProcessEnv): Resolved {
  const { name, schema, optional } = setting;
  const own = given(source(name));
  const value = own ?? given(environment[setting.environment]) ?? setting.default;
  if (value === undefined) return { name, value, ...(optional !== true && { problem: missing(setting) }) };
  const parsed = schema.safeParse(value);
  if (parsed.success && !isStructureAsText(value)) return { name, value: parsed.data };
  return { name, value: undefined, problem: wrong(setting, own !== undefined) };
}

/** Whether a text is a list or an object of stack config (`pulumi config set --path`): the engine passes these as JSON. */
function isStructureAsText(value: unknown): boolean {
  if (typeof value !== "string" || !/^\s*[[{]/u.test(value)) return false;
  try {
    return typeof JSON.parse(value) === "object";
  } catch {
    return false;
  }
}

function given(value: unknown): unknown {
  return value === "" || value === null || isUnknown(value) ? undefined : value;
}

/** TypeScript's SDK hands the stack config of the program to its `Provider`. No other SDK does. */
export const PROVIDER_WITHOUT_CONFIG = "Outside TypeScript, an explicit `Provider` does not read stack config.";

function missing({ name, environment, secret }: Setting): string {
  // A secret on a command line would be in the shell's history. Without it, Pulumi asks.
  const command = secret ? `config set --secret previewenv:${name}` : `config set previewenv:${name} <value>`;
  return (
    `previewenv:${name} is not set. Set it in one of these places: ` +
    `\`pulumi ${command}\`, the environment variable ${environment}, ` +
    `or \`new previewenv.Provider("name", { ${name}: ... })\`. ${PROVIDER_WITHOUT_CONFIG}`
  );
}

/** Names the place where the value stands. The value is not shown: somebody may have put the token there. */
function wrong({ name, environment, allowed }: Setting, isOwn: boolean): string {
  const place = isOwn ? `in stack config or in a \`Provider\`` : `in the environment variable ${environment}`;
  return `previewenv:${name} is not valid ${place}: it must be ${allowed}.`;
}

/** Properties that the engine adds to the settings of a provider. */
const OF_THE_ENGINE: readonly string[] = ["version", "pluginDownloadURL", "pluginChecksums"];

/**
 * Warnings of settings that do not exist: each names the nearest one that does. `prefix` is put before each name, as in the place
 * where settings are written: `previewenv:` in stack config.
 */
export function unknownSettings(
  names: readonly string[],
  declared: readonly string[],
  prefix: string,
): readonly string[] {
  const unknown = names.filter(
    (name) => !declared.includes(name) && !OF_THE_ENGINE.includes(name) && !name.startsWith("__"),
  );
  return unknown.map((name) => {
    const meant = nearest(name, declared);
    const advice = meant === undefined ? `The settings are ${declared.join(", ")}.` : `Did you mean ${prefix}${meant}?`;
    return `${prefix}${name} is not a setting of previewenv and has no effect. ${advice}`;
  });
}
