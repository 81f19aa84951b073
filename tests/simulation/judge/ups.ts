import type { Choices } from "../../../provider/src/sandbox";
import type { Run } from "../../support/engine-steps";
import { REMOVABLE, SHARED } from "../environments";
import { keyOf } from "../ledger";
import { POWER } from "../program/inputs";
import { importsBesideIgnored, type ProgramModel } from "../program/model";
import { previewVariables } from "../program/previews";
import type { Simulation } from "../simulation";
import { keptPaths, ownedNames, statedVariables } from "../state-view";
import { environmentOf, type Trouble } from "../trouble";
import { hold } from "../violation";
import { isMisplaced } from "./ends";
import { isSameValue } from "./scene";

/** What an EnvironmentBranches says of an environment that the program itself may start. */
const ASLEEP = /\bit is (?:deleted|retired|stopped)\b/u;

/** An environment that the program itself starts in this run: whatever else needs it awake waits for that. */
export function holdBegun(
  { environmentIds }: Simulation,
  { power, branches }: ProgramModel,
  { errors, operations }: Run,
): void {
  // The provider is not told that a resource is replaced which it has called unchanged.
  const isStarted = operations[POWER] === "create" || operations[POWER] === "update";
  if (power !== "running" || branches?.environment !== 0 || !isStarted) return;
  const [id = ""] = environmentIds;
  const refused = errors.find((text) => text.includes(id) && ASLEEP.test(text));
  hold(refused === undefined, "begins", () => String(refused));
}

/** An up that goes on after errors, with trouble in one environment only: what is declared for the others is there. */
export function holdIsolated(
  simulation: Simulation,
  model: ProgramModel,
  troubles: readonly Trouble[],
  choices: Partial<Choices>,
): void {
  const on = environmentOf(troubles);
  if (on === undefined || !simulation.hasToken) return;
  for (const [index, id] of simulation.environmentIds.entries())
    for (const [name, wanted] of index === on ? [] : previewVariables(model, index)) {
      const { value, hidden, owner } = wanted;
      if (simulation.excuses.murky.has(keyOf(id, name)) || isMisplaced(simulation, choices, id, name, wanted)) continue;
      const found = simulation.world.variable(id, name);
      const isSo = isSameValue(found?.value, value) && found?.hidden === hidden;
      const isOwned = ownedNames(simulation.engine.state.get(owner), id).includes(name);
      hold(isSo && isOwned, "isolated", () => `${name} of ${owner} is ${JSON.stringify(found)}`);
    }
}

/** What is declared for each environment leaves with its environment. */
export function holdLeft({ environmentIds, hasToken }: Simulation, { listed }: ProgramModel, { errors }: Run): void {
  const id = environmentIds[REMOVABLE] ?? "";
  if (!hasToken || listed.includes(REMOVABLE)) return;
  hold(!errors.some((text) => text.includes(id)), "leaves", () => errors.join("\n"));
}

/** A preview right after an up that succeeded. @param moment When the `up` began. */
export function holdQuiet(simulation: Simulation, model: ProgramModel, run: Run, moment: number): void {
  const changed = Object.entries(run.operations).filter(
    ([name, operation]) =>
      operation !== "same" &&
      !isKeptOnly(simulation, name, run, moment) &&
      !hasLooked(simulation, model, run.paths[name] ?? [], moment),
  );
  const isRefused = run.errors.length > 0 && !importsBesideIgnored(model);
  hold(changed.length === 0 && !isRefused, "quiet", () => JSON.stringify([changed, run.paths, run.errors]));
}

/** Whether a rebuild is due only because others wrote the variable that the program looks at, since a moment. */
function hasLooked(
  { ledger, environmentIds }: Simulation,
  { branches }: ProgramModel,
  paths: readonly string[],
  moment: number,
): boolean {
  const isWritten = environmentIds.some((id) => ledger.since(id, SHARED, moment).length > 1);
  return branches?.looks === true && isWritten && paths.every((path) => path === "rebuildOn");
}

/** Whether all that a preview shows of a resource is names that it keeps, because somebody else had written them. Whoever had may
 * have deleted them since. @param moment When the `up` before it began. */
function isKeptOnly({ engine, ledger }: Simulation, name: string, { paths }: Run, moment: number): boolean {
  const stored = engine.state.get(name);
  const kept = keptPaths(stored);
  const areWritten = statedVariables(stored)
    .filter((one) => kept.some((path) => path.endsWith(`.${one.name}`)))
    .every(({ environmentId, name: one, seenAt }) =>
      ledger
        .since(environmentId, one, moment)
        .some(({ variable }) => variable !== undefined && variable.updatedAt !== seenAt),
    );
  return kept.length > 0 && areWritten && (paths[name] ?? []).every((path) => kept.includes(path));
}
