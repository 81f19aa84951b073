import { commitHash } from "./commits";
import { MICROS_PER_MS, MS_PER_SECOND } from "./timestamps";
import { type Build, type Environment, isRunning, type Project } from "./model";
import type { Store } from "./store";

/** Queues a build of what the environment asks for. One that is still in flight is superseded and ends unsuccessfully, or goes first. */
export function queueBuild(store: Store, environment: Environment): Build {
  if (store.choices.buildWhileBuilding === "supersedes") endInFlight(store, environment);
  const beginsAtMs = inFlight(store, environment)?.finishesAtMs ?? store.clock.now();
  const nowMs = store.clock.now();
  const { fails = false, seconds = store.buildSeconds } = environment.nextBuild;
  environment.nextBuild = {};
  environment.projects = environment.projects.map((project) => ({
    ...project,
    commitHash: commitHash(store, project),
  }));
  const build: Build = {
    id: store.newId(),
    projects: environment.projects,
    queuedAtMicros: nextQueuedMicros(store, nowMs),
    beginsAtMs,
    finishesAtMs: beginsAtMs + seconds * MS_PER_SECOND,
    fails,
    outcome: "inFlight",
  };
  environment.builds.push(build);
  return build;
}

/** A timestamp in microseconds that is later than every one given before, unless the service's clock was set back. */
export function nextQueuedMicros(store: Store, atMs: number): number {
  store.lastQueuedMicros = Math.max(store.lastQueuedMicros + 1, Math.floor((atMs - store.clockBackMs) * MICROS_PER_MS));
  return store.lastQueuedMicros;
}

/** The latest build, if it is in flight. Builds whose time is over are finished first, and are not in flight any more. */
export function inFlight(store: Store, environment: Environment): Build | undefined {
  return allInFlight(store, environment).at(-1);
}

/** Every build that is in flight, oldest first. */
function allInFlight(store: Store, environment: Environment): readonly Build[] {
  const open = environment.builds.filter(({ outcome }) => outcome === "inFlight");
  for (const build of open) if (store.clock.now() >= build.finishesAtMs) finish(environment, build);
  return open.filter(({ outcome }) => outcome === "inFlight");
}

/** Ends the builds in flight now, the way they would have ended. */
export function finishInFlight(store: Store, environment: Environment): void {
  for (const build of allInFlight(store, environment)) {
    build.finishesAtMs = store.clock.now();
    finish(environment, build);
  }
}

/** Ends the builds in flight unsuccessfully: cancelled, superseded, or their environment was stopped. */
export function endInFlight(store: Store, environment: Environment): void {
  for (const build of allInFlight(store, environment)) {
    build.finishesAtMs = store.clock.now();
    build.outcome = "failed";
  }
}

/** Whether the environment shows `processing`. */
export function isProcessing(store: Store, environment: Environment): boolean {
  return allInFlight(store, environment).some((build) => hasStarted(store, build));
}

/** Whether the environment shows `ready`: its latest build succeeded and it runs. */
export function isReady(store: Store, environment: Environment): boolean {
  if (!isRunning(environment)) return false;
  const building = inFlight(store, environment);
  if (building === undefined) return environment.builds.at(-1)?.outcome === "succeeded";
  if (hasStarted(store, building) && !store.choices.readyWhileBuilding) return false;
  return environment.builds.at(-2)?.outcome === "succeeded";
}

/** The builds the history shows, in its order. */
export function listedBuilds(store: Store, environment: Environment): Build[] {
  const building = allInFlight(store, environment);
  const listed = environment.builds.filter((build) => !building.includes(build) || isListed(store, build));
  const { historyOrder } = store.choices;
  if (historyOrder === "byTime") return listed.toSorted((one, other) => other.queuedAtMicros - one.queuedAtMicros);
  return historyOrder === "newestFirst" ? listed.toReversed() : listed;
}

/** The projects an environment shows. */
export function shownProjects(store: Store, environment: Environment): readonly Project[] {
  inFlight(store, environment);
  return store.choices.branchesShown === "immediately" ? environment.projects : environment.deployed;
}

function isListed(store: Store, building: Build): boolean {
  const { buildListed } = store.choices;
  return buildListed === "immediately" || (buildListed === "whenProcessing" && hasStarted(store, building));
}

function hasStarted(store: Store, build: Build): boolean {
  const { processingStarts, processingDelaySeconds } = store.choices;
  const delayMs = processingStarts === "immediately" ? 0 : processingDelaySeconds * MS_PER_SECOND;
  return store.clock.now() >= build.beginsAtMs + delayMs;
}

function finish(environment: Environment, build: Build): void {
  build.outcome = build.fails ? "failed" : "succeeded";
  if (!build.fails) environment.deployed = build.projects;
}
