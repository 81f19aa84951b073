import type { Build } from "../../client/builds";
import type { Environment } from "../../client";
import { RefusedError } from "../../core/partial-failure";

/** Repository name -> branch. */
export type Branches = Readonly<Record<string, string>>;

/** One repository of a branch change. */
export interface RepositoryBranch {
  readonly repoName: string;
  readonly branch: string;
}

/** The branch of every repository of an environment. */
export function branchesOf({ projects }: Environment): Branches {
  return Object.fromEntries(projects.map(({ repoName, branch }) => [repoName, branch]));
}

/** What a branch change has to send, or `undefined` when every branch is as declared. The specification: "the array
 * must contain a repo/branch entry for every repo already in the environment, even if only one branch changes". */
export function changeFor({ projects }: Environment, wanted: Branches): readonly RepositoryBranch[] | undefined {
  const declared = new Map(Object.entries(wanted));
  const entries = projects.map(({ repoName, branch }) => ({ repoName, branch: declared.get(repoName) ?? branch }));
  return entries.some(({ branch }, index) => branch !== projects[index]?.branch) ? entries : undefined;
}

/** Whether a build is one of the declared branches. */
export function carries(build: Build, wanted: Branches): boolean {
  return Object.entries(wanted).every(([repoName, branch]) =>
    build.projects.some((project) => project.repoName === repoName && project.branch === branch),
  );
}

/** `web@feature/checkout (1a2b3c4)`, for a person who looks for a broken commit. */
export function describeProjects(
  projects: readonly { readonly repoName: string; readonly branch: string; readonly commitHash?: string }[],
): string {
  return projects
    .map(
      ({ repoName, branch, commitHash }) => `${repoName}@${branch}${commitHash ? ` (${commitHash.slice(0, 10)})` : ""}`,
    )
    .join(", ");
}

/** @throws RefusedError when a declared repository is not one of the environment's; lists those it has. */
export function refuseStrangers(environment: Environment, wanted: Branches): void {
  const names = environment.projects.map(({ repoName }) => repoName);
  const strangers = Object.keys(wanted).filter((repoName) => !names.includes(repoName));
  if (strangers.length === 0) return;
  throw new RefusedError(
    `environment ${title(environment)} has no repository ${strangers.map((name) => `"${name}"`).join(", ")}; ` +
      `it has ${names.map((name) => `"${name}"`).join(", ") || "none"}. Nothing was changed.`,
  );
}

/** @throws RefusedError when an environment is not in a state that can build. */
export function refuseDormant(environment: Environment, attempt: string): void {
  const flag = (["deleted", "retired", "stopped"] as const).find((name) => environment[name]);
  if (flag === undefined) return;
  throw new RefusedError(
    `cannot ${attempt} of environment ${title(environment)}: it is ${flag}. Bring it back first, with an ` +
      `EnvironmentState whose state is "running" or in the dashboard. Nothing was changed.`,
  );
}

/** An environment as messages name it. */
export function title({ id, name }: Environment): string {
  return `${name} (${id})`;
}
