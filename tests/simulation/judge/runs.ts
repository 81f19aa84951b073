import { EXISTING } from "../../../provider/src/framework/existing-text";
import { isExisting } from "../../../provider/src/env-vars/placeholder";
import type { Run, Stored } from "../../support/engine-steps";
import { keyOf } from "../ledger";
import { POWER, wantedPower } from "../program/inputs";
import type { ProgramModel } from "../program/model";
import { branchesOf, previewVariables, type Wanted, wantedVariables } from "../program/wanted";
import { REMOVABLE } from "../service";
import type { Simulation } from "../simulation";
import { ownedNames, owesBuild } from "../state-view";
import { environmentOf, type Trouble } from "../trouble";
import { hold } from "../violation";
import { isInPlace, isSameValue } from "./scene";

/** What an EnvironmentBranches says of an environment that the program itself may start. */
const ASLEEP = /\bit is (?:deleted|retired|stopped)\b/u;

/** An environment that the program itself starts in this run: whatever else needs it awake waits for that. */
export function holdBegun(
  { service }: Simulation,
  { power, branches }: ProgramModel,
  { errors, operations }: Run,
): void {
  // The provider is not told that a resource is replaced which it has called unchanged.
  const isStarted = operations[POWER] === "create" || operations[POWER] === "update";
  if (power !== "running" || branches?.environment !== 0 || !isStarted) return;
  const [id = ""] = service.environmentIds;
  const refused = errors.find((text) => text.includes(id) && ASLEEP.test(text));
  hold(refused === undefined, "begins", () => String(refused));
}

/** An up that goes on after errors, with trouble in one environment only: what is declared for the others is there. */
export function holdIsolated(simulation: Simulation, model: ProgramModel, troubles: readonly Trouble[]): void {
  const on = environmentOf(troubles);
  if (on === undefined || !simulation.service.hasToken) return;
  // One request at a time, and no answer to those of one environment: for the whole process this is an outage.
  if (simulation.history.settings.maxConcurrency === 1 && troubles.some(({ what }) => what.kind === "slow")) return;
  for (const [index, id] of simulation.service.environmentIds.entries())
    for (const [name, wanted] of index === on ? [] : previewVariables(model, index)) {
      const { value, hidden, owner } = wanted;
      if (simulation.murky.has(keyOf(id, name)) || isMisplaced(simulation, id, name, wanted)) continue;
      const found = simulation.service.world.variable(id, name);
      const isSo = isSameValue(found?.value, value) && found?.hidden === hidden;
      const isOwned = ownedNames(simulation.engine.state.get(owner), id).includes(name);
      hold(isSo && isOwned, "isolated", () => `${name} of ${owner} is ${JSON.stringify(found)}`);
    }
}

/** What is declared for each environment leaves with its environment. */
export function holdLeft({ service }: Simulation, { listed }: ProgramModel, { errors }: Run): void {
  const id = service.environmentIds[REMOVABLE] ?? "";
  if (!service.hasToken || listed.includes(REMOVABLE)) return;
  hold(!errors.some((text) => text.includes(id)), "leaves", () => errors.join("\n"));
}

/** A preview right after an up that succeeded. */
export function holdQuiet(run: Run): void {
  const changed = Object.entries(run.operations).filter(([, operation]) => operation !== "same");
  hold(changed.length === 0 && run.errors.length === 0, "quiet", () =>
    JSON.stringify([changed, run.paths, run.errors]),
  );
}

/** What a conflict says of the names that are in the way. */
const CONFLICT = /already has (?:a variable|variables) with (?<names>.*)\. Nothing was written/u;

/** An up that refreshes, as the error of a conflict advises, finds what this stack has written to be its own. */
export function holdAdvised(simulation: Simulation, model: ProgramModel, { errors }: Run): void {
  const { ledger, environmentIds } = simulation.service;
  for (const [index, id] of environmentIds.entries())
    for (const [name] of wantedVariables(model, index)) {
      const [before, last] = ledger.since(id, name, 0).slice(-2);
      // The value of somebody else, with the visibility of an `existing()`.
      const isKept = before?.by === "others" && before.variable?.value === last?.variable?.value;
      const refused = conflictOver(errors, id, name);
      const isHere = !simulation.murky.has(keyOf(id, name)) && !simulation.scene.isBetweenProviders(id, name);
      const isOwn = last?.by === "provider" && !isKept && isHere;
      hold(refused === undefined || !isOwn, "advised", () => `${name}, which is this stack's own: ${refused}`);
    }
}

/** A resource finds the name of one that is declared before it to be the stack's own, also without a refresh. */
export function holdShown(
  simulation: Simulation,
  model: ProgramModel,
  { errors }: Run,
  { before, names }: { readonly before: ReadonlyMap<string, Stored>; readonly names: readonly string[] },
): void {
  for (const [index, id] of simulation.service.environmentIds.entries())
    for (const [name, { owner }] of wantedVariables(model, index)) {
      const declaredBefore = names.slice(0, Math.max(0, names.indexOf(owner)));
      const holder = declaredBefore.find((one) => ownedNames(before.get(one), id).includes(name));
      const isElsewhere = simulation.scene.isBetweenProviders(id, name);
      const refused = holder === undefined || isElsewhere ? undefined : conflictOver(errors, id, name);
      hold(refused === undefined, "advised", () => `${name} of ${holder}, which is declared first: ${refused}`);
    }
}

/** What a Check says of a name that the program declares twice, with what `ignoreChanges` keeps. */
const TWICE = /both declare the variable|is declared in `(?:secrets|variables)` too/u;

/**
 * The error of a conflict about a name of an environment. None where a Check has refused the program in the same run: the provider is not
 * asked about the state of that resource, and the program has to change first.
 */
function conflictOver(errors: readonly string[], environmentId: string, name: string): string | undefined {
  if (errors.some((text) => TWICE.test(text))) return undefined;
  const inTheWay = (text: string): readonly string[] => CONFLICT.exec(text)?.groups?.["names"]?.split(/[:,] /u) ?? [];
  return errors.find((text) => text.includes(environmentId) && inTheWay(text).includes(name));
}

/** Trouble is over, and the program has run: everything is as it declares. */
export function holdReached(simulation: Simulation, model: ProgramModel): void {
  const { world, environmentIds } = simulation.service;
  for (const [index, id] of environmentIds.entries()) {
    for (const [name, wanted] of wantedVariables(model, index)) {
      const found = world.variable(id, name);
      const isSo = isSameValue(found?.value, wanted.value) || isExisting(wanted.value);
      hold(isSo && isInPlace(found, wanted), "converges", () => `${name} is ${JSON.stringify(found)}`);
    }
    const power = index === 0 ? wantedPower(model) : undefined;
    const { deleted, retired, stopped } = world.environments.get(id) ?? {};
    const isStopped = deleted === true || retired === true || stopped === true;
    hold(power === undefined || (power === "stopped") === isStopped, "converges", () => `it is not ${power}`);
    const declared = branchesOf(model, index);
    if (declared === undefined) continue;
    const { name: owner, branches } = declared;
    hold(!owesBuild(simulation.engine.state.get(owner)), "owed", () => `${owner} owes a build, and ${id} runs`);
    const [build] = world.builds(id);
    for (const [repo, branch] of Object.entries(branches.branches)) {
      const found = shownBranches(simulation, id, repo);
      hold(found.includes(branch), "converges", () => `${repo} is on ${found.join(" or ")}`);
    }
    // A build that others began, and ended, is not this program's business.
    const isOurs = build?.id === simulation.judge.builds.askedBy(owner);
    hold(!isOurs || build?.outcome === "succeeded", "converges", () => `the last build has ${build?.outcome}`);
  }
}

/** The branch that an environment is to have, and the one that it shows when that comes later. */
function shownBranches({ service, history }: Simulation, id: string, repo: string): readonly string[] {
  const { world } = service;
  const built = world.builds(id).find(({ outcome }) => outcome === "succeeded");
  const isLate = history.choices.branchesShown === "afterBuild";
  const all = [...(world.environments.get(id)?.projects ?? []), ...((isLate ? built : undefined)?.projects ?? [])];
  return all.flatMap(({ repoName, branch }) => (repoName === repo ? [branch] : []));
}

/** All is destroyed: what the program has declared is gone, and so is whatever else the provider has made. */
export function holdGone(simulation: Simulation, model: ProgramModel): void {
  const { world, environmentIds, ledger } = simulation.service;
  for (const [index, id] of environmentIds.entries())
    for (const [name, { value }] of wantedVariables(model, index)) {
      const isThere = world.variable(id, name) !== undefined;
      hold(isThere === isExisting(value), "destroys", () => `${name} is there, or not`);
    }
  const { murky, judge } = simulation;
  for (const id of environmentIds) {
    const mayStay = (name: string) => murky.has(keyOf(id, name)) || judge.requests.isDeclared(id, name, EXISTING);
    const left = ledger.written(id).filter((name) => !mayStay(name));
    hold(left.length === 0, "leftover", () => left.join(", "));
  }
}

/** Whether the service keeps a variable in another place than declared, since an upsert does not change that. */
export function isMisplaced(
  { service, history }: Simulation,
  id: string,
  name: string,
  place: Pick<Wanted, "hidden" | "services">,
): boolean {
  const found = service.world.variable(id, name);
  return history.choices.upsertOfExisting === "valueOnly" && found !== undefined && !isInPlace(found, place);
}
