import type { World } from "../../provider/src/sandbox/domain/world";

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

/** Which environments are gone, do not run, and are being worked on. */
export function conditionsOf(world: World, ids: readonly string[]): Record<"gone" | "asleep" | "busy", Set<string>> {
  return {
    gone: new Set(ids.filter((id) => isGone(world, id))),
    asleep: new Set(ids.filter((id) => isAsleep(world, id))),
    busy: new Set(ids.filter((id) => world.environments.get(id)?.processing === true)),
  };
}
