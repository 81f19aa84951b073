import type { Run, Stored } from "../../support/engine-steps";
import { keyOf } from "../ledger";
import type { ProgramModel } from "../program/model";
import { wantedVariables } from "../program/wanted";
import type { Simulation } from "../simulation";
import { ownedNames } from "../state-view";
import { hold } from "../violation";

/** What a conflict says of the names that are in the way. */
const CONFLICT = /already has (?:a variable|variables) with (?<names>.*)\. Nothing was written/u;

/** An up that refreshes, as the error of a conflict advises, finds what this stack has written to be its own. */
export function holdAdvised(simulation: Simulation, model: ProgramModel, { errors }: Run): void {
  const { ledger, environmentIds, excuses } = simulation;
  for (const [index, id] of environmentIds.entries())
    for (const [name] of wantedVariables(model, index)) {
      const [last] = ledger.since(id, name, ledger.moment);
      const refused = conflictOver(errors, id, name);
      const isHere = !excuses.murky.has(keyOf(id, name)) && !simulation.isBetweenProviders(id, name);
      const isOwn = last?.by === "provider" && isHere;
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
  for (const [index, id] of simulation.environmentIds.entries())
    for (const [name, { owner }] of wantedVariables(model, index)) {
      const declaredBefore = names.slice(0, Math.max(0, names.indexOf(owner)));
      const holder = declaredBefore.find((one) => ownedNames(before.get(one), id).includes(name));
      const isElsewhere = simulation.isBetweenProviders(id, name);
      const refused = holder === undefined || isElsewhere ? undefined : conflictOver(errors, id, name);
      hold(refused === undefined, "advised", () => `${name} of ${holder}, which is declared first: ${refused}`);
    }
}

/** The error of a conflict about a name of an environment. */
function conflictOver(errors: readonly string[], environmentId: string, name: string): string | undefined {
  const inTheWay = (text: string): readonly string[] => CONFLICT.exec(text)?.groups?.["names"]?.split(/[:,] /u) ?? [];
  return errors.find((text) => text.includes(environmentId) && inTheWay(text).includes(name));
}
