import { createHash } from "node:crypto";
import type { Project } from "./model";
import type { Store } from "./store";

/** A commit identifier that depends on repository, branch and the commits pushed by hand, on nothing else. */
export function commitHash(store: Store, project: Pick<Project, "orgName" | "repoName" | "branch">): string {
  const key = commitKey(project);
  return createHash("sha1")
    .update(`${key}@${store.commits.get(key) ?? 0}`)
    .digest("hex");
}

/** Where the store counts the commits of a branch. */
export function commitKey(project: Pick<Project, "orgName" | "repoName" | "branch">): string {
  return `${project.orgName}/${project.repoName}#${project.branch}`;
}

/** The project on another branch, with that branch's commit. */
export function switched(store: Store, project: Project, branch: string | undefined): Project {
  const moved = { ...project, branch: branch ?? project.branch };
  return { ...moved, commitHash: commitHash(store, moved) };
}
