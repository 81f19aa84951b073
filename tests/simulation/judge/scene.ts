import type { VariableView } from "../../../provider/src/sandbox";
import type { EngineModel } from "../../support/engine-model";
import type { Operation, Stored } from "../../support/engine-steps";
import type { History } from "../history";
import { keyOf } from "../ledger";
import { mayPrune, toProgram } from "../program/inputs";
import { emptyProgram, ignoresChanges, type ProgramModel, type SimulatedProgram } from "../program/model";
import type { SimulatedService } from "../service";
import { inputNames, ownedNames, type StatedVariable, statedVariables } from "../state-view";
import type { Trouble } from "../trouble";
import { type Wanted, wantedVariables } from "../program/wanted";

const KEPT = /^(?:KEPT_.*|E)$/u;

/** A run as it is asked for. */
interface Asked {
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  readonly model: ProgramModel;
  readonly troubles: readonly Trouble[];
  /** Whether nothing happens in it that keeps the provider from knowing what it did. */
  readonly isTraceable: boolean;
  /** The resources that it is about. `undefined` means all. */
  readonly targets: readonly string[] | undefined;
}

/** What is known of a run as it begins, for those who judge it. */
interface RunBeginning extends Asked {
  readonly startMoment: number;
  /** Environments that did not exist, or were deleted, at some moment of it. */
  readonly gone: Set<string>;
  /** Environments that were stopped, retired or deleted when it began. */
  readonly asleep: ReadonlySet<string>;
}

/** What has happened in a run so far. */
class Happenings {
  /** Environments and names that others, or requests that came too late, changed while it ran. */
  readonly touched = new Set<string>();
  /** What state had of resources that a delete of this run is about. */
  readonly leaving = new Set<Stored>();
  /** Environments of which others switched a branch while it ran. */
  readonly switched = new Set<string>();
  /** Whether others did something while it ran, or a request of an earlier run arrived. */
  others = false;
  /** Builds that it caused, by environment. */
  readonly builds = new Map<string, number>();
  /** Environments that it started: a service may build whatever it starts. */
  readonly started = new Set<string>();
  /** Environments of which two earlier builds, or one that the service may show late to run, had not ended when it requested one. */
  readonly crowded = new Set<string>();
  /** What may put branches back, as state has it, or had it. */
  readonly restorers = new Set<Stored>();
  /** Names that an update took out of state because another resource has them. */
  readonly passedOn: { readonly environmentId: string; readonly name: string }[] = [];
  /** Names that its imports have looked at, by environment and name. */
  readonly imported = new Set<string>();
  /** Resources whose declaration the provider has seen. */
  readonly checked = new Set<string>();
  /** Resources of which the provider has said what is to be done. */
  readonly decided = new Set<string>();
  /** What the engine does with a resource. */
  readonly operations = new Map<string, Operation>();
}

/** A run, for those who judge it. */
export type RunFacts = RunBeginning & Happenings;

function factsOf(service: SimulatedService, asked: Asked): RunFacts {
  const { environmentIds, ledger } = service;
  const gone = new Set(environmentIds.filter((id) => service.isGone(id)));
  const asleep = new Set(environmentIds.filter((id) => service.isAsleep(id)));
  return Object.assign(new Happenings(), { ...asked, startMoment: ledger.moment, gone, asleep });
}

interface Resource {
  readonly key: string;
  readonly stored: Stored;
}

/** The run that goes on, before everything that there is: what all judges ask. */
export class Scene {
  readonly history: History;
  readonly service: SimulatedService;
  readonly engine: EngineModel;
  /** Until the first run begins, nothing has happened in a run without a program. */
  run: RunFacts;
  #kept: ReadonlySet<string> = new Set();
  /** State as the run began, with what was replaced. */
  #before: readonly Resource[] = [];
  #program: SimulatedProgram = {};

  constructor(history: History, service: SimulatedService, engine: EngineModel) {
    this.history = history;
    this.service = service;
    this.engine = engine;
    const asked = {
      kind: "preview",
      model: emptyProgram,
      troubles: [],
      isTraceable: true,
      targets: undefined,
    } as const;
    this.run = factsOf(service, asked);
  }

  begin(asked: Asked): void {
    const { kind, model } = asked;
    this.run = factsOf(this.service, asked);
    const keys = this.service.environmentIds.flatMap((id) => this.#ignoringNames(id).map((name) => keyOf(id, name)));
    this.#kept = new Set(keys);
    this.#program = kind === "up" ? toProgram(model, this.service.environmentIds) : {};
    this.#before = this.resources();
  }

  indexOf(environmentId: string): number {
    return this.service.environmentIds.indexOf(environmentId);
  }

  wanted(environmentId: string): ReadonlyMap<string, Wanted> {
    return wantedVariables(this.run.model, this.indexOf(environmentId));
  }

  isTouched(environmentId: string, name: string): boolean {
    return this.run.touched.has(keyOf(environmentId, name));
  }

  /** Whether some state that the process of a Provider may have been shown has a name, or had it as the run began: it may have left that state
   * since for the resource that declares it. */
  isShown(provider: string | undefined, environmentId: string, name: string): boolean {
    return this.#owners(environmentId, name).some(
      ({ key, stored }) => stored.provider === provider || this.#program[key]?.provider === provider,
    );
  }

  /** Whether resources of two Providers have a name, or declare it: the process of one knows nothing of the other one's (docs/limits.md). */
  isBetweenProviders(environmentId: string, name: string): boolean {
    const owners = this.#owners(environmentId, name).map(({ key, stored }) => (this.#program[key] ?? stored).provider);
    const declarer = this.run.kind === "up" ? this.wanted(environmentId).get(name)?.owner : undefined;
    const all = new Set(declarer === undefined ? owners : [...owners, this.#program[declarer]?.provider]);
    return all.size > 1;
  }

  /** Whether a resource had a name in state when the run began. */
  wasOwned(environmentId: string, name: string): boolean {
    return this.#owners(environmentId, name, this.#before).length > 0;
  }

  #owners(
    environmentId: string,
    name: string,
    among: readonly Resource[] = [...this.#before, ...this.resources()],
  ): readonly Resource[] {
    return among.filter(({ stored }) => ownedNames(stored, environmentId).includes(name));
  }

  /** What state has of all resources, with those that were replaced and are about to be deleted. */
  resources(): readonly Resource[] {
    const { state, doomed } = this.engine;
    // What was replaced goes with the Provider that it had.
    return [
      ...[...state].map(([key, stored]) => ({ key, stored })),
      ...[...doomed].map(({ stored }) => ({ key: "", stored })),
    ];
  }

  /** What state has of resources, without those that the program only looks at. */
  managed(): readonly Stored[] {
    return this.resources().flatMap(({ stored }) => (stored.isExternal === true ? [] : [stored]));
  }

  /** What their states show of a variable. */
  stated(environmentId: string, name: string): readonly StatedVariable[] {
    return this.managed()
      .flatMap((stored) => statedVariables(stored))
      .filter((variable) => variable.environmentId === environmentId && variable.name === name);
  }

  /** Whether changes of a resource are ignored: what is declared is not what is sent then. */
  isIgnored(owner: string): boolean {
    return ignoresChanges(this.run.model, owner);
  }

  /** Whether a name belongs, or belonged as the run began, to a resource whose changes are ignored, whatever declares it. */
  isKeptAsItIs(environmentId: string, name: string): boolean {
    return this.#kept.has(keyOf(environmentId, name)) || this.#ignoringNames(environmentId).includes(name);
  }

  /** What a set that prunes the environment does with a name that it does not declare. */
  pruning(environmentId: string, name: string): "deletes" | "keeps" | undefined {
    const { model } = this.run;
    const index = this.indexOf(environmentId);
    if (![model.s, model.t].some((set) => set?.environment === index && mayPrune(model, set))) return undefined;
    return KEPT.test(name) ? "keeps" : "deletes";
  }

  #ignoringNames(environmentId: string): readonly string[] {
    return [...this.engine.state].flatMap(([key, stored]) =>
      this.isIgnored(key) ? [...ownedNames(stored, environmentId), ...inputNames(stored, environmentId)] : [],
    );
  }
}

/** Whether two values are the same but for what a service may take off their ends. */
export function isSameValue(one: string | undefined, other: string): boolean {
  return one?.trim() === other.trim();
}

/** Whether a variable is there as it is to be seen: hidden or not, and by which services. */
export function isInPlace(
  found: VariableView | undefined,
  { hidden, services }: Pick<VariableView, "hidden" | "services">,
): boolean {
  return found?.hidden === hidden && isSameScope(found.services, services);
}

export function isSameScope(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join("\n") === other.toSorted().join("\n");
}
