import type { World } from "../../provider/src/sandbox/domain/world";

/** Repositories of every environment of the simulation. */
export const REPOSITORIES = ["web", "api"] as const;

/** A variable that others manage, that no set prunes, and that programs look at. */
export const SHARED = "KEPT_SHARED";

/** Names of the environments of the simulation. */
export const ENVIRONMENTS = ["one", "two", "three"] as const;

/** The environment that may be removed for good, counted from 0: only what is declared for each environment is there. */
export const REMOVABLE = 2;

/** An environment of the simulation. */
export function seedOf(name: string) {
  return {
    name,
    // More than a page of history.
    builds: 25,
    projects: REPOSITORIES.map((repoName) => ({ repoName, branch: "main" })),
    variables: [
      { name: "HAND_MADE", value: "hand-made", hidden: false },
      { name: "KEPT_SECRET", value: "zz-nobody-declares-this-zz", hidden: true },
      { name: SHARED, value: "zz-shared-by-somebody-zz", hidden: true },
    ],
  };
}

/** Whether an environment does not run. */
export function isAsleep(world: World, id: string): boolean {
  const { stopped = false, retired = false, deleted = false } = world.environments.get(id) ?? {};
  return stopped || retired || deleted;
}

/** Whether an environment is deleted, or was never there. */
export function isGone(world: World, id: string): boolean {
  const environment = world.environments.get(id);
  return environment === undefined || environment.deleted;
}

/** Which environments are gone, and which do not run. */
export function conditionsOf(world: World, ids: readonly string[]): Record<"gone" | "asleep", Set<string>> {
  return {
    gone: new Set(ids.filter((id) => isGone(world, id))),
    asleep: new Set(ids.filter((id) => isAsleep(world, id))),
  };
}
