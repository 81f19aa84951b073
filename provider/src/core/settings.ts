import * as z from "zod";
import { PreviewenvError } from "../client/errors";
import { isUnknown } from "./properties";

/** One setting of the provider: declared once for the host, the SDK's `Provider` class and the reference. */
export interface Setting {
  /** Name in stack config, without the `previewenv:` before it. */
  readonly name: string;
  readonly environment: string;
  readonly description: string;
  readonly secret: boolean;
  readonly schema: z.ZodType<string | number | boolean>;
  readonly type: "string" | "integer" | "boolean";
  readonly default?: number | boolean;
  /** Without a default, and not required. */
  readonly optional?: true;
}

/** A day; a timer of more than 24 days would fire at once. */
const LONGEST_REQUEST_SECONDS = 86_400;

const positive = z.coerce.number().int().positive();
const flag = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }).or(z.boolean());

/** Every setting, in the order of the reference. A setting without a default is required, unless it is `optional`. */
export const settings = [
  {
    name: "baseUrl",
    environment: "PREVIEWENV_BASE_URL",
    description: "Address of the Environment Management API, without `/api/v1`; a path prefix is kept.",
    secret: false,
    schema: z.string().min(1),
    type: "string",
  },
  {
    name: "apiToken",
    environment: "PREVIEWENV_API_TOKEN",
    description: "The organization's API token, from the organization settings page of the service's dashboard.",
    secret: true,
    schema: z.string().min(1),
    type: "string",
  },
  {
    name: "requestTimeoutSeconds",
    environment: "PREVIEWENV_REQUEST_TIMEOUT_SECONDS",
    description: "How long one attempt of one request may take, in seconds.",
    secret: false,
    schema: z.coerce.number().positive().max(LONGEST_REQUEST_SECONDS),
    type: "integer",
    default: 30,
  },
  {
    name: "maxRetries",
    environment: "PREVIEWENV_MAX_RETRIES",
    description:
      "How often each request is repeated after 502, 503, 504 or a lost connection. Not set: until the service has answered " +
      "nothing else for 60 seconds. Waiting for a 429 does not count.",
    secret: false,
    schema: z.coerce.number().int().min(0),
    type: "integer",
    optional: true,
  },
  {
    name: "maxConcurrency",
    environment: "PREVIEWENV_MAX_CONCURRENCY",
    description: "How many requests may be in flight at once in one provider process.",
    secret: false,
    schema: positive,
    type: "integer",
    default: 8,
  },
  {
    name: "batchSize",
    environment: "PREVIEWENV_BATCH_SIZE",
    description: "How many variables one PUT carries at most. Halved when the service answers 413.",
    secret: false,
    schema: positive,
    type: "integer",
    default: 100,
  },
  {
    name: "allowInsecureHttp",
    environment: "PREVIEWENV_ALLOW_INSECURE_HTTP",
    description: "Allows plain http to a host that is not a loopback address; the token then travels in clear.",
    secret: false,
    schema: flag,
    type: "boolean",
    default: false,
  },
] as const satisfies readonly Setting[];

/** Resolved settings, with defaults filled in. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly requestTimeoutSeconds: number;
  readonly maxRetries?: number | undefined;
  readonly maxConcurrency: number;
  readonly batchSize: number;
  readonly allowInsecureHttp: boolean;
}

/** Settings that are missing or wrong: one text each, all of them at once. */
export class SettingsError extends PreviewenvError {
  readonly code = "settings";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Where a setting may come from; `undefined` when it is not set there. */
export type Source = (name: string) => unknown;

const resolved = z.object({
  baseUrl: z.string(),
  apiToken: z.string(),
  requestTimeoutSeconds: z.number(),
  maxRetries: z.number().optional(),
  maxConcurrency: z.number(),
  batchSize: z.number(),
  allowInsecureHttp: z.boolean(),
});

/**
 * Resolves each setting by itself: the first source that has it, then its environment variable, then its default.
 * Environment variables are read anew each time, so that a rotated token counts at once.
 * @throws SettingsError that lists every missing or wrong setting, without the value of any.
 */
export function resolveSettings(source: Source, environment: NodeJS.ProcessEnv): Settings {
  const found = settings.map((setting) => resolve(setting, source, environment));
  const problems = found.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  if (problems.length > 0) throw new SettingsError(problems);
  return resolved.parse(Object.fromEntries(found.map(({ name, value }) => [name, value])));
}

/** What is missing or wrong, as far as a preview knows the settings. */
export function settingsProblems(source: Source, environment: NodeJS.ProcessEnv): readonly string[] {
  const known = settings.filter(({ name }) => !isUnknown(source(name)));
  return known.flatMap((setting) => resolve(setting, source, environment).problem ?? []);
}

interface Resolved {
  readonly name: string;
  readonly value: unknown;
  readonly problem?: string;
}

function resolve(setting: Setting, source: Source, environment: NodeJS.ProcessEnv): Resolved {
  const { name } = setting;
  const value = given(source(name)) ?? given(environment[setting.environment]) ?? setting.default;
  if (value === undefined) return { name, value, ...(setting.optional !== true && { problem: missing(setting) }) };
  const parsed = setting.schema.safeParse(value);
  return { name, value: parsed.data, ...(!parsed.success && { problem: wrong(setting) }) };
}

function given(value: unknown): unknown {
  return value === "" || value === null || isUnknown(value) ? undefined : value;
}

function missing({ name, environment, secret }: Setting): string {
  const flagText = secret ? "--secret " : "";
  return (
    `previewenv:${name} is not set. Set it in one of these places: ` +
    `\`pulumi config set ${flagText}previewenv:${name} <value>\`, the environment variable ${environment}, ` +
    `or \`new previewenv.Provider("name", { ${name}: ... })\`.`
  );
}

function wrong({ name, environment, type }: Setting): string {
  const expected = { string: "text", integer: "a positive number", boolean: "true or false" }[type];
  return `previewenv:${name} (or ${environment}) is not valid: it must be ${expected}.`;
}
