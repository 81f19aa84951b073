import { EXISTING, isExisting } from "../../../provider/src/env-vars/placeholder";
import type { Choices } from "../../../provider/src/sandbox";
import { keyOf } from "../ledger";
import { wantedPower } from "../program/inputs";
import type { ProgramModel } from "../program/model";
import { branchesOf } from "../program/previews";
import { type Wanted, wantedVariables } from "../program/wanted";
import type { Simulation } from "../simulation";
import { owesBuild } from "../state-view";
import { hold } from "../violation";
import { isSameScope, isSameValue } from "./scene";

/** Trouble is over, and the program has run: everything is as it declares. */
export function holdReached(simulation: Simulation, model: ProgramModel, choices: Partial<Choices>): void {
  const { world, environmentIds } = simulation;
  for (const [index, id] of environmentIds.entries()) {
    for (const [name, wanted] of wantedVariables(model, index)) {
      const found = world.variable(id, name);
      const isSo =
        (isSameValue(found?.value, wanted.value) || isExisting(wanted.value)) &&
        found?.hidden === wanted.hidden &&
        isSameScope(found.services, wanted.services);
      hold(isSo, "converges", () => `${name} is ${JSON.stringify(found)}`);
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
      const found = shownBranches(simulation, choices, id, repo);
      hold(found.includes(branch), "converges", () => `${repo} is on ${found.join(" or ")}`);
    }
    // A build that others began, and ended, is not this program's business.
    const isOurs = branches.waits && build?.id === simulation.judge.builds.askedBy(owner);
    hold(!isOurs || build?.outcome === "succeeded", "converges", () => `the last build has ${build?.outcome}`);
  }
}

/** The branch that an environment is to have, and the one that it shows when that comes later. */
function shownBranches(
  { world }: Simulation,
  { branchesShown }: Partial<Choices>,
  id: string,
  repo: string,
): readonly string[] {
  const built = world.builds(id).find(({ outcome }) => outcome === "succeeded");
  const isLate = branchesShown === "afterBuild";
  const all = [...(world.environments.get(id)?.projects ?? []), ...((isLate ? built : undefined)?.projects ?? [])];
  return all.flatMap(({ repoName, branch }) => (repoName === repo ? [branch] : []));
}

/** All is destroyed: what the program has declared is gone, and so is whatever else the provider has made. */
export function holdGone(simulation: Simulation, model: ProgramModel): void {
  const { world, environmentIds, excuses, judge, ledger } = simulation;
  for (const [index, id] of environmentIds.entries())
    for (const [name, { value }] of wantedVariables(model, index))
      hold(
        (world.variable(id, name) === undefined) !== isExisting(value),
        "destroys",
        () => `${name} is there, or not`,
      );
  for (const id of environmentIds) {
    const left = ledger
      .written(id)
      .filter((name) => !excuses.murky.has(keyOf(id, name)) && !judge.requests.isDeclared(id, name, EXISTING));
    hold(left.length === 0, "leftover", () => left.join(", "));
  }
}

/** Whether the service keeps a variable in another place than declared, since an upsert does not change that. */
export function isMisplaced(
  { world }: Simulation,
  { upsertOfExisting }: Partial<Choices>,
  id: string,
  name: string,
  { hidden, services }: Pick<Wanted, "hidden" | "services">,
): boolean {
  const found = world.variable(id, name);
  if (upsertOfExisting !== "valueOnly" || found === undefined) return false;
  return found.hidden !== hidden || !isSameScope(found.services, services);
}
