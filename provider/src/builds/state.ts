import * as z from "zod";
import type { Build } from "../client/builds";
import type { Environment } from "../client";
import type { Properties } from "../framework/properties";
import { readStored } from "../framework/stored-state";
import { type Branches, branchesOf } from "./projects";

/** A build that was requested and has not been seen to succeed; the next `up` looks at it first. */
export const pendingSchema = z.looseObject({
  v: z.literal(1),
  /** Ids of the builds in history before the request. */
  before: z.array(z.string()),
  /** The branches it was requested for: a service may show them only after the build. */
  branches: z.record(z.string(), z.string()).optional(),
  /** No answer came: the request may never have reached the service. */
  unanswered: z.boolean().optional(),
  /** The service was seen working on it. */
  started: z.boolean().optional(),
  /** Id of the build that failed or was late: unless it runs by now, it needs a rebuild. */
  judged: z.string().optional(),
  /** The environment could not build when an `up` looked at it last: what is owed waits until it runs again. */
  asleep: z.boolean().optional(),
});
export type Pending = z.output<typeof pendingSchema>;

/** What is read of the state of an EnvironmentBranches. */
export const storedBranches = z.looseObject({
  branches: z.record(z.string(), z.string()).optional(),
  originalBranches: z.record(z.string(), z.string()).optional(),
  onDestroy: z.enum(["retain", "restore"]).optional(),
  build: z.looseObject({ id: z.string() }).optional(),
  pending: pendingSchema.optional(),
  queued: pendingSchema.optional(),
});

/** What later calls need of stored state, or of inputs. @throws UnreadableStateError */
export function stored(state: Properties): z.output<typeof storedBranches> {
  return readStored("EnvironmentBranches", storedBranches, state);
}

/** The declared branches as the environment has them now; a repository that it lost is left out. */
export function liveBranches(environment: Environment, declared: Branches | undefined): Branches | undefined {
  if (declared === undefined) return undefined;
  return Object.fromEntries(Object.entries(branchesOf(environment)).filter(([repo]) => Object.hasOwn(declared, repo)));
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
