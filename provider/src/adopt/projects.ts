import type { Project } from "../client";
import { displayableName } from "../client/error-text";
import { isDeclarableText } from "../env-vars/as-found";
import { canBeInState } from "../env-vars/variable";
import { type LeftOut, type NameRule, sortedMap } from "./left-out";

/** The branches that a program can declare as they are. */
export function separateProjects(
  projects: readonly Project[],
  rule: NameRule,
): { readonly branches: ReadonlyMap<string, string>; readonly leftOut: readonly LeftOut[] } {
  const branches = new Map<string, string>();
  const leftOut = new Map<string, string>();
  for (const { repoName, branch } of projects) {
    const reason = whyNotDeclarable(repoName, branch, projects) ?? rule(repoName);
    if (reason === undefined) branches.set(repoName, branch);
    else leftOut.set(repoName, reason);
  }
  return {
    branches: sortedMap(branches),
    leftOut: [...sortedMap(leftOut)].map(([repoName, reason]) => ({
      what: `repository "${displayableName(repoName)}"`,
      reason,
    })),
  };
}

function whyNotDeclarable(repoName: string, branch: string, projects: readonly Project[]): string | undefined {
  if (repoName === "") return "has an empty name";
  if (!canBeInState(repoName)) return "has a name that no map of a program can have";
  if (branch === "" || !isDeclarableText(branch)) return "has a branch that no program can declare";
  const sameName = projects.filter((project) => project.repoName === repoName);
  return sameName.every((project) => project.branch === branch)
    ? undefined
    : "has the name of another repository, which has another branch";
}
