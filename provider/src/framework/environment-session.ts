import type { EnvVar } from "../client/env-vars";
import type { Properties } from "./properties";

/** What is taken in turns, and owned name by name. */
export type NameKind = "variables" | "branches";

/** What the resources of one run know and do of one environment. */
export interface EnvironmentSession {
  /** Its id in the one spelling that all resources of the run share. */
  readonly key: string;
  readonly variables: OwnedNames;
  readonly branches: OwnedNames;
  readonly builds: BuildRequests;
  readonly reading: SharedVariables;
  /** The state that an EnvironmentState of the program declares, if one was checked by now. */
  wantedState: "running" | "stopped" | undefined;
  /** Runs actions of the same kind one after the other, in the order they came. */
  withLock<T>(kind: NameKind, action: () => Promise<T>): Promise<T>;
  /** Notes inputs that the program of this run declares: the engine checks exactly those. */
  declare(inputs: Properties): void;
  /** Whether the program of this run declares these inputs. A diff alone does not tell: the engine also asks for one in a
   * refresh, of resources that the program has dropped and that are about to be deleted. */
  isDeclared(inputs: Properties): boolean;
  /** The one `kind` of this environment, made when it is first asked for. */
  part<T>(kind: new (environment: EnvironmentSession) => T): T;
}

/**
 * Names that some resource of this run owns: it wrote them, took them over, or is unchanged. An update or delete of another
 * resource leaves them alone, so that renaming a Pulumi resource, a forced replace, or moving a name from one set to another
 * hands the variable over instead of losing it.
 */
export interface OwnedNames {
  /** A resource has written the names, or taken them over. */
  take(names: Iterable<string>): void;
  /** A resource keeps the names, as its diff says: for good, or until the state with this `ownerId` is released. */
  keep(names: readonly string[], ownerId: string | undefined): void;
  /** The state is about to be deleted, maybe to be replaced: its diff was the last that it had to say. */
  release(ownerId: string): void;
  /** Notes that an update or delete takes the name away now. False, and noted as left, when a resource owns it. */
  delete(name: string): boolean;
  isOwned(name: string): boolean;
  /** Whether a delete of this run left a name: what is there is the run's own, even if the program changes it. */
  isLeft(name: string): boolean;
  /** Whether a name was taken away, and has not been written or taken over since. */
  isDeleted(name: string): boolean;
}

/** What this run has sent that bears on the environment's builds. */
export interface BuildRequests {
  /** A request that may begin a build is about to leave. */
  note(): void;
  /** Whether one such request at most has left so far. One that got no answer may show by a build that begins after it; that
   * is a trace of it only when nothing else of this run can have begun one. */
  readonly isSingle: boolean;
  /** A request that changes variables is about to leave. */
  noteVariableChange(): void;
  /** Whether such a request has left. A build that was there before may be without the change, and the service does not
   * always show that: its times have whole seconds, and of a deleted variable nothing is left. */
  readonly haveVariablesChanged: boolean;
}

/**
 * The environment's variables, in a read that several resources share for a short time, so that refreshing N of them costs
 * one request. Never kept across a write: an answered one is merged in, an ambiguous one drops the read.
 */
export interface SharedVariables {
  /** What `load` gave, a moment ago or now, with what was written since; `undefined` when the environment is gone. */
  get(load: () => Promise<VariablesByName | undefined>): Promise<VariablesByName | undefined>;
  /** The service answered a write of this run; `undefined` for what was deleted. */
  merge(name: string, variable: EnvVar | undefined): void;
  /** What the service holds is not certain any more. */
  drop(): void;
}

type VariablesByName = ReadonlyMap<string, EnvVar>;
