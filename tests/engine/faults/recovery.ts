import { expect } from "chai";
import type { Run } from "../harness/cli";
import type { Project } from "../harness/project";
import { type Engine, until } from "../harness/suite";
import { type Boundary, crash, type Victim, type Wreck } from "./crash";

/** Every boundary instead of a choice: `npm run faults`. */
export const EVERYWHERE = process.env["PREVIEWENV_FAULTS"] === "all";

/** One crash to recover from. */
export interface Case extends Boundary {
  readonly victim: Victim;
}

/** A case in the words of a title. */
export function titleOf({ position, victim, moment, label = "request" }: Case): string {
  const where = moment === "before" ? "before the service acted on" : "after the service acted on";
  return `${victim} killed ${where} ${label} ${position + 1}`;
}

/** Runs a command, kills one of its processes at a boundary, and takes away the lock that a killed engine leaves. */
export async function crashed(
  engine: Engine,
  project: Project,
  { environmentId, victim, ...boundary }: Case & { readonly environmentId: string },
  command: readonly string[],
): Promise<Wreck> {
  const wreck = await crash(engine, project, { environmentId, boundary, victim }, command);
  if (victim === "engine") await project.succeed("cancel", "--yes");
  else expect(wreck.run?.code, wreck.run?.text).to.equal(1);
  return wreck;
}

/** Nothing is left to do: the program is as the service, and as state. */
export async function isClean(project: Project): Promise<void> {
  await project.preview("--refresh", "--expect-no-changes");
}

/** Runs an `up`; the build it asks for, or finds running, ends once it has looked at it. */
export async function upWithBuild(engine: Engine, project: Project, environmentId: string): Promise<Run> {
  const { journal, world } = engine.sandbox;
  const mark = journal.mark();
  let over = false;
  const up = project.up().finally(() => (over = true));
  const isWatched = (): boolean => {
    const seen = journal.since(mark).filter((entry) => entry.environmentId === environmentId && entry.status !== 0);
    return seen.some(({ label }) => label === "GET /build-history") && isBuilding();
  };
  const isBuilding = (): boolean => world.environments.get(environmentId)?.processing === true;
  await until("the up looks at its build", () => over || isWatched());
  world.finishBuilds(environmentId);
  return up;
}
