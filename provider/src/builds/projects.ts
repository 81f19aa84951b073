import type { Build } from "../client/builds";
import type { BranchChange, Environment, Project } from "../client/environments";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { didYouMean } from "../command/did-you-mean";
import { RefusedError } from "../framework/resource-errors";
import { isDeclarableLine, isMapKey } from "../framework/name-rules";

/** Repository name -> branch. */
export type Branches = Readonly<Record<string, string>>;

/** The branch of every repository of an environment. */
export function branchesOf({ projects }: Pick<Environment, "projects">): Branches {
  return Object.fromEntries(projects.map(({ repoName, branch }) => [repoName, branch]));
}

/** A repository of an environment, as far as its names and its branch matter. */
export type Repository = BranchChange & Pick<Project, "orgName">;

/**
 * Why no program can declare the branch of a repository: what follows its name. A branch change names every repository of the
 * environment, and no organization. So where two have one name, nobody can say which of them gets which branch.
 */
export function whyNotDeclarable(
  { repoName, branch }: Repository,
  projects: readonly Repository[],
): string | undefined {
  if (repoName === "") return "has an empty name";
  if (!isMapKey(repoName) || !isDeclarableLine(repoName)) return "has a name that a map in a program cannot have";
  if (!isDeclarableLine(branch)) return "has a branch that no program can declare";
  const namesakes = namesakesAmong(projects);
  return namesakes === undefined ? undefined : `is in one environment with ${namesakes}, which have one name`;
}

/** The branches that a program can declare. `leftOut`: the others for people, with the reasons, or "". */
export function declarableBranches({ projects }: Environment): {
  readonly branches: Branches;
  readonly leftOut: string;
} {
  const reasons = projects.map((project) => whyNotDeclarable(project, projects));
  const leftOut = projects.flatMap(({ repoName }, index) =>
    reasons[index] === undefined ? [] : `"${displayableName(repoName)}", because it ${reasons[index]}`,
  );
  return {
    branches: branchesOf({ projects: projects.filter((_project, index) => reasons[index] === undefined) }),
    leftOut: [...new Set(leftOut)].join("; "),
  };
}

/** Repositories of one name, for people: `acme/web and partner/web`. `undefined` when each name is there once. */
export function namesakesAmong(projects: readonly Repository[]): string | undefined {
  const groups = [...Map.groupBy(projects, ({ repoName }) => repoName).values()];
  const namesakes = groups.find(({ length }) => length > 1);
  return namesakes
    ?.map(({ orgName, repoName }) => displayableName(orgName === "" ? repoName : `${orgName}/${repoName}`))
    .join(" and ");
}

/** Every repository with the branch that it shall have. The specification: "the array must contain a repo/branch entry
 * for every repo already in the environment, even if only one branch changes". */
export function allBranches({ projects }: Environment, branches: Branches): readonly BranchChange[] {
  const declared = new Map(Object.entries(branches));
  return projects.map(({ repoName, branch }) => ({ repoName, branch: declared.get(repoName) ?? branch }));
}

/** Whether an environment has another branch than declared. A repository that it lacks does not count. */
export function hasOtherBranches({ projects }: Environment, branches: Branches): boolean {
  return projects.some(({ repoName, branch }) => Object.hasOwn(branches, repoName) && branches[repoName] !== branch);
}

/** Whether a build has the declared branches. */
export function hasBranches(build: Build, branches: Branches): boolean {
  return Object.entries(branches).every(([repoName, branch]) =>
    build.projects.some((project) => project.repoName === repoName && project.branch === branch),
  );
}

/** `web@feature/checkout (1a2b3c4)`, for a person who looks for a broken commit. */
export function describeProjects(
  projects: readonly { readonly repoName: string; readonly branch: string; readonly commitHash?: string }[],
): string {
  const text = projects
    .map(
      ({ repoName, branch, commitHash }) => `${repoName}@${branch}${commitHash ? ` (${commitHash.slice(0, 10)})` : ""}`,
    )
    .join(", ");
  return displayable(text);
}

/**
 * @throws RefusedError when branches are declared and two repositories of the environment have one name, or a declared repository is not one of
 * the environment's. Lists those it has. What a deleted one has is not specified: it may have its repositories once it is revived.
 */
export function refuseUndeclarable(environment: Environment, repositories: readonly string[]): void {
  if (repositories.length > 0)
    refuseNamesakes(
      environment,
      "declare the branches",
      "Leave `branches` out: `rebuildOn` alone rebuilds the environment.",
    );
  const names = environment.projects.map(({ repoName }) => repoName);
  const unknown = repositories.filter((repoName) => !names.includes(repoName));
  if (unknown.length === 0 || environment.deleted) return;
  const hint = unknown.length === 1 ? didYouMean(unknown[0] ?? "", names.map(displayableName)) : "";
  throw new RefusedError(
    `environment ${environmentTitle(environment)} has no repository ${quoted(unknown)}. ` +
      `It has ${quoted(names) || "none"}.${hint} Nothing was changed.`,
  );
}

/**
 * @param attempt Such as `declare the branches`, of the environment.
 * @throws RefusedError when two repositories of the environment have one name
 */
export function refuseNamesakes(environment: Environment, attempt: string, advice: string): void {
  const namesakes = namesakesAmong(environment.projects);
  if (namesakes === undefined) return;
  throw new RefusedError(
    `cannot ${attempt} of environment ${environmentTitle(environment)}: it has ${namesakes}, and a branch change names no organization. ` +
      `${advice} Nothing was changed.`,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${displayableName(name)}"`).join(", ");
}
