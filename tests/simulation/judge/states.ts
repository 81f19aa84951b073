import type { VariableView } from "../../../provider/src/sandbox";
import { isMap, type Properties } from "../../../provider/src/framework/properties";
import type { Operation, Stored } from "../../support/engine-steps";
import { keyOf, type Version } from "../ledger";
import { isExisting } from "../../../provider/src/env-vars/placeholder";
import {
  hasSameOutputs,
  isNoValue,
  isOfList,
  ownedNames,
  PLACEHOLDER,
  type StatedVariable,
  statedVariables,
} from "../state-view";
import { hold } from "../violation";
import type { BuildJudge } from "./builds";
import type { RequestJudge } from "./requests";
import { isInPlace, isSameScope, isSameValue, type Scene } from "./scene";
import { hasPreview } from "../program/wanted";

/** An operation that ended, as OperationWitness and Witness of the engine model tell of it. */
export interface Ended {
  readonly name: string;
  readonly operation: Operation;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
  readonly marked: Properties;
  readonly startMoment: number;
}

/** Holds what the engine stores against what the service has, and had. */
export class StateJudge {
  readonly #scene: Scene;
  readonly #builds: BuildJudge;
  readonly #requests: RequestJudge;
  /** See `murky` of the simulation. */
  readonly #murky: Set<string>;

  constructor(scene: Scene, builds: BuildJudge, requests: RequestJudge, murky: Set<string>) {
    this.#scene = scene;
    this.#murky = murky;
    this.#builds = builds;
    this.#requests = requests;
  }

  /** An operation ended, and this is what the engine stores. */
  stored(ended: Ended): void {
    const { name, operation, before, after, startMoment } = ended;
    this.#routed(before, after);
    const was = new Map(statedVariables(before).map((one) => [keyOf(one.environmentId, one.name), one]));
    const is = new Map(statedVariables(after).map((one) => [keyOf(one.environmentId, one.name), one]));
    for (const [key, one] of is) {
      this.#true(one);
      if (operation === "refresh") this.#refreshed(one);
      else if (!isSame(was.get(key), one)) this.#written(one, startMoment);
    }
    this.#encrypted(ended);
    if (operation !== "refresh") this.remembered(name, after, startMoment);
    if (after?.type === "EnvironmentBranches" && operation !== "refresh") this.#builds.waited(name, after, before);
    if (operation === "replace") return;
    const isOfProgram = before === undefined || hasPreview(this.#scene.run.model, this.#scene.indexOf(before.id));
    const isLeft = this.#scene.run.kind === "up" && before !== undefined && isOfList(before) && !isOfProgram;
    for (const [key, one] of was)
      if (!is.has(key) && one.isOwned) {
        if (operation === "delete" && isLeft) this.#murky.add(key);
        else this.#dropped(operation, one);
      }
    if (operation !== "refresh" || before === undefined || after !== undefined) return;
    // For variables `deleted` means gone. Anything else goes only with its environment.
    const isHere = this.#scene.service.exists(before.id);
    const mayGo =
      !isHere || (before.type.startsWith("EnvVar") && (was.size > 0 || this.#scene.run.gone.has(before.id)));
    hold(mayGo, "refreshed", () => `${before.type} of ${before.id} was taken for gone`);
  }

  /** Where every route answers 404, nothing goes that a request would have to find gone. */
  #routed(before: Stored | undefined, after: Stored | undefined): void {
    const { troubles, kind } = this.#scene.run;
    const isUnrouted = troubles.some(({ what }) => what.kind === "unrouted");
    if (!isUnrouted || before === undefined || after !== undefined) return;
    const { type, outputs } = before;
    const isEmpty = type.startsWith("EnvVar") && statedVariables(before).every(({ value }) => isExisting(value));
    const needsNothing = type.startsWith("EnvVar") ? isEmpty : outputs["onDestroy"] !== "restore";
    const isDelete = kind === "destroy" || kind === "up";
    hold(isDelete && needsNothing, "unrouted", () => `${type} of ${before.id} left state`);
  }

  /** What a run that succeeded completely has left in state. */
  succeeded(): void {
    const { environmentIds, ledger } = this.#scene.service;
    const { engine } = this.#scene;
    for (const environmentId of environmentIds)
      for (const [name, { owner, value, hidden }] of this.#scene.wanted(environmentId)) {
        if (this.#scene.isIgnored(owner)) continue;
        const one = statedVariables(engine.state.get(owner)).find((stated) => stated.name === name);
        const isThere = one?.value === value && one.hidden === hidden && one.environmentId === environmentId;
        hold(isThere, "ordered", () => `state of ${owner} does not hold ${name} as declared`);
        if (this.#scene.isBetweenProviders(environmentId, name)) continue;
        const isThereNow = ledger.now(environmentId, name) !== undefined;
        const isDeleted = !isThereNow && this.#isDeletedByProvider(environmentId, name);
        hold(!isDeleted, "held", () => `${name} of ${owner} was deleted and not written again`);
      }
    this.#rid();
  }

  /** Whether this run has deleted a name, and nothing else happened to it. */
  #isDeletedByProvider(environmentId: string, name: string): boolean {
    if (this.#scene.isTouched(environmentId, name)) return false;
    const [, ...versions] = this.#scene.service.ledger.since(environmentId, name, this.#scene.run.startMoment);
    return versions.at(-1)?.by === "provider";
  }

  /** Of what nobody declares, nothing stays in state. */
  #rid(): void {
    for (const [owner, stored] of this.#scene.engine.state)
      for (const environmentId of this.#scene.service.environmentIds)
        for (const name of ownedNames(stored, environmentId)) {
          const isDeclared = this.#scene.wanted(environmentId).has(name) || this.#scene.isIgnored(owner);
          hold(isDeclared, "ordered", () => `state of ${owner} keeps ${name}, which nobody declares`);
        }
  }

  /** Whether somebody has written a variable since state saw it: then it is not deleted. */
  #isUnseen({ environmentId, name, seenAt }: StatedVariable): boolean {
    const now = this.#scene.service.ledger.now(environmentId, name);
    return seenAt !== undefined && now !== undefined && now.updatedAt !== seenAt;
  }

  #true(one: StatedVariable): void {
    const { environmentId, name, value, isOwned } = one;
    const versions = this.#scene.service.ledger.since(environmentId, name, 0);
    const existed = versions.some(({ variable }) => variable !== undefined);
    // What may have been stored is there by its name alone.
    const mayExist = existed || (value.startsWith(PLACEHOLDER) && this.#requests.isOpen(environmentId, name));
    hold(mayExist, "truth", () => `state has ${name}, which the service never had`);
    if (isNoValue(value)) return;
    const isSo = ({ variable }: Version): boolean =>
      isSameValue(variable?.value, value) && (!isOwned || isInPlace(variable, one));
    hold(
      versions.some(isSo),
      "truth",
      () => `state has ${name} with ${JSON.stringify(value)}, which the service never had`,
    );
  }

  #refreshed({ environmentId, name, value, hidden }: StatedVariable): void {
    const versions = this.#scene.service.ledger.since(environmentId, name, this.#scene.run.startMoment);
    const isThere = versions.some(({ variable }) => variable !== undefined);
    hold(isThere, "refreshed", () => `state keeps ${name}, which is gone`);
    // Processes of two Providers may write a name in one second, which no `updated_at` tells.
    if (isNoValue(value) || this.#scene.isBetweenProviders(environmentId, name)) return;
    const isSo = versions.some(({ variable }) => isSameValue(variable?.value, value) && variable?.hidden === hidden);
    hold(isSo, "refreshed", () => `state has ${name} with ${JSON.stringify(value)}, which is not what is there`);
  }

  #written(one: StatedVariable, startMoment: number): void {
    const { environmentId, name, value, isOwned } = one;
    if (!isOwned || value.startsWith(PLACEHOLDER) || this.#scene.isTouched(environmentId, name)) return;
    const { ledger } = this.#scene.service;
    const versions = ledger.since(environmentId, name, startMoment);
    const now = versions.at(-1)?.variable;
    const isLike = (variable: VariableView | undefined): boolean =>
      isSameValue(variable?.value, value) && isInPlace(variable, one);
    // The process of another Provider may have deleted it since this one has listed it.
    const all = ledger.since(environmentId, name, this.#scene.run.startMoment);
    const wasSo = this.#scene.isBetweenProviders(environmentId, name) && all.some(({ variable }) => isLike(variable));
    // A value that is the service's has no form that says "not known": after an answer that nobody could read, its record is that from before.
    const isSo = isExisting(value) ? versions.some(({ variable }) => isInPlace(variable, one)) : isLike(now);
    const said = JSON.stringify(value);
    hold(isSo || wasSo, "wrote", () => `${name} is reported with ${said}, the service has ${JSON.stringify(now)}`);
  }

  /** What the provider wrote for a resource stands in its state. */
  remembered(owner: string, after: Stored | undefined, startMoment: number): void {
    if (!this.#scene.run.isTraceable || this.#scene.run.kind !== "up") return;
    const stated = new Set(statedVariables(after).map(({ environmentId, name }) => keyOf(environmentId, name)));
    for (const environmentId of this.#scene.service.environmentIds)
      for (const [name, wanted] of this.#scene.wanted(environmentId)) {
        if (wanted.owner !== owner || this.#scene.isTouched(environmentId, name)) continue;
        if (this.#scene.isKeptAsItIs(environmentId, name)) continue;
        const [, ...since] = this.#scene.service.ledger.since(environmentId, name, startMoment);
        const isWritten = since.at(-1)?.by === "provider" && since.at(-1)?.variable !== undefined;
        const isKnown = stated.has(keyOf(environmentId, name));
        hold(!isWritten || isKnown, "remembers", () => `${name} was written, and ${owner} does not have it in state`);
      }
  }

  /**
   * The engine encrypts an output when the input of the same place is a secret. In a refresh it encrypts an output that was
   * a secret in state, and an input that was one in the inputs from before. Any other must not be a secret, unless the
   * provider marks it.
   */
  #encrypted({ operation, before, after, marked }: Ended): void {
    if (after?.type !== "EnvVarSet") return;
    const isRefresh = operation === "refresh";
    // An update that failed as a whole after a refresh keeps the outputs from before, and both hosts mark them: the case `conflict` of
    // tests/engine/secret-inputs.outside.spec.ts.
    const isKept = after.initErrors.length > 0 && hasSameOutputs(after, before);
    this.#isEncrypted(after.outputs, isRefresh || isKept ? (before?.outputs ?? {}) : marked, "state");
    if (isRefresh && this.#scene.history.host === "dynamic")
      this.#isEncrypted(after.inputs, marked, "the inputs in state");
  }

  #isEncrypted(bag: Properties, marked: Properties, where: string): void {
    const [secrets, marks] = [bag["secrets"], marked["secrets"]];
    if (!isMap(secrets)) return;
    for (const [name, value] of Object.entries(secrets)) {
      const isMarked = isMap(marks) && Object.hasOwn(marks, name);
      hold(isMarked || isNoValue(String(value)), "leak", () => `secrets.${name} is not encrypted in ${where}`);
    }
  }

  /** Whether a resource that goes leaves a name to another one that has it. */
  #isLeftTo(environmentId: string, name: string): boolean {
    const { leaving } = this.#scene.run;
    return this.#scene
      .resources()
      .some(({ stored }) => !leaving.has(stored) && ownedNames(stored, environmentId).includes(name));
  }

  /** The run is over: a name that an update has left to another resource is in some state. */
  ended(): void {
    const { gone, passedOn } = this.#scene.run;
    for (const { environmentId, name } of passedOn) {
      if (gone.has(environmentId) || this.#scene.isTouched(environmentId, name)) continue;
      const isThere = this.#scene.service.ledger.now(environmentId, name) !== undefined;
      const isOwned = this.#scene.resources().some(({ stored }) => ownedNames(stored, environmentId).includes(name));
      hold(!isThere || isOwned, "lost", () => `${name} was left to another resource, and no state has it`);
    }
  }

  #dropped(operation: Operation, one: StatedVariable): void {
    const { environmentId, name, value } = one;
    if (isExisting(value) && operation !== "refresh") return;
    if ((operation === "delete" || operation === "update") && this.#isUnseen(one))
      return void this.#murky.add(keyOf(environmentId, name));
    if (operation === "update" && this.#scene.pruning(environmentId, name) === "keeps")
      return void this.#murky.add(keyOf(environmentId, name));
    if (operation === "update" && this.#requests.isImported(environmentId, name)) return;
    const { ledger } = this.#scene.service;
    const { gone, startMoment } = this.#scene.run;
    if (gone.has(environmentId)) return;
    const since = operation === "refresh" ? startMoment : ledger.moment;
    const wasAbsent = ledger.since(environmentId, name, since).some(({ variable }) => variable === undefined);
    const invariant = operation === "refresh" ? "refreshed" : "lost";
    const wanted = this.#scene.wanted(environmentId).get(name);
    if (operation === "update" && wanted !== undefined && !wasAbsent)
      this.#scene.run.passedOn.push({ environmentId, name });
    const isWanted = operation === "delete" ? this.#isLeftTo(environmentId, name) : wanted !== undefined;
    const isTaken =
      operation !== "refresh" &&
      (isWanted || this.#scene.isKeptAsItIs(environmentId, name) || this.#scene.isTouched(environmentId, name));
    hold(wasAbsent || isTaken, invariant, () => `${name} left state by ${operation} and is still there`);
  }
}

function isSame(one: StatedVariable | undefined, other: StatedVariable): boolean {
  return one?.value === other.value && one.hidden === other.hidden && isSameScope(one.services, other.services);
}
