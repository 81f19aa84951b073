import * as z from "zod";
import type { Environment } from "../client/environments";
import type { Build } from "../client/builds";
import { type Properties, StateShape } from "../framework/properties";
import { inputs } from "./branches-inputs";
import type { Branches } from "./projects";

/** A build that is due, and was not seen to succeed. One that was `asked` is itself the `HistoryMark` of its request. */
export const pendingBuildSchema = z.looseObject({
  v: z.literal(1),
  /** The declared branches then: a service may show them only after the build. */
  branches: z.record(z.string(), z.string()),
  /**
   * - `owed`: the next `up` must request it, unless it is `asleep`: nothing was sent, no effect of the request was seen, or the build failed.
   * - `asked`: the service accepted it, or a refresh or an `up` has found it running. `before` and `busy` mark the build history right before the
   *   request, or when it was found.
   */
  status: z.enum(["owed", "asked"]),
  before: z.array(z.string()).optional(),
  busy: z.literal(true).optional(),
  /** The build is postponed: the environment did not run. It makes no difference until a refresh sees the environment running. */
  asleep: z.literal(true).optional(),
});
export type PendingBuild = z.output<typeof pendingBuildSchema>;

/** The part of the state of an EnvironmentBranches that is read. */
const schema = z.looseObject({
  branches: z.record(z.string(), z.string()).optional(),
  originalBranches: z.record(z.string(), z.string()).optional(),
  onDestroy: inputs.shape.onDestroy.unwrap().optional(),
  whenStopped: inputs.shape.whenStopped.unwrap().optional(),
  waitForBuild: inputs.shape.waitForBuild.unwrap().optional(),
  build: z.looseObject({ id: z.string() }).optional(),
  pending: pendingBuildSchema.optional(),
});

export type StoredBranches = z.output<typeof schema>;

export const branchesShape = new StateShape("EnvironmentBranches", schema);

/** The part of stored state, or of inputs, that later calls need. @throws UnreadableStateError */
export function parseState(state: Properties): StoredBranches {
  return branchesShape.parse(state);
}

/** The pending build that the next `up` has to look after. None while it is postponed, and none that was accepted and is not waited for. */
export function buildForNextUp({ pending, waitForBuild = true }: StoredBranches): PendingBuild | undefined {
  if (pending === undefined || pending.asleep === true) return undefined;
  return pending.status === "owed" || waitForBuild ? pending : undefined;
}

/** Whether state has this repository neither as a declared nor as an original one: it has joined the environment since the create. */
export function isNewRepository(repo: string, { branches = {}, originalBranches = {} }: StoredBranches): boolean {
  return !Object.hasOwn(branches, repo) && !Object.hasOwn(originalBranches, repo);
}

/** A build of these branches that an `up` must request. */
export function owedBuild(branches: Branches): PendingBuild {
  return { v: 1, status: "owed", branches };
}

/** A pending build without `asleep`. */
export function withoutAsleep(pending: PendingBuild): PendingBuild {
  const { asleep: _asleep, ...rest } = pending;
  return rest;
}

/** Outputs that describe the environment. */
export function environmentOutputs({ name, url, ready, projects }: Environment): Properties {
  return { name, url, ready, projects };
}

/** The `build` output. */
export function buildOutput(build: Build | undefined): Properties | undefined {
  if (build === undefined) return undefined;
  const { id, successfullyBuilt, queuedAt } = build;
  return { id, successfullyBuilt, queuedAt };
}
