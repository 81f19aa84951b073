import type { EnvironmentFilters } from "../client/environments";
import { displayableName } from "../client/error-text";
import { choiceOf } from "../command/choice";
import { UsageError } from "../command/mistake";
import type { Values } from "../command/usage";
import { isEnvironmentId } from "../client/names";
import { type Language, LANGUAGES, type USAGE } from "./usage";

/** Which environment is meant: its id, or filters that only it matches. */
export type Wanted = { readonly id: string } | { readonly filters: EnvironmentFilters };

/** What the command line asks for. */
export interface AdoptOptions {
  readonly wanted: Wanted;
  readonly language: Language;
  /** The file for the program; standard output when left out. */
  readonly output?: string;
  /** Whether a file that exists is replaced. */
  readonly force: boolean;
}

type Given = Values<typeof USAGE.options>;

/** Reads the command line. @throws UsageError */
export function readArguments(values: Given, id?: string): AdoptOptions {
  const { output, force = false } = values;
  if (output === "") throw new UsageError("--output must be the name of a file, but is empty");
  if (force && output === undefined) throw new UsageError("--force needs --output: only a file can be replaced");
  return {
    wanted: readWanted(id, values),
    language: readLanguage(values.language, output),
    force,
    ...(output !== undefined && { output }),
  };
}

function readWanted(id: string | undefined, options: Given): Wanted {
  const filters = readFilters(options);
  const hasFilters = Object.keys(filters).length > 0;
  if (id === undefined) {
    if (!hasFilters)
      throw new UsageError("Give the id of an environment, or filters such as --repo and --pull-request");
    return { filters };
  }
  if (hasFilters) throw new UsageError("Give either the id of an environment or filters, not both");
  if (!isEnvironmentId(id))
    throw new UsageError(`The id of the environment must be a UUID, but is "${displayableName(id)}"`);
  return { id };
}

function readFilters({ name, org, repo, branch, pullRequest }: Given): EnvironmentFilters {
  for (const [option, text] of Object.entries({ name, org, repo, branch }))
    if (text === "") throw new UsageError(`--${option} must not be empty`);
  return {
    ...(name !== undefined && { name }),
    ...(org !== undefined && { orgName: org }),
    ...(repo !== undefined && { repoName: repo }),
    ...(branch !== undefined && { branch }),
    ...(pullRequest !== undefined && { pullRequestNumber: readPullRequest(pullRequest) }),
  };
}

function readPullRequest(text: string): number {
  const number = Number(text);
  if (!/^\d+$/u.test(text) || number < 1 || !Number.isSafeInteger(number))
    throw new UsageError(`--pull-request must be the number of a pull request, but is ${JSON.stringify(text)}`);
  return number;
}

function readLanguage(text: string | undefined, output: string | undefined): Language {
  if (text === undefined) return /\.ya?ml$/iu.test(output ?? "") ? "yaml" : "typescript";
  return choiceOf("--language", LANGUAGES, text);
}
