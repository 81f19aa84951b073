import { readFileSync } from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { globProblem, matchesAny } from "../../../provider/src/framework/globs";
import { outputInText } from "../../../provider/src/framework/output-in-text";
import { readDotenv } from "../../../provider/src/functions/dotenv-text";
import { refuseOtherNames } from "./component-arguments";
import { warn } from "./program-run";

const PLAIN_NAME = /^[\w.-]+$/u;

/**
 * Where {@link variablesFromDotenv} finds the text: a file, or the text itself. A relative path starts at the working
 * directory, which Pulumi sets to the program's folder.
 */
export type DotenvSource = string | { readonly path: string } | { readonly text: string };

/** How {@link variablesFromDotenv} tells secrets from variables. */
export interface DotenvOptions {
  /**
   * Names that are secret, as one glob or several (`"*_TOKEN"`, `["*PASSWORD*", "DATABASE_URL"]`). All others become visible
   * variables. An empty list: none is secret. Default: every name is secret. The syntax is that of `keep` of an EnvVarSet. A pattern
   * that begins with `!` is refused. A name without an entry is a warning.
   */
  readonly secrets?: string | readonly string[] | undefined;
}

/** The entries of a `.env` file, for the arguments of the same names of an EnvVarSet: each name is in one of the two. */
export interface DotenvVariables {
  /** Entries that the service's dashboard may show, value by name. */
  readonly variables: Record<string, string>;
  /** Entries that are secret, value by name: plain strings here, Pulumi secrets once an EnvVarSet has them. */
  readonly secrets: Record<string, string>;
}

/**
 * Reads a `.env` file into `variables` and `secrets` for an EnvVarSet: `{ environmentId,
 * ...variablesFromDotenv(".env") }`. A string is always a path. The file is in UTF-8, or in UTF-16 with a byte order
 * mark. It uses the syntax of the `dotenv` package. If a name occurs twice, the last value counts. `$NAME` in a value is not
 * expanded. The function does not change `process.env`.
 * @throws pulumi.RunError for a file that cannot be read, one without an entry, a line that is no entry, no comment and not blank, and
 * arguments that cannot work. Never with a value in it
 */
export function variablesFromDotenv(source: DotenvSource, options: DotenvOptions = {}): DotenvVariables {
  refuseOtherNames("variablesFromDotenv", options, ["secrets"]);
  const globs = globsOf(options.secrets);
  const isSecret = (name: string): boolean => globs === undefined || matchesAny(name, globs);
  const { name: where, text } = textOf(source);
  const found = readDotenv(text);
  if (found.problem !== undefined) throw new pulumi.RunError(`variablesFromDotenv: ${where}: ${found.problem}.`);
  for (const warning of found.warnings) warn(`variablesFromDotenv: ${where}: ${warning}.`);
  // A pattern may be one of a convention, for many files.
  for (const glob of globs ?? [])
    if (PLAIN_NAME.test(glob) && !found.entries.has(glob))
      warn(
        `variablesFromDotenv: ${where}: there is no entry ${JSON.stringify(glob)}, which \`secrets\` names. An entry that nothing in \`secrets\` ` +
          "matches is visible in the dashboard.",
      );
  const entries = [...found.entries];
  return {
    variables: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  };
}

/** The text, and where it is from, for people. */
interface Named {
  readonly name: string;
  readonly text: string;
}

function textOf(source: DotenvSource): Named {
  // Programs in JavaScript pass what they like, an Output among others.
  const { path: file, text }: { path?: unknown; text?: unknown } =
    typeof source === "string" ? { path: pathOnly(source) } : { ...source };
  if (typeof file === "string" && text === undefined) return read(file);
  if (typeof text === "string" && file === undefined) return { name: "the text", text };
  throw new pulumi.RunError(
    "variablesFromDotenv: the first argument must be a path, `{ path }` or `{ text }` with a plain string, such as " +
      '`{ text: config.require("name") }`. It cannot be an Output. Only the secrets of an EnvVarSet can come from one: ' +
      "`secrets: config.requireSecret(...).apply((text) => variablesFromDotenv({ text }).secrets)`.",
  );
}

/** Somebody may pass the text of a file instead of its path: the error shows nothing of it. */
function pathOnly(file: string): string {
  if (file === "") throw new pulumi.RunError("variablesFromDotenv: the path is an empty text.");
  if (!/[\n\r=]/u.test(file)) return file;
  throw new pulumi.RunError(
    "variablesFromDotenv: a string is taken as the path of a file, and this one looks like the text of one. " +
      "Pass `{ text }`, or `{ path }` when it is a path.",
  );
}

function read(file: string): Named {
  const name = path.resolve(file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new pulumi.RunError(
      `variablesFromDotenv: cannot read ${name}${code}. Check the path: a relative one starts at the ` +
        "program's working directory.",
    );
  }
  try {
    return { name, text: new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes) };
  } catch {
    throw new pulumi.RunError(
      `variablesFromDotenv: ${name} is neither UTF-8 nor UTF-16 with a byte order mark. Save it as UTF-8.`,
    );
  }
}

/** PowerShell's `>` writes UTF-16. */
function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** `undefined`: every name is secret. */
function globsOf(secrets: DotenvOptions["secrets"]): readonly string[] | undefined {
  if (secrets === undefined) return undefined;
  // Programs in JavaScript pass what they like.
  const globs: unknown = typeof secrets === "string" ? [secrets] : secrets;
  if (!isTexts(globs))
    throw new pulumi.RunError("variablesFromDotenv: `secrets` must be a glob, or a list of globs, as plain texts.");
  for (const glob of globs) {
    const problem = outputInText(glob) ?? globProblem(glob);
    if (problem !== undefined) throw new pulumi.RunError(`variablesFromDotenv: ${JSON.stringify(glob)} ${problem}.`);
  }
  return globs;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
