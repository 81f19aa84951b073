import * as z from "zod";
import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { type Properties, StoredState } from "../framework/properties";
import { inputs } from "./inputs";

/** A build that is due, and was not seen to succeed. */
export const pendingBuildSchema = z.looseObject({
  v: z.literal(1),
  /** Ids of the builds in history before the request. */
  before: z.array(z.string()),
  /** The declared branches then: a service may show them only after the build. */
  branches: z.record(z.string(), z.string()),
  /**
   * - `notAwaited`: the service accepted the request, and `waitForBuild` is false. The next `up` has nothing to do.
   * - `ambiguous`: the request may never have reached the service.
   * - `requested`: the service accepted the request.
   * - `owed`: nothing is requested: the environment was not running, or the build was seen to fail.
   */
  status: z.enum(["notAwaited", "ambiguous", "requested", "owed"]),
  /** Of an owed build: it is needed even when the branches are as declared by now. */
  needsRebuild: z.boolean().optional(),
  /** The environment was not running at the last `up`: the build waits until a refresh sees it running. */
  postponed: z.literal(true).optional(),
});
export type PendingBuild = z.output<typeof pendingBuildSchema>;

/** What is read of the state of an EnvironmentBranches. */
const shape = z.looseObject({
  branches: z.record(z.string(), z.string()).optional(),
  originalBranches: z.record(z.string(), z.string()).optional(),
  onDestroy: inputs.shape.onDestroy.unwrap().optional(),
  whenStopped: inputs.shape.whenStopped.unwrap().optional(),
  build: z.looseObject({ id: z.string() }).optional(),
  pending: pendingBuildSchema.optional(),
});

export type StoredBranches = z.output<typeof shape>;

export const storedBranches = new StoredState("EnvironmentBranches", shape);

/** What later calls need of stored state, or of inputs. @throws UnreadableStateError */
export function parseState(state: Properties): StoredBranches {
  return storedBranches.read(state);
}

/**
 * The pending build that the next `up` has to look at: one that nobody waits for is left alone.
 * @throws UnreadableStateError
 */
export function awaitedBuild(state: Properties): PendingBuild | undefined {
  return ifAwaited(parseState(state).pending);
}

/** The pending build, unless nobody waits for it. */
export function ifAwaited(pending: PendingBuild | undefined): PendingBuild | undefined {
  return pending?.status === "notAwaited" ? undefined : pending;
}

/** Outputs that describe the environment. */
export function describeEnvironment({ name, url, ready, projects }: Environment): Properties {
  return { name, url, ready, projects };
}

/** The `build` output. */
export function describeBuild(build: Build | undefined): Properties | undefined {
  if (build === undefined) return undefined;
  const { id, successfullyBuilt, queuedAt } = build;
  return { id, successfullyBuilt, queuedAt };
}
