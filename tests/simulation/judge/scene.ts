import type { BuildView, World } from "../../../provider/src/sandbox";
import type { Operation } from "../../support/engine-steps";
import type { EngineModel } from "../../support/engine-model";
import type { Stored } from "../../support/engine-steps";
import type { History } from "../history";
import { keyOf, type Ledger } from "../ledger";
import { ignoresChanges, type ProgramModel } from "../program/model";
import type { Timeline } from "../timeline";
import { heldNames } from "../state-view";
import { type Wanted, wantedVariables } from "../program/wanted";

/** What is known of a run as it begins, for those who judge it. */
interface RunBeginning {
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  readonly model: ProgramModel;
  readonly startMoment: number;
  /** Environments that did not exist, or were deleted, at some moment of it. */
  readonly gone: Set<string>;
  /** Whether nothing happens in it that keeps the provider from knowing what it did. */
  readonly isTraceable: boolean;
  /** Whether nothing goes wrong in it. */
  readonly isCalm: boolean;
  /** Whether every route answers 404. */
  readonly isUnrouted: boolean;
  /** Whether the program tells each set what its other resources declare. */
  readonly isTold: boolean;
  /** A name that stands in the program without a value. */
  readonly blank: string | undefined;
  /** The resources that it is about. `undefined` means all. */
  readonly targets: readonly string[] | undefined;
  /** The resources that it leaves out: the engine does not show what they declare. */
  readonly excludes: readonly string[];
  /** Environments that were stopped, retired or deleted when it began. */
  readonly asleep: ReadonlySet<string>;
}

/** The same, with what has happened in it so far. */
export interface RunFacts extends RunBeginning {
  /** Environments and names that others, or requests that came too late, changed while it ran. */
  readonly touched: Set<string>;
  /** What state had of resources that a delete of this run is about. */
  readonly leaving: Set<Stored>;
  /** Resources of which a step failed. */
  readonly failed: Set<string>;
  /** Whether others did something while it ran, or a request of an earlier run arrived. */
  others: boolean;
  /** Builds that it caused, by environment. */
  readonly builds: Map<string, number>;
  /** Environments that it started: a service may build whatever it starts. */
  readonly started: Set<string>;
  /** Names that an update took out of state because another resource declares them. */
  readonly handedOver: { readonly environmentId: string; readonly name: string }[];
  /** Resources whose declaration the provider has seen. */
  readonly checked: Set<string>;
  /** Resources of which the provider has said what is to be done. */
  readonly decided: Set<string>;
  /** What the engine does with a resource. */
  readonly operations: Map<string, Operation>;
  /** How often the service did what is to be done once, by resource. */
  readonly deeds: Map<string, number>;
  /** Environments and names that were deleted before it could say so: the resource that holds them has to write them again. */
  readonly debts: Set<string>;
}

/** A run as it begins. */
export function factsOf(beginning: RunBeginning): RunFacts {
  return {
    ...beginning,
    touched: new Set(),
    leaving: new Set(),
    failed: new Set(),
    others: false,
    builds: new Map(),
    started: new Set(),
    handedOver: [],
    checked: new Set(),
    decided: new Set(),
    operations: new Map(),
    deeds: new Map(),
    debts: new Set(),
  };
}

/** What judges look at. */
export interface Surroundings {
  readonly history: History;
  readonly environmentIds: readonly string[];
  readonly world: World;
  readonly ledger: Ledger;
  readonly engine: EngineModel;
  readonly timeline: Timeline;
}

/** The run that goes on, before everything that there is: what all judges ask. */
export class Scene {
  readonly surroundings: Surroundings;
  #facts: RunFacts | undefined;
  #owned: ReadonlySet<string> = new Set();

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  begin(facts: RunFacts): void {
    this.#facts = facts;
    this.#owned = new Set(
      this.surroundings.environmentIds.flatMap((id) =>
        this.all().flatMap((one) => heldNames(one, id).map((name) => keyOf(id, name))),
      ),
    );
  }

  /** What state has of all resources, those included that were replaced and are about to be deleted. */
  all(): readonly Stored[] {
    const { state, doomed } = this.surroundings.engine;
    return [...state.values(), ...[...doomed].map(({ stored }) => stored)];
  }

  /** Builds of an environment, the newest first. None when the service does not have it. */
  builds(environmentId: string): readonly BuildView[] {
    const { world } = this.surroundings;
    return world.environments.get(environmentId) === undefined ? [] : world.builds(environmentId);
  }

  get run(): RunFacts {
    if (this.#facts === undefined) throw new Error("no run has begun");
    return this.#facts;
  }

  indexOf(environmentId: string): number {
    return this.surroundings.environmentIds.indexOf(environmentId);
  }

  /** What the program declares in an environment. */
  wanted(environmentId: string): ReadonlyMap<string, Wanted> {
    return wantedVariables(this.run.model, this.indexOf(environmentId));
  }

  isTouched(environmentId: string, name: string): boolean {
    return this.run.touched.has(keyOf(environmentId, name));
  }

  /** Whether some state had a name as the run began: it may have left that state since for the resource that declares it. */
  wasOwned(environmentId: string, name: string): boolean {
    return this.#owned.has(keyOf(environmentId, name));
  }

  /** Whether changes of a resource are ignored: what is declared is not what is sent then. */
  isIgnored(owner: string): boolean {
    return ignoresChanges(this.run.model, owner);
  }
}

export function isSameScope(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join("\n") === other.toSorted().join("\n");
}
