import { extname } from "node:path";
import type { EnvironmentFilters } from "../client/environments";
import { choiceOf, UsageError } from "../command/mistake";
import type { Values } from "../command/usage";
import { environmentIdField } from "../framework/fields";
import { type Language, LANGUAGES, type USAGE } from "./usage";

/** Which environment is meant: its id, or filters that only it matches. */
export type Selector = { readonly id: string } | { readonly filters: EnvironmentFilters };

/** The wishes of the command line. */
export interface AdoptOptions {
  readonly selector: Selector;
  readonly language: Language;
  /** The file for the program. Standard output when left out. */
  readonly output?: string;
  /** Whether a file that exists is replaced. */
  readonly force: boolean;
}

type Given = Values<typeof USAGE.options>;

/** Reads the command line. @throws UsageError */
export function readArguments(values: Given, id?: string): AdoptOptions {
  const { output, force = false } = values;
  return {
    selector: readSelector(id, values),
    language: readLanguage(values.language, output),
    force,
    ...(output !== undefined && { output }),
  };
}

function readSelector(id: string | undefined, { name, org, repo, branch, pullRequest }: Given): Selector {
  const filters: EnvironmentFilters = {
    ...(name !== undefined && { name }),
    ...(org !== undefined && { orgName: org }),
    ...(repo !== undefined && { repoName: repo }),
    ...(branch !== undefined && { branch }),
    ...(pullRequest !== undefined && { pullRequestNumber: readPullRequest(pullRequest) }),
  };
  const hasFilters = Object.keys(filters).length > 0;
  if (id === undefined && !hasFilters)
    throw new UsageError("Give the id of an environment, or filters such as --repo and --pull-request");
  if (id !== undefined && hasFilters) throw new UsageError("Give either the id of an environment or filters, not both");
  if (id === undefined) return { filters };
  if (!environmentIdField.safeParse(id).success)
    throw new UsageError(`The id of an environment must be a UUID, but is ${JSON.stringify(id)}`);
  return { id };
}

function readPullRequest(text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  throw new UsageError(`--pull-request must be a number, but is ${JSON.stringify(text)}`);
}

function readLanguage(text: string | undefined, output: string | undefined): Language {
  if (text !== undefined) return choiceOf("--language", LANGUAGES, text);
  const extension = extname(output ?? "");
  if (/^\.ya?ml$/iu.test(extension)) return "yaml";
  if (/^(?:\.[cm]?ts)?$/iu.test(extension)) return "typescript";
  throw new UsageError(
    `--output: the program is TypeScript or YAML, and ${JSON.stringify(extension)} is for neither. Give --language, or another file`,
  );
}
