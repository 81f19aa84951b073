import { parseArgs } from "node:util";
import type { EnvironmentFilters } from "../client/environments";
import { displayableName } from "../client/error-text";
import { UsageError } from "../command/command";
import { environmentIdField } from "../framework/environment-session";

/** The languages in which a program can be written. */
export const LANGUAGES = ["typescript", "yaml"] as const;
export type Language = (typeof LANGUAGES)[number];

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

/** What `--help` prints. */
export const HELP = `previewenv-adopt: writes a Pulumi program that declares a preview environment as it is

Usage: previewenv-adopt ENVIRONMENT_ID [options]
       previewenv-adopt --repo NAME --pull-request NUMBER [options]

The environment, by its id or by filters. The program then finds it in the same way:
  --name NAME            name of the environment
  --org NAME             organization of one of its repositories
  --repo NAME            name of one of its repositories
  --branch NAME          branch of one of its repositories
  --pull-request NUMBER  pull request of one of its repositories

  --language LANGUAGE    ${LANGUAGES.join(" or ")} (default: yaml when FILE ends in .yaml or .yml, else typescript)
  --output FILE          write the program to this file instead of standard output
  --force                replace FILE when it exists
  --help                 this text
  --version              the version of this package

The service's address and the token are taken from PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.
The first \`pulumi up\` of the program writes nothing to the service and starts no build. Values that the service hides are
left to it: the program has existing() in their place. Nothing hidden is printed, not even a mask.

Exit code: 0 written; 1 an error, and nothing was written.
`;

/** Reads the command line. @throws UsageError, or what `parseArgs` throws. */
export function readArguments(args: readonly string[]): AdoptOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: "string" },
      org: { type: "string" },
      repo: { type: "string" },
      branch: { type: "string" },
      "pull-request": { type: "string" },
      language: { type: "string" },
      output: { type: "string" },
      force: { type: "boolean", default: false },
    },
  });
  const { output, force } = values;
  if (output === "") throw new UsageError("--output must be the name of a file, but is empty");
  if (force && output === undefined) throw new UsageError("--force needs --output: only a file can be replaced");
  return {
    wanted: readWanted(positionals, values),
    language: readLanguage(values.language, output),
    force,
    ...(output !== undefined && { output }),
  };
}

/** The options that are filters. */
interface FilterOptions {
  readonly name?: string | undefined;
  readonly org?: string | undefined;
  readonly repo?: string | undefined;
  readonly branch?: string | undefined;
  readonly "pull-request"?: string | undefined;
}

function readWanted([id, ...others]: readonly string[], options: FilterOptions): Wanted {
  const filters = readFilters(options);
  const hasFilters = Object.keys(filters).length > 0;
  if (others.length > 0) throw new UsageError("Only one environment can be adopted at a time: give one id");
  if (id === undefined) {
    if (!hasFilters)
      throw new UsageError("Give the id of an environment, or filters such as --repo and --pull-request");
    return { filters };
  }
  if (hasFilters) throw new UsageError("Give either the id of an environment or filters, not both");
  if (!environmentIdField.safeParse(id).success)
    throw new UsageError(`The id of the environment must be a UUID, but is "${displayableName(id)}"`);
  return { id };
}

function readFilters({ name, org, repo, branch, "pull-request": pullRequest }: FilterOptions): EnvironmentFilters {
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
  const language = LANGUAGES.find((known) => known === text);
  if (language === undefined)
    throw new UsageError(`--language must be one of ${LANGUAGES.join(", ")}, but is ${JSON.stringify(text)}`);
  return language;
}
