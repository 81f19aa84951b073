import type { BuildView, VariableView } from "../../provider/src/sandbox";
import { isMap, type Properties } from "../../provider/src/core/properties";
import type { Reply } from "../../provider/src/sandbox/router";
import type { Operation } from "../support/mini-engine";
import type { SimulatedEngine, Stored } from "./engine";
import type { Ledger } from "./ledger";
import type { SimulatedRequest } from "./network";
import { mayPrune, nameOf, type ProgramModel, type Wanted, wantedVariables } from "./program";
import { ownedNames, STAND_IN, type StatedVariable, statedVariables } from "./state-view";
import type { WireAnswer } from "./trouble";
import { hold } from "./violation";

/** What a run is, for those who judge it. */
export interface RunFacts {
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  readonly model: ProgramModel;
  readonly startMoment: number;
  /** Environments and names that others, or requests that came too late, changed while it ran. */
  readonly touched: Set<string>;
  /** Environments that did not exist, or were deleted, at some moment of it. */
  readonly gone: Set<string>;
  /** Whether nothing happens in it that keeps the provider from knowing what it did. */
  readonly isTraceable: boolean;
  /** Whether others did something while it ran. */
  others: boolean;
  /** Builds that it caused, by environment. */
  readonly builds: Map<string, number>;
  /** Resources of which the provider has said what is to be done. */
  readonly decided: Set<string>;
  /** Names that were deleted before it could say so, with the resource that holds them: it has to write them again. */
  readonly debts: Map<string, string>;
}

/** An operation that ended, as OperationWitness and Witness of the engine model tell of it. */
interface Ended {
  readonly name: string;
  readonly operation: Operation;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
  readonly marked: Properties;
  readonly startMoment: number;
}

interface Surroundings {
  readonly ledger: Ledger;
  readonly environmentIds: readonly string[];
  readonly engine: () => SimulatedEngine;
  readonly nowMs: () => number;
  readonly builds: (environmentId: string) => readonly BuildView[];
  readonly batchSize: number;
}

const MS_PER_SECOND = 1000;
const LONGEST_PAUSE_SECONDS = 60;
const TOO_MANY_REQUESTS = 429;
const SUCCESS_TO = 300;
const KEPT = /^KEPT_/u;
const BUILD_LABELS: readonly string[] = ["PATCH /environment", "POST /environment", "POST /rebuild"];
/** Masks of values from this length on show a piece of the value. */
const MASKED_IN_PART = 10;

/** Holds every request, answer and stored state against the promises. */
export class Judge {
  /** Values that programs have ever declared, by environment and name. */
  readonly #declared = new Map<string, Set<string>>();
  readonly #surroundings: Surroundings;
  #facts: RunFacts | undefined;
  readonly #pausedUntilMs = new Map<number, number>();
  readonly #cancelled = new Set<number>();
  /** The run that a request belongs to, and what the provider had decided about when it left: it could not know more. */
  readonly #left = new WeakMap<SimulatedRequest, { readonly facts: RunFacts; readonly decided: ReadonlySet<string> }>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** The run that begins. */
  begin(facts: RunFacts): void {
    this.#facts = facts;
    for (const [index, environmentId] of this.#surroundings.environmentIds.entries())
      for (const [name, { value }] of wantedVariables(facts.model, index)) {
        const key = keyOf(environmentId, name);
        this.#declared.set(key, (this.#declared.get(key) ?? new Set()).add(value));
      }
  }

  /** Somebody cancelled a run. */
  cancelled(run: number): void {
    this.#cancelled.add(run);
  }

  /** A request is about to leave the provider. */
  leaving(request: SimulatedRequest): void {
    const { process, label, names } = request;
    this.#left.set(request, { facts: this.#run, decided: new Set(this.#run.decided) });
    const { nowMs, batchSize } = this.#surroundings;
    hold(!this.#cancelled.has(process.run), "cancelled", () => `${label} left after it`);
    const untilMs = this.#pausedUntilMs.get(process.run) ?? 0;
    hold(nowMs() >= untilMs, "paused", () => `${label} left ${untilMs - nowMs()} ms too early`);
    const { kind } = this.#run;
    hold(kind !== "preview", "reads", () => `a preview sent ${label}`);
    hold(kind !== "refresh" || label.startsWith("GET "), "reads", () => `a refresh sent ${label}`);
    hold(names.length <= batchSize, "batches", () => `${label} carries ${names.length}`);
  }

  /** The answer to a request is with the provider. */
  answered({ process }: SimulatedRequest, { status, headers }: WireAnswer): void {
    const seconds = Number(headers["retry-after"] ?? 0);
    if (status !== TOO_MANY_REQUESTS || !(seconds > 0)) return;
    const untilMs = this.#surroundings.nowMs() + Math.min(seconds, LONGEST_PAUSE_SECONDS) * MS_PER_SECOND;
    this.#pausedUntilMs.set(process.run, Math.max(untilMs, this.#pausedUntilMs.get(process.run) ?? 0));
  }

  /** The service acted on a request: before the ledger notes it. */
  acting(request: SimulatedRequest, reply: Reply): void {
    const { label, environmentId, names } = request;
    if (reply.status >= SUCCESS_TO) return;
    const isOfThisRun = this.#left.get(request)?.facts === this.#facts;
    if (BUILD_LABELS.includes(label) && isOfThisRun) this.#built(environmentId, label);
    if (request.isStray) return;
    if (label === "PUT /env-vars") for (const item of itemsOf(request.body)) this.#put(environmentId, item);
    if (label === "DELETE /env-vars") for (const name of names) this.#delete(request, name);
  }

  /** An operation ended, and this is what the engine stores. */
  stored({ name, operation, before, after, marked, startMoment }: Ended): void {
    const was = new Map(statedVariables(before).map((one) => [keyOf(one.environmentId, one.name), one]));
    const is = new Map(statedVariables(after).map((one) => [keyOf(one.environmentId, one.name), one]));
    for (const [key, one] of is) {
      this.#true(one);
      if (operation === "refresh") this.#refreshed(one, before);
      else if (!isSame(was.get(key), one)) this.#written(one, startMoment);
    }
    this.#encrypted(after, marked);
    if (operation !== "refresh") this.#remembered(name, after, startMoment);
    if (after?.type === "EnvironmentBranches" && operation !== "refresh") this.#waited(after);
    if (operation === "replace") return;
    for (const [key, one] of was) if (!is.has(key) && one.isOwned) this.#dropped(operation, one);
    if (operation !== "refresh" || before === undefined || after !== undefined) return;
    // For variables `deleted` means gone; nothing else ever goes here.
    const mayGo = before.type.startsWith("EnvVar") && (was.size > 0 || this.#run.gone.has(before.id));
    hold(mayGo, "refreshed", () => `${before.type} of ${before.id} was taken for gone`);
  }

  /** An operation failed, and left state as it was. */
  failed(name: string, before: Stored | undefined, startMoment: number): void {
    this.#remembered(name, before, startMoment);
  }

  /** What a run that succeeded completely has left in state. */
  succeeded(): void {
    const { engine, environmentIds, ledger } = this.#surroundings;
    const { model, debts } = this.#run;
    for (const [index, environmentId] of environmentIds.entries())
      for (const [name, { owner, value, hidden }] of wantedVariables(model, index)) {
        if (isIgnored(model, owner)) continue;
        const one = statedVariables(engine().state.get(owner)).find((stated) => stated.name === name);
        const isThere = one?.value === value && one.hidden === hidden && one.environmentId === environmentId;
        hold(isThere, "ordered", () => `state of ${owner} does not hold ${name} as declared`);
        const isOwed = debts.has(keyOf(environmentId, name)) && !this.#isTouched(environmentId, name);
        const isBack = ledger.now(environmentId, name) !== undefined;
        hold(!isOwed || isBack, "handOver", () => `${name} of ${owner} was deleted and not written again`);
      }
  }

  get #run(): RunFacts {
    if (this.#facts === undefined) throw new Error("no run has begun");
    return this.#facts;
  }

  #wanted(environmentId: string): ReadonlyMap<string, Wanted> {
    return wantedVariables(this.#run.model, this.#surroundings.environmentIds.indexOf(environmentId));
  }

  #holder(environmentId: string, name: string): string | undefined {
    const { state, doomed } = this.#surroundings.engine();
    const all = [...state, ...[...doomed].map((one) => [one.name, one.stored] as const)];
    return all.find(([, stored]) => ownedNames(stored, environmentId).includes(name))?.[0];
  }

  #built(environmentId: string, label: string): void {
    const { builds, kind, model } = this.#run;
    const { state, doomed } = this.#surroundings.engine();
    const count = (builds.get(environmentId) ?? 0) + 1;
    builds.set(environmentId, count);
    const own = kind === "up" && model.branches !== undefined ? nameOf("b", model.branches) : undefined;
    const restoring = [
      ...[...state].filter(([name]) => name !== own).map(([, stored]) => stored),
      ...[...doomed].map(({ stored }) => stored),
    ];
    const restores = restoring.filter(({ id, outputs }) => id === environmentId && outputs["onDestroy"] === "restore");
    // An EnvironmentState starts a stopped environment with a rebuild where a restart is refused.
    const starts = kind === "up" && model.power !== undefined ? 1 : 0;
    const most = restores.length + (own === undefined ? 0 : 1) + starts;
    hold(count <= most, "builds", () => `${label} is build ${count} of this run, ${most} may be`);
  }

  #put(environmentId: string, { name, value, hidden, services }: Item): void {
    const { ledger, engine } = this.#surroundings;
    const isDeclared = this.#declared.get(keyOf(environmentId, name))?.has(value) === true;
    const wasShown = ledger
      .since(environmentId, name, 0)
      .some(({ variable }) => variable?.hidden === false && variable.value === value);
    hold(!value.startsWith(STAND_IN), "invented", () => `${name} was sent with a stand-in`);
    hold(isDeclared || (!hidden && wasShown), "invented", () => `${name} was sent with ${JSON.stringify(value)}`);
    const wanted = this.#wanted(environmentId).get(name);
    // What changes are ignored of goes on as state has it.
    if (this.#isIgnored(environmentId, name)) return;
    hold(this.#run.kind === "up" && wanted !== undefined, "stranger", () => `${name} was written`);
    hold(wanted.hidden === hidden, "invented", () => `${name} was sent with hidden: ${String(hidden)}`);
    hold(isSameScope(wanted.services, services), "invented", () => `${name} was sent for ${services.join(", ")}`);
    const isOwn = ownedNames(engine().state.get(wanted.owner), environmentId).includes(name);
    const version = ledger.since(environmentId, name, ledger.moment).at(-1);
    if (wanted.overwrite || isOwn || version?.by !== "others" || this.#isTouched(environmentId, name)) return;
    hold(!differs(version.variable, wanted), "conflict", () => `${name} was overwritten`);
  }

  #isIgnored(environmentId: string, name: string): boolean {
    const { state } = this.#surroundings.engine();
    return [...state].some(
      ([key, stored]) => isIgnored(this.#run.model, key) && ownedNames(stored, environmentId).includes(name),
    );
  }

  #delete(request: SimulatedRequest, name: string): void {
    const { environmentId } = request;
    const { engine } = this.#surroundings;
    const { kind, model } = this.#run;
    const holder = this.#holder(environmentId, name);
    const index = this.#surroundings.environmentIds.indexOf(environmentId);
    const prunes = (["s", "t"] as const).some((key) => {
      const set = model[key];
      return set?.environment === index && mayPrune(model, set) && !KEPT.test(name);
    });
    hold(holder !== undefined || (kind === "up" && prunes), "stranger", () => `${name} was deleted`);
    const wanted = this.#wanted(environmentId).get(name);
    if (kind !== "up" || wanted === undefined || isIgnored(model, wanted.owner)) return;
    const isHeld = ownedNames(engine().state.get(wanted.owner), environmentId).includes(name);
    if (!isHeld) return;
    const { debts } = this.#run;
    const wasDecided = this.#left.get(request)?.decided.has(wanted.owner) === true;
    hold(!wasDecided, "handOver", () => `${name} was deleted, which ${wanted.owner} holds`);
    debts.set(keyOf(environmentId, name), wanted.owner);
  }

  #true({ environmentId, name, value, hidden, services, isOwned, isOwed }: StatedVariable): void {
    const versions = this.#surroundings.ledger.since(environmentId, name, 0);
    const existed = versions.some(({ variable }) => variable !== undefined);
    hold(existed, "truth", () => `state has ${name}, which the service never had`);
    if (value.startsWith(STAND_IN)) return;
    const wasSo = versions.some(
      ({ variable }) =>
        variable?.value === value &&
        (isOwed || !isOwned || (variable.hidden === hidden && isSameScope(variable.services, services))),
    );
    hold(wasSo, "truth", () => `state has ${name} with ${JSON.stringify(value)}, which the service never had`);
  }

  #refreshed({ environmentId, name, value, hidden, isOwned }: StatedVariable, before: Stored | undefined): void {
    const versions = this.#surroundings.ledger.since(environmentId, name, this.#run.startMoment);
    hold(
      versions.some(({ variable }) => variable !== undefined),
      "refreshed",
      () => `state keeps ${name}, which is gone`,
    );
    const isKnown = !value.startsWith(STAND_IN);
    if (!isKnown || !isOwned || before === undefined) return;
    const isSo = versions.some(({ variable }) => variable?.value === value && variable.hidden === hidden);
    hold(isSo, "refreshed", () => `state has ${name} with ${JSON.stringify(value)}, which is not what is there`);
  }

  #written(
    { environmentId, name, value, hidden, services, isOwed, isOwned }: StatedVariable,
    startMoment: number,
  ): void {
    if (isOwed || !isOwned || value.startsWith(STAND_IN) || this.#isTouched(environmentId, name)) return;
    const versions = this.#surroundings.ledger.since(environmentId, name, startMoment);
    const now = versions.at(-1)?.variable;
    const isSo = now?.value === value && now.hidden === hidden && isSameScope(now.services, services);
    hold(isSo, "wrote", () => `${name} is reported with ${JSON.stringify(value)}, the service has ${describe(now)}`);
  }

  /** What the provider wrote for a resource stands in its state. */
  #remembered(owner: string, after: Stored | undefined, startMoment: number): void {
    if (!this.#run.isTraceable || this.#run.kind !== "up") return;
    const stated = new Set(statedVariables(after).map(({ environmentId, name }) => keyOf(environmentId, name)));
    for (const environmentId of this.#surroundings.environmentIds)
      for (const [name, wanted] of this.#wanted(environmentId)) {
        if (wanted.owner !== owner || this.#isTouched(environmentId, name)) continue;
        const [, ...since] = this.#surroundings.ledger.since(environmentId, name, startMoment);
        const isWritten = since.at(-1)?.by === "provider" && since.at(-1)?.variable !== undefined;
        const isKnown = stated.has(keyOf(environmentId, name));
        hold(!isWritten || isKnown, "remembers", () => `${name} was written, and ${owner} does not have it in state`);
      }
  }

  /** The engine encrypts an output when the input of the same place is a secret: any other must not be one. */
  #encrypted(after: Stored | undefined, marked: Properties): void {
    if (after?.type !== "EnvVarSet") return;
    const [outputs, inputs] = [after.outputs["secrets"], marked["secrets"]];
    if (!isMap(outputs)) return;
    for (const [name, value] of Object.entries(outputs)) {
      const isMarked = isMap(inputs) && Object.hasOwn(inputs, name);
      hold(isMarked || String(value).startsWith(STAND_IN), "leak", () => `secrets.${name} is not encrypted in state`);
    }
  }

  /** The build that a resource says it waited for. */
  #waited({ id, outputs, initErrors }: Stored): void {
    const { build, branches } = outputs;
    if (!isMap(build) || build["successfullyBuilt"] !== true || initErrors.length > 0) return;
    const found = this.#surroundings.builds(id).find((one) => one.id === build["id"]);
    hold(found?.outcome === "succeeded", "waited", () => `build ${String(build["id"])} has ${found?.outcome}`);
    if (this.#run.others || !isMap(branches)) return;
    const built = new Map(found.projects.map(({ repoName, branch }) => [repoName, branch]));
    for (const [repo, branch] of Object.entries(branches))
      hold(built.get(repo) === branch, "waited", () => `the build has ${repo} on ${built.get(repo)}`);
  }

  #dropped(operation: Operation, { environmentId, name }: StatedVariable): void {
    const { ledger } = this.#surroundings;
    const { gone, startMoment } = this.#run;
    if (gone.has(environmentId)) return;
    const since = operation === "refresh" ? startMoment : ledger.moment;
    const wasAbsent = ledger.since(environmentId, name, since).some(({ variable }) => variable === undefined);
    const invariant = operation === "refresh" ? "refreshed" : "lost";
    const isTaken =
      operation !== "refresh" && (this.#wanted(environmentId).has(name) || this.#isTouched(environmentId, name));
    hold(wasAbsent || isTaken, invariant, () => `${name} left state by ${operation} and is still there`);
  }

  #isTouched(environmentId: string, name: string): boolean {
    return this.#run.touched.has(keyOf(environmentId, name));
  }
}

interface Item {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
}

/** How touched names are written down. */
export function keyOf(environmentId: string, name: string): string {
  return `${environmentId}/${name}`;
}

function itemsOf(body: string): readonly Item[] {
  const parsed: {
    readonly env_vars: readonly (Omit<Item, "services"> & { readonly services: readonly string[] | null })[];
  } = JSON.parse(body);
  return parsed.env_vars.map((item) => ({ ...item, services: item.services ?? [] }));
}

function isIgnored(model: ProgramModel, owner: string): boolean {
  return (["s", "t"] as const).some((key) => {
    const set = model[key];
    return set !== undefined && nameOf(key, set) === owner && set.ignore.length > 0;
  });
}

function isSameScope(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join("\n") === other.toSorted().join("\n");
}

function isSame(one: StatedVariable | undefined, other: StatedVariable): boolean {
  return one?.value === other.value && one.hidden === other.hidden && isSameScope(one.services, other.services);
}

/** Whether what is there differs from what is declared in a way that anybody can see. */
function differs(found: VariableView | undefined, wanted: Wanted): boolean {
  if (found === undefined) return false;
  if (found.hidden !== wanted.hidden || !isSameScope(found.services, wanted.services)) return true;
  if (!found.hidden) return found.value !== wanted.value;
  return found.value.length >= MASKED_IN_PART && found.value.slice(0, 2) !== wanted.value.slice(0, 2);
}

function describe(variable: VariableView | undefined): string {
  return variable === undefined ? "none" : JSON.stringify(variable);
}
