import type { Environment } from "../client/environments";
import type { Clock } from "../client/clock";
import { NameLock } from "./name-lock";
import { NamesInRun } from "./names-in-run";
import { SharedRead } from "./shared-read";
import { SharedVariables } from "./shared-variables";

/** The knowledge and the locks of one environment, for all resources of one run. */
export class EnvironmentInRun {
  /** Its id in the one spelling that all resources of the run share. */
  readonly key: string;
  /** The knowledge of the run about names of variables. */
  readonly names = new NamesInRun();
  /** Repositories whose branch some resource of the program declares. A destroy declares none. */
  readonly declaredRepositories = new Set<string>();
  readonly environmentCache: SharedRead<Environment | undefined>;
  readonly variableCache: SharedVariables;
  /** The same for deletes of resources. They come last: what the resources of another Provider have written until then must count. */
  readonly variableCacheForDeletes: SharedVariables;
  /** Whether somebody was told that it is gone or deleted: once in a run is enough. */
  isToldAbsent = false;
  /** The same of one that the program does not list any more. */
  isToldDropped = false;
  /** Whether the program declares something of it because a list has it. */
  isFromList = false;
  /** Whether a create or update of something of it has failed: then the run deletes none of its resources. */
  hasFailure = false;
  /** For a resource that writes or deletes variables, by their names. */
  readonly variableLock = new NameLock();
  /** For a resource that changes all branches, by the name `branches`, or whether the environment runs, by the name `state`. */
  readonly actionLock = new NameLock();
  /**
   * Variables that a Diff of this run has shown as deleted. Another resource may declare them. If none does, a `get` of one warns, and so does
   * the preview of a build that requires one.
   */
  readonly droppedVariables = new Set<string>();
  /** Fingerprints of states that a refresh of this run has answered, with other inputs than state had. */
  readonly drifted = new Set<string>();
  /** Fingerprints of states that an import of this run has answered. An import only looks: what the program does not declare is not deleted. */
  readonly imported = new Set<string>();
  /** Whether the program declares variables of it whose names a preview does not know yet. */
  hasUnknownNames = false;

  constructor(key: string, clock: Clock) {
    this.key = key;
    this.environmentCache = new SharedRead(clock);
    this.variableCache = new SharedVariables(clock);
    this.variableCacheForDeletes = new SharedVariables(clock);
  }
}
