import { MS_PER_SECOND } from "../../../provider/src/client/clock";
import type { VariableView } from "../../../provider/src/sandbox";
import type { Reply } from "../../../provider/src/sandbox/http/router";
import { keyOf } from "../ledger";
import type { Delivered, SimulatedRequest } from "../network";
import type { SimulatedProcess } from "../processes";
import type { Stored } from "../../support/engine-steps";
import { hasPreview as previewsDeclare, type Wanted } from "../program/wanted";
import { isExisting } from "../../../provider/src/env-vars/placeholder";
import { isOfList, ownedNames, PLACEHOLDER, type StatedVariable, statedVariables } from "../state-view";
import { isOfAnybody } from "../trouble";
import { hold } from "../violation";
import type { BuildJudge } from "./builds";
import { isSameScope, isSameValue, type RunFacts, type Scene } from "./scene";

const MAX_PAUSE_SECONDS = 60;
const TOO_MANY_REQUESTS = 429;
const SUCCESS_TO = 300;
const PARTIAL = 207;
const DELETE = "DELETE /env-vars";
const LIST = "GET /env-vars";
const LOOK = "GET /environment";
const PUT = "PUT /env-vars";
const SERVER_ERRORS_FROM = 500;
/** Masks of values from this length on show a piece of the value. */
const MASKED_IN_PART = 10;

/** The run that a request belongs to, and how far the service had come when it left. */
interface Left {
  readonly facts: RunFacts;
  readonly moment: number;
  /** The resources that were decided about when the service had last listed variables: a later list is another one's. */
  readonly decided: ReadonlySet<string> | undefined;
}

/** Holds every request against the promises: when it leaves, and when the service acts on it. */
export class RequestJudge {
  readonly #scene: Scene;
  readonly #builds: BuildJudge;
  /** Values that programs have ever declared, by environment and name. */
  readonly #declared = new Map<string, Set<string>>();
  readonly #pausedUntilMs = new WeakMap<SimulatedProcess, number>();
  /** Names that an import has put into state, by environment and name. */
  readonly #imported = new Set<string>();
  /** Those that runs which ended before the import's update have left to the resource that has them (docs/limits.md). */
  readonly #abandoned = new Set<string>();
  readonly #cancelled = new Set<number>();
  readonly #left = new WeakMap<SimulatedRequest, Left>();
  /** The resources that the provider had decided about when the service last listed variables, by environment. A delete is decided after that. */
  readonly #listed = new Map<string, ReadonlySet<string>>();
  /** Writes of which no answer has told what came of them, by environment and name. */
  readonly #open = new Map<string, Set<SimulatedRequest>>();

  constructor(scene: Scene, builds: BuildJudge) {
    this.#scene = scene;
    this.#builds = builds;
  }

  begin(): void {
    this.#listed.clear();
    for (const environmentId of this.#scene.service.environmentIds)
      for (const [name, { value }] of this.#scene.wanted(environmentId)) {
        const key = keyOf(environmentId, name);
        this.#declared.set(key, (this.#declared.get(key) ?? new Set()).add(value));
      }
  }

  /** The engine has imported a resource. */
  imported(stored: Stored): void {
    for (const { environmentId, name } of statedVariables(stored))
      for (const names of [this.#imported, this.#scene.run.imported]) names.add(keyOf(environmentId, name));
  }

  /** A run that ends between an import and its update leaves state as `pulumi import` does: the set has all (docs/limits.md). */
  forgetImports(): void {
    for (const key of this.#scene.run.imported) this.#abandoned.add(key);
    this.#imported.clear();
  }

  /** Whether an import has looked at a name. */
  isImported(environmentId: string, name: string): boolean {
    return this.#imported.has(keyOf(environmentId, name));
  }

  /** Whether a name is in state only because an import has looked at it. */
  isOnlyImported(environmentId: string, name: string): boolean {
    const key = keyOf(environmentId, name);
    return this.#imported.has(key) && !this.#declared.has(key);
  }

  /** Whether a program has ever declared a value for a name. */
  isDeclared(environmentId: string, name: string, value: string): boolean {
    return this.#declared.get(keyOf(environmentId, name))?.has(value) === true;
  }

  cancelled(run: number): void {
    this.#cancelled.add(run);
  }

  /** A request is about to leave the provider. */
  leaving(request: SimulatedRequest): void {
    const { process, label, names } = request;
    const { run, service, history } = this.#scene;
    const decided = this.#listed.get(request.environmentId);
    this.#left.set(request, { facts: run, moment: service.ledger.moment, decided });
    if (label === PUT)
      for (const name of names) {
        const key = keyOf(request.environmentId, name);
        this.#open.set(key, (this.#open.get(key) ?? new Set()).add(request));
      }
    const { batchSize } = history.settings;
    hold(!this.#cancelled.has(process.run), "cancelled", () => `${label} left after it`);
    const earlyMs = (this.#pausedUntilMs.get(process) ?? 0) - request.sentAtMs;
    hold(earlyMs <= 0, "paused", () => `${label} left ${earlyMs} ms too early`);
    const { kind } = run;
    const writes = kind === "up" || kind === "destroy";
    hold(writes || label.startsWith("GET "), "reads", () => `a ${kind} sent ${label}`);
    hold(names.length <= batchSize, "batches", () => `${label} carries ${names.length}`);
  }

  /** A request surely does not reach the service. */
  unsent(request: SimulatedRequest, names: readonly string[] = request.names): void {
    for (const name of names) this.#open.get(keyOf(request.environmentId, name))?.delete(request);
  }

  /** An answer has told what came of the names that it mentions. */
  #close(request: SimulatedRequest, { status, text }: Delivered): void {
    const isPartial = request.label === PUT && status === PARTIAL;
    const isMentioned = (name: string): boolean => text.includes(`"name":${JSON.stringify(name)}`);
    this.unsent(request, isPartial ? request.names.filter(isMentioned) : request.names);
  }

  /** Whether the service may have a name by a write of which the provider does not know. */
  isOpen(environmentId: string, name: string): boolean {
    return (this.#open.get(keyOf(environmentId, name))?.size ?? 0) > 0;
  }

  /** Whether a request belongs to a run that was cancelled, and that nothing else happened to. */
  isToBeKnown(request: SimulatedRequest): boolean {
    const { process } = request;
    return this.#cancelled.has(process.run) && this.#left.get(request)?.facts.isTraceable === true;
  }

  /** The service acted on a request of a cancelled run, and changed what it has of a name: some state has it. */
  late({ environmentId, label }: SimulatedRequest, name: string): void {
    if (label !== PUT) return;
    const isKnown = this.#scene.managed().some((stored) => ownedNames(stored, environmentId).includes(name));
    hold(isKnown, "remembers", () => `${name} was written after a cancellation, and no state has it`);
  }

  /** The answer to a request is with the provider. */
  answered(request: SimulatedRequest, answer: Delivered, nowMs: number): void {
    const { process } = request;
    const { status, headers } = answer;
    // An answer that breaks off is no answer: nobody has to know what it was to say.
    if (!answer.isWhole) return;
    if (status < SERVER_ERRORS_FROM && !isOfAnybody(answer)) this.#close(request, answer);
    const seconds = Number(headers["retry-after"] ?? 0);
    if (status !== TOO_MANY_REQUESTS || !(seconds > 0)) return;
    const untilMs = nowMs + Math.min(seconds, MAX_PAUSE_SECONDS) * MS_PER_SECOND;
    this.#pausedUntilMs.set(process, Math.max(untilMs, this.#pausedUntilMs.get(process) ?? 0));
  }

  /** The service acted on a request: before the ledger notes it. */
  acting(request: SimulatedRequest, reply: Reply): void {
    const { label, environmentId, names } = request;
    if (reply.status >= SUCCESS_TO) return;
    // A `get` lists by itself. A delete that was decided before may leave after that list.
    const isOfDelete = !this.#listed.has(environmentId) || !this.#isSomethingLookedAt();
    if (label === LIST && isOfDelete) this.#listed.set(environmentId, new Set(this.#scene.run.decided));
    if (this.#left.get(request)?.facts === this.#scene.run) this.#builds.acted(request);
    if (request.isStray) return;
    if (label === LOOK) this.#builds.shown(environmentId);
    if (label === PUT) for (const item of itemsOf(request.body)) this.#put(request, item);
    if (label === DELETE) for (const name of names) this.#delete(request, name);
  }

  /** Whether the program, or state of an earlier run, looks at something that it does not manage. */
  #isSomethingLookedAt(): boolean {
    const { run, engine } = this.#scene;
    return run.model.branches?.looks === true || [...engine.state.values()].some((one) => one.isExternal);
  }

  #put({ environmentId, process }: SimulatedRequest, { name, value, hidden, services }: Item): void {
    const { ledger } = this.#scene.service;
    const isDeclared = this.isDeclared(environmentId, name, value);
    const wasShown = ledger
      .since(environmentId, name, 0)
      .some(({ variable }) => variable?.hidden === false && variable.value === value);
    hold(!value.startsWith(PLACEHOLDER), "invented", () => `${name} was sent with a placeholder`);
    const wanted = this.#scene.wanted(environmentId).get(name);
    const isLeft = wanted !== undefined && isExisting(wanted.value);
    hold(!isExisting(value), "invented", () => `${name} was sent with the mark of an existing value`);
    const isShown = wasShown && (!hidden || isLeft);
    hold(isDeclared || isShown, "invented", () => `${name} was sent with ${JSON.stringify(value)}`);
    // What changes are ignored of goes on as state has it.
    if (this.#scene.isKeptAsItIs(environmentId, name)) return;
    hold(this.#scene.run.kind === "up" && wanted !== undefined, "stranger", () => `${name} was written`);
    hold(wanted.hidden === hidden, "invented", () => `${name} was sent with hidden: ${String(hidden)}`);
    hold(isSameScope(wanted.services, services), "invented", () => `${name} was sent for ${services.join(", ")}`);
    // What some state of the stack has, or had as the run began, is its own to change, in whichever resource of the same Provider.
    const isOwn = this.#scene.isShown(process.provider, environmentId, name);
    const version = ledger.since(environmentId, name, ledger.moment).at(-1);
    const isItsOwn = version?.variable?.hidden === false && version.variable.value === value;
    // Nobody has to know what others, or a request that came too late, wrote a moment ago.
    if (this.#scene.isTouched(environmentId, name)) return;
    hold(!isLeft || isItsOwn, "conflict", () => `${name} is the service's own`);
    if (isLeft || wanted.overwrite || isOwn || version?.by !== "others") return;
    hold(!differs(version.variable, wanted), "conflict", () => `${name} was overwritten`);
  }

  #delete(request: SimulatedRequest, name: string): void {
    const { environmentId } = request;
    const { engine, service, run } = this.#scene;
    const { ledger } = service;
    const { kind, model, leaving, targets, startMoment } = run;
    const owners = this.#scene.managed().filter((one) => ownedNames(one, environmentId).includes(name));
    const index = this.#scene.indexOf(environmentId);
    const pruning = this.#scene.pruning(environmentId, name);
    const prunes = pruning === "deletes";
    const isDropped = !this.#scene.wanted(environmentId).has(name);
    const isKept = pruning === "keeps" && isDropped && owners.some((owner) => !leaving.has(owner));
    hold(kind !== "up" || !isKept, "stranger", () => `${name} was deleted, which \`keep\` matches`);
    hold(owners.length > 0 || (kind === "up" && prunes), "stranger", () => `${name} was deleted`);
    const stated = this.#scene.stated(environmentId, name);
    const owned = stated.filter(({ isOwned }) => isOwned);
    const isLeftToService = owned.length > 0 && owned.every(({ value }) => isExisting(value));
    hold(!isLeftToService, "stranger", () => `${name} was deleted, which is the service's own`);
    const isAbandoned = this.#abandoned.has(keyOf(environmentId, name)) && this.#scene.wasOwned(environmentId, name);
    const mayGo = prunes || isAbandoned || !this.isOnlyImported(environmentId, name);
    hold(mayGo, "stranger", () => `${name} was deleted, which an import had looked at`);
    const times = stated.map(({ seenAt }) => seenAt);
    this.#holdSeen(environmentId, name, times);
    const isLeft = owners.length > 0 && owners.every(isOfList) && !previewsDeclare(model, index);
    hold(kind === "destroy" || !isLeft, "listed", () => `${name} was deleted, whose environment exists`);
    // No time tells that another resource took a name over, where it wrote nothing, or the service moved nothing.
    const areAlike = times.length > 1 && new Set(times.filter((time) => time !== undefined)).size <= 1;
    // Nobody has written what a resource has seen last.
    const now = ledger.now(environmentId, name)?.updatedAt;
    const isUpToDate = (one: StatedVariable): boolean =>
      one.isOwned && one.environmentId === environmentId && one.name === name && one.seenAt === now;
    const spared = [...engine.state].find(
      ([owner, one]) => targets?.includes(owner) === false && statedVariables(one).some(isUpToDate),
    );
    const isOpen = kind === "destroy" && spared !== undefined && !areAlike;
    hold(!isOpen, "held", () => `${name} was deleted, which ${spared?.[0]} has, and is not destroyed`);
    const wanted = this.#scene.wanted(environmentId).get(name);
    if (kind !== "up" || wanted === undefined || this.#scene.isIgnored(wanted.owner)) return;
    if (this.#scene.isBetweenProviders(environmentId, name)) return;
    const left = this.#left.get(request);
    // Written while the DELETE was under way counts as after it: nobody but the service knows the order.
    const [, ...versions] = ledger.since(environmentId, name, startMoment);
    const written = versions.filter(({ by, moment }) => by === "provider" && moment <= (left?.moment ?? 0)).at(-1);
    // A request of an earlier run that came too late is no write of that resource.
    const isWritten = written?.variable !== undefined && !this.#scene.isTouched(environmentId, name);
    hold(!isWritten, "held", () => `${name} was deleted, which ${wanted.owner} has written`);
    const stored = engine.state.get(wanted.owner);
    const isHeld = stored !== undefined && !leaving.has(stored) && ownedNames(stored, environmentId).includes(name);
    const wasDecided = left?.decided?.has(wanted.owner) === true;
    hold(!isHeld || !wasDecided, "held", () => `${name} was deleted, which ${wanted.owner} holds`);
  }

  /** What somebody else has written since this stack last saw it is not deleted: its time tells, where state has one. */
  #holdSeen(environmentId: string, name: string, times: readonly StatedVariable["seenAt"][]): void {
    const { ledger } = this.#scene.service;
    const version = ledger.since(environmentId, name, ledger.moment).at(-1);
    if (version?.by !== "others" || version.variable === undefined) return;
    if (this.#scene.isTouched(environmentId, name)) return;
    const { updatedAt } = version.variable;
    const isSeen = times.includes(undefined) || times.includes(updatedAt);
    hold(isSeen, "unseen", () => `${name} was deleted, which was written at ${updatedAt}, not at ${times.join(", ")}`);
  }
}

interface Item {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
}

function itemsOf(body: string): readonly Item[] {
  const parsed: {
    readonly env_vars: readonly (Omit<Item, "services"> & { readonly services: readonly string[] | null })[];
  } = JSON.parse(body);
  return parsed.env_vars.map((item) => ({ ...item, services: item.services ?? [] }));
}

/** Whether what is there differs from what is declared in a way that anybody can see. */
function differs(found: VariableView | undefined, wanted: Wanted): boolean {
  if (found === undefined) return false;
  if (found.hidden !== wanted.hidden || !isSameScope(found.services, wanted.services)) return true;
  if (!found.hidden) return !isSameValue(found.value, wanted.value);
  return found.value.length >= MASKED_IN_PART && found.value.slice(0, 2) !== wanted.value.slice(0, 2);
}
