import type { VariableView } from "../../provider/src/sandbox";
import type { Run } from "../support/engine-steps";
import { EXISTING, isExisting } from "../../provider/src/env-vars/placeholder";
import type { Foreign } from "./foreign";
import { type History, type HistoryStep, toOptions } from "./history";
import { simulatedHosts } from "./hosts";
import { edited } from "./program/edits";
import { holdAdvised, holdShown } from "./judge/conflicts";
import { isSameScope, isSameValue } from "./judge/scene";
import { Leaks } from "./leaks";
import { keyOf } from "./ledger";
import { blanked, imported, POWER, toProgram, wantedPower } from "./program/inputs";
import {
  emptyProgram,
  ignoresChanges,
  importsBesideIgnored,
  type ProgramModel,
  type SimulatedProgram,
} from "./program/model";
import { branchesOf, previewVariables } from "./program/previews";
import { wantedVariables } from "./program/wanted";
import { REMOVABLE, REPOSITORIES, SHARED } from "./environments";
import { Simulation } from "./simulation";
import { contested, keptPaths, owesBuild, ownedNames, statedVariables } from "./state-view";
import { StandstillError } from "./timeline";
import { environmentOf, type Trouble } from "./trouble";
import { hold, Violation } from "./violation";
import { UnforeseenError } from "../support/foresight";

/** After this long nothing is under way any more: longer than any wait of the provider, and than any fault. */
const CALM_SECONDS = 7_200;

/** What kinds of run there are, for those who judge them. */
const KINDS = {
  up: "up",
  upRefresh: "up",
  refresh: "refresh",
  preview: "preview",
  destroy: "destroy",
  destroyRefresh: "destroy",
  destroyUnprotected: "destroy",
} as const;
/** What an EnvironmentBranches says of an environment that the program itself may start. */
const ASLEEP = /\bit is (?:deleted|retired|stopped)\b/u;

/** How a history went. */
export interface Played {
  readonly journal: readonly string[];
  readonly requests: number;
  /** What it broke. `undefined` when it broke nothing. */
  readonly violation: Violation | undefined;
}

/** Plays a history to its end, and holds it against every promise. */
export async function play(history: History): Promise<Played> {
  const player = new Player(history);
  let violation: Violation | undefined;
  try {
    await player.play().catch(asViolation);
  } catch (error) {
    if (error instanceof Violation) violation = error;
    else throw error;
  }
  const { journal } = player.simulation;
  return { journal, requests: journal.filter((line) => / #\d+ [A-Z]/u.test(line)).length, violation };
}

/** What ends a history without a judgement. */
function asViolation(error: unknown): never {
  if (error instanceof StandstillError) hold(false, "hangs", () => error.message);
  if (error instanceof UnforeseenError) hold(false, "foreseen", () => error.message);
  throw error;
}

class Player {
  readonly simulation: Simulation;
  readonly #history: History;
  #written: ProgramModel = emptyProgram;
  readonly #leaks: Leaks;

  constructor(history: History) {
    this.#history = history;
    this.simulation = new Simulation(history, simulatedHosts[history.host]);
    this.#leaks = new Leaks(this.simulation);
  }

  /** The program as it is written, with the environments that it finds. */
  get #model(): ProgramModel {
    return { ...this.#written, listed: this.simulation.listed };
  }

  async play(): Promise<void> {
    for (const step of this.#history.steps) await this.#step(step);
    await this.#calm();
    await this.#finale();
  }

  async #step(step: HistoryStep): Promise<void> {
    switch (step.do) {
      case "edit":
        this.#written = edited(this.#written, step.change);
        return;
      case "foreign":
        return this.#foreign(step.act);
      case "wait":
        return this.simulation.wait(step.seconds);
      case "run":
        await this.#run(step);
    }
  }

  #foreign(act: Foreign): void {
    this.#leaks.noteForeign(act);
    this.simulation.foreign(act);
  }

  async #run(step: HistoryStep & { readonly do: "run" }): Promise<Run> {
    const { simulation } = this;
    const listed = this.#model.listed.filter((index) => step.unlisted?.includes(index) !== true);
    const model = { ...this.#model, listed };
    const { troubles, blank } = step;
    const owner = blank === undefined ? undefined : this.#ownerOf(model, blank);
    const program = this.#toProgram(model, owner === undefined || blank === undefined ? undefined : { owner, blank });
    const names = Object.keys(program);
    for (const { what } of troubles) if (what.kind === "foreign") this.#leaks.noteForeign(what.act);
    this.#leaks.noteDeclared(model);
    const isDestroy = step.run.startsWith("destroy");
    const chosen = toOptions(isDestroy ? [...simulation.engine.state.keys()] : names, step.targets);
    const targets = isDestroy && chosen ? [...chosen, ...simulation.engine.dependents(chosen)] : chosen;
    const excludes = toOptions(names, step.excludes);
    const [cut] = toOptions(names, step.failsAt === undefined ? undefined : [step.failsAt]) ?? [];
    // The classes of the SDK refuse what has no value, and their program ends.
    const failsAt = owner !== undefined && this.#history.language === undefined ? owner : cut;
    const replace = toOptions(names, step.replace);
    const targetReplace = toOptions(names, step.targetReplace);
    const options = {
      ...(targets && { targets }),
      ...(replace && { replace }),
      ...(targetReplace && { targetReplace }),
      ...(excludes && { excludes }),
      ...(step.workers !== undefined && { workers: step.workers }),
      ...(failsAt !== undefined && { failsAt }),
      ...(step.changesConfig && { changesConfig: true }),
      ...(step.inTurn && { inTurn: true }),
      ...(step.continues && { continueOnError: true }),
    };
    const kind = KINDS[step.run];
    const { moment } = simulation.ledger;
    const before = new Map(simulation.engine.state);
    const run = await simulation.run({ kind, model, troubles, blank: owner && blank, targets }, (engine) => {
      if (step.run === "preview") return engine.preview(program);
      if (step.run === "refresh") return engine.refresh();
      if (isDestroy)
        return engine.destroy({
          ...(targets && { targets }),
          refresh: step.run === "destroyRefresh",
          sparesProtected: step.run === "destroyUnprotected",
        });
      return engine.up(program, { ...options, refresh: step.run === "upRefresh" });
    });
    this.#leaks.search(run);
    if (step.continues === true) this.#isolated(model, troubles);
    if (kind === "up" && troubles.length === 0) this.#left(this.#model, run);
    const isWhole = targets === undefined && excludes === undefined && failsAt === undefined;
    const isCalmUp = kind === "up" && troubles.length === 0;
    if (isCalmUp && step.run === "upRefresh" && step.changesConfig !== true) holdAdvised(simulation, model, run);
    if (isCalmUp && isWhole && targetReplace === undefined) holdShown(simulation, model, run, { before, names });
    if (kind === "up" && owner !== undefined && isWhole && !run.crashed)
      hold(run.errors.length > 0 || ignoresChanges(model, owner), "valued", () => `${blank} of ${owner} was accepted`);
    const isInOrder = step.inTurn === true || step.workers !== undefined;
    if (kind === "up" && isWhole && !isInOrder && troubles.length === 0) this.#begun(model, run);
    if (kind === "up" && !run.crashed && run.errors.length === 0 && isWhole) await this.#quiet(model, moment);
    return run;
  }

  /** The program without values that stand in it without one. */
  #toProgram(model: ProgramModel, without?: { readonly owner: string; readonly blank: string }): SimulatedProgram {
    const { environmentIds } = this.simulation;
    const program = imported(toProgram(model, environmentIds), this.#history.host);
    if (this.#history.language !== undefined)
      return without === undefined ? program : blanked(program, without.owner, without.blank);
    return program;
  }

  #ownerOf(model: ProgramModel, name: string): string | undefined {
    for (const index of this.simulation.environmentIds.keys()) {
      const wanted = wantedVariables(model, index).get(name);
      if (wanted !== undefined) return wanted.owner;
    }
    return undefined;
  }

  /** An environment that the program itself starts in this run: whatever else needs it awake waits for that. */
  #begun({ power, branches }: ProgramModel, { errors, operations }: Run): void {
    // The provider is not told that a resource is replaced which it has called unchanged.
    const isStarted = operations[POWER] === "create" || operations[POWER] === "update";
    if (power !== "running" || branches?.environment !== 0 || !isStarted) return;
    const [id = ""] = this.simulation.environmentIds;
    const refused = errors.find((text) => text.includes(id) && ASLEEP.test(text));
    hold(refused === undefined, "begins", () => String(refused));
  }

  /** An up that goes on after errors, with trouble in one environment only: what is declared for the others is there. */
  #isolated(model: ProgramModel, troubles: readonly Trouble[]): void {
    const { simulation } = this;
    const on = environmentOf(troubles);
    if (on === undefined || !simulation.hasToken) return;
    for (const [index, id] of simulation.environmentIds.entries())
      for (const [name, { value, hidden, services, owner }] of index === on ? [] : previewVariables(model, index)) {
        if (simulation.excuses.murky.has(keyOf(id, name)) || this.#isMisplaced(id, name, { hidden, services }))
          continue;
        const found = simulation.world.variable(id, name);
        const isSo = isSameValue(found?.value, value) && found?.hidden === hidden;
        const isOwned = ownedNames(simulation.engine.state.get(owner), id).includes(name);
        hold(isSo && isOwned, "isolated", () => `${name} of ${owner} is ${JSON.stringify(found)}`);
      }
  }

  /** What is declared for each environment leaves with its environment. */
  #left({ listed }: ProgramModel, { errors }: Run): void {
    const { environmentIds, hasToken } = this.simulation;
    const id = environmentIds[REMOVABLE] ?? "";
    if (!hasToken || listed.includes(REMOVABLE)) return;
    hold(!errors.some((text) => text.includes(id)), "leaves", () => errors.join("\n"));
  }

  /** A preview right after an up that succeeded. @param moment When the `up` began. */
  async #quiet(model: ProgramModel, moment: number): Promise<void> {
    this.simulation.judge.states.succeeded();
    const program = this.#toProgram(model);
    const run = await this.simulation.run({ kind: "preview", model }, (engine) => engine.preview(program));
    const changed = Object.entries(run.operations).filter(
      ([name, operation]) =>
        operation !== "same" &&
        !this.#isKeptOnly(name, run, moment) &&
        !this.#hasLooked(model, run.paths[name] ?? [], moment),
    );
    const isRefused = run.errors.length > 0 && !importsBesideIgnored(model);
    hold(changed.length === 0 && !isRefused, "quiet", () => JSON.stringify([changed, run.paths, run.errors]));
  }

  /** Whether a rebuild is due only because others wrote the variable that the program looks at, since a moment. */
  #hasLooked({ branches }: ProgramModel, paths: readonly string[], moment: number): boolean {
    const { ledger, environmentIds } = this.simulation;
    const isWritten = environmentIds.some((id) => ledger.since(id, SHARED, moment).length > 1);
    return branches?.looks === true && isWritten && paths.every((path) => path === "rebuildOn");
  }

  /** Whether all that a preview shows of a resource is names that it keeps, because somebody else had written them. Whoever had may
   * have deleted them since. @param moment When the `up` before it began. */
  #isKeptOnly(name: string, { paths }: Run, moment: number): boolean {
    const stored = this.simulation.engine.state.get(name);
    const kept = keptPaths(stored);
    const areWritten = statedVariables(stored)
      .filter((one) => kept.some((path) => path.endsWith(`.${one.name}`)))
      .every(({ environmentId, name: one, seenAt }) =>
        this.simulation.ledger
          .since(environmentId, one, moment)
          .some(({ variable }) => variable !== undefined && variable.updatedAt !== seenAt),
      );
    return kept.length > 0 && areWritten && (paths[name] ?? []).every((path) => kept.includes(path));
  }

  /** Trouble is over: tokens are valid, environments live, nothing is under way. The user follows what messages say. */
  async #calm(): Promise<void> {
    const { simulation } = this;
    this.#foreign({ act: "grantToken" });
    for (const [on] of simulation.environmentIds.entries())
      this.#foreign({ act: "flags", on, flags: { deleted: false, stopped: false, retired: false } });
    // A build that has to fail still does: it is somebody else's.
    for (const on of simulation.doomed()) this.#foreign({ act: "commit", on, repo: REPOSITORIES[0] });
    await simulation.wait(CALM_SECONDS);
    this.#written = edited(this.#written, { edit: "requires", names: [] });
    this.#unblock();
    // Branches are put back only while the environment runs: the message says to start it.
    const stored = [...simulation.engine.state.values()];
    const isRestored =
      this.#written.branches === undefined && stored.some(({ outputs }) => outputs["onDestroy"] === "restore");
    if (isRestored && this.#written.power === "stopped")
      this.#written = edited(this.#written, { edit: "power", power: "running" });
    for (const set of ["s", "t"] as const)
      this.#written = edited(this.#written, { edit: "ignore", of: set, paths: [] });
    for (const [on, id] of simulation.environmentIds.entries()) {
      // Two wrote it within one second, maybe: nobody can see which came last.
      for (const name of contested(simulation.engine.state.values(), id)) this.#foreign({ act: "delete", on, name });
      for (const [name, { overwrite, value, ...place }] of wantedVariables(this.#model, on)) {
        if (isExisting(value)) continue;
        if (this.#isMisplaced(id, name, place)) this.#foreign({ act: "delete", on, name });
        // The engine shows every state of the stack in a refresh: what one of them has may change hands.
        const isOwn = [...simulation.engine.state.values()].some((one) => ownedNames(one, id).includes(name));
        if (!isOwn && !overwrite) this.#foreign({ act: "delete", on, name });
      }
    }
  }

  /** Whether the service keeps a variable in another place than declared, since an upsert does not change that. */
  #isMisplaced(id: string, name: string, { hidden, services }: Pick<VariableView, "hidden" | "services">): boolean {
    const found = this.simulation.world.variable(id, name);
    if (this.#history.choices.upsertOfExisting !== "valueOnly" || found === undefined) return false;
    return found.hidden !== hidden || !isSameScope(found.services, services);
  }

  /** People create what the program takes as it is. */
  #createExisting(): void {
    const { world, environmentIds } = this.simulation;
    for (const [on, id] of environmentIds.entries())
      for (const [name, { value, hidden, services }] of wantedVariables(this.#model, on)) {
        const found = world.variable(id, name)?.value ?? "made by hand";
        if (isExisting(value)) this.#foreign({ act: "set", on, name, value: found, hidden, services });
      }
  }

  /** Whatever an author does to let an up and a destroy pass. */
  #unblock(): void {
    if (this.#written.allSingles.imports) this.#written = edited(this.#written, { edit: "singles", what: "imports" });
    this.simulation.engine.unprotect();
    for (const set of ["s", "t"] as const) {
      if (this.#written[set]?.protects === true) this.#written = edited(this.#written, { edit: "protects", of: set });
    }
  }

  async #finale(): Promise<void> {
    const { simulation } = this;
    const up = { do: "run", run: "upRefresh", troubles: [] } as const;
    this.#createExisting();
    await this.#run(up);
    // A set that gives a name up may delete it before it sees that another resource takes it as it is (docs/limits.md).
    this.#createExisting();
    const second = await this.#run(up);
    hold(second.errors.length === 0, "converges", () => second.errors.join("\n"));
    this.#isReached();
    const mark = simulation.journal.length;
    const third = await this.#run(up);
    const changed = Object.entries(third.operations).filter(([, operation]) => operation !== "same");
    hold(changed.length === 0, "settles", () => JSON.stringify([changed, third.paths]));
    const writes = simulation.journal.slice(mark).filter((line) => / #\d+ (?!GET)[A-Z]/u.test(line));
    hold(writes.length === 0, "settles", () => writes.join("\n"));
    await this.#destroyed();
  }

  #isReached(): void {
    const { world, environmentIds } = this.simulation;
    for (const [index, id] of environmentIds.entries()) {
      for (const [name, wanted] of wantedVariables(this.#model, index)) {
        const found = world.variable(id, name);
        const isSo =
          (isSameValue(found?.value, wanted.value) || isExisting(wanted.value)) &&
          found?.hidden === wanted.hidden &&
          isSameScope(found.services, wanted.services);
        hold(isSo, "converges", () => `${name} is ${JSON.stringify(found)}`);
      }
      const power = index === 0 ? wantedPower(this.#model) : undefined;
      const { deleted, retired, stopped } = world.environments.get(id) ?? {};
      const isStopped = deleted === true || retired === true || stopped === true;
      hold(power === undefined || (power === "stopped") === isStopped, "converges", () => `it is not ${power}`);
      const declared = branchesOf(this.#model, index);
      if (declared === undefined) continue;
      const { name: owner, branches } = declared;
      hold(!owesBuild(this.simulation.engine.state.get(owner)), "owed", () => `${owner} owes a build, and ${id} runs`);
      const [build] = world.builds(id);
      for (const [repo, branch] of Object.entries(branches.branches)) {
        const found = this.#branchesOf(id, repo);
        hold(found.includes(branch), "converges", () => `${repo} is on ${found.join(" or ")}`);
      }
      // A build that others began, and ended, is not this program's business.
      const isOurs = branches.waits && build?.id === this.simulation.judge.builds.askedBy(owner);
      hold(!isOurs || build?.outcome === "succeeded", "converges", () => `the last build has ${build?.outcome}`);
    }
  }

  /** The branch that an environment is to have, and the one that it shows when that comes later. */
  #branchesOf(id: string, repo: string): readonly string[] {
    const { world } = this.simulation;
    const built = world.builds(id).find(({ outcome }) => outcome === "succeeded");
    const isLate = this.#history.choices.branchesShown === "afterBuild";
    const all = [...(world.environments.get(id)?.projects ?? []), ...((isLate ? built : undefined)?.projects ?? [])];
    return all.flatMap(({ repoName, branch }) => (repoName === repo ? [branch] : []));
  }

  async #destroyed(): Promise<void> {
    const { simulation } = this;
    const { world, environmentIds, engine } = simulation;
    const run = await this.#run({ do: "run", run: "destroy", troubles: [] });
    hold(run.errors.length === 0 && engine.state.size === 0, "destroys", () => run.errors.join("\n"));
    for (const [index, id] of environmentIds.entries())
      for (const [name, { value }] of wantedVariables(this.#model, index))
        hold(
          (world.variable(id, name) === undefined) !== isExisting(value),
          "destroys",
          () => `${name} is there, or not`,
        );
    for (const id of environmentIds) {
      const left = simulation.ledger
        .written(id)
        .filter(
          (name) =>
            !simulation.excuses.murky.has(keyOf(id, name)) && !simulation.judge.requests.isDeclared(id, name, EXISTING),
        );
      hold(left.length === 0, "leftover", () => left.join(", "));
    }
  }
}
