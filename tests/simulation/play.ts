import type { Run } from "../support/engine-steps";
import { isExisting } from "../../provider/src/env-vars/placeholder";
import { type History, type HistoryStep, toOptions } from "./history";
import { edited } from "./program/edits";
import {
  holdAdvised,
  holdBegun,
  holdGone,
  holdIsolated,
  holdLeft,
  holdQuiet,
  holdReached,
  holdShown,
  isMisplaced,
} from "./judge/runs";
import { imported, limited, toProgram } from "./program/inputs";
import { emptyProgram, type ProgramModel, type SimulatedProgram } from "./program/model";
import { wantedVariables } from "./program/wanted";
import { REPOSITORIES, SHARED } from "./service";
import { Simulation } from "./simulation";
import { contested, ownedNames } from "./state-view";
import { StandstillError } from "./timeline";
import { hold, Violation } from "./violation";
import { UnforeseenError } from "../support/host";

/** After this long nothing is under way any more: longer than any wait of the provider, and than any fault. */
const CALM_SECONDS = 7_200;

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
  #written: ProgramModel = emptyProgram;

  constructor(history: History) {
    this.simulation = new Simulation(history);
  }

  /** The program as it is written, with the environments that it finds. */
  get #model(): ProgramModel {
    return { ...this.#written, listed: this.simulation.service.listed };
  }

  async play(): Promise<void> {
    for (const step of this.simulation.history.steps) await this.#step(step);
    await this.#calm();
    await this.#finale();
  }

  async #step(step: HistoryStep): Promise<void> {
    switch (step.do) {
      case "edit":
        this.#written = edited(this.#written, step.change);
        return;
      case "foreign":
        return this.simulation.foreign(step.act);
      case "wait":
        return this.simulation.wait(step.seconds);
      case "run":
        await this.#run(step);
    }
  }

  async #run(step: HistoryStep & { readonly do: "run" }): Promise<Run> {
    const { simulation } = this;
    const listed = this.#model.listed.filter((index) => step.unlisted?.includes(index) !== true);
    const model = { ...this.#model, listed };
    const { troubles } = step;
    const program = limited(this.#toProgram(model), step.limitSeconds);
    const names = Object.keys(program);
    const isDestroy = step.run.startsWith("destroy");
    const chosen = toOptions(isDestroy ? [...simulation.engine.state.keys()] : names, step.targets);
    const targets = isDestroy && chosen ? [...chosen, ...simulation.engine.dependents(chosen)] : chosen;
    const excludes = toOptions(names, step.excludes);
    const [failsAt] = (step.failsAt === undefined ? undefined : toOptions(names, [step.failsAt])) ?? [];
    const replace = toOptions(names, step.replace);
    const targetReplace = toOptions(names, step.targetReplace);
    const { changesConfig = false, inTurn = false, continues: continueOnError = false } = step;
    const options = {
      changesConfig,
      inTurn,
      continueOnError,
      refresh: step.run.endsWith("Refresh"),
      ...(targets && { targets }),
      ...(replace && { replace }),
      ...(targetReplace && { targetReplace }),
      ...(excludes && { excludes }),
      ...(failsAt !== undefined && { failsAt }),
    };
    const kind = step.run === "upRefresh" ? "up" : step.run === "destroyRefresh" ? "destroy" : step.run;
    const before = new Map(simulation.engine.state);
    const run = await simulation.run({ kind, model, troubles, targets }, (engine) => {
      if (step.run === "preview") return engine.preview(program);
      if (step.run === "refresh") return engine.refresh();
      return isDestroy ? engine.destroy(options) : engine.up(program, options);
    });
    if (continueOnError) holdIsolated(simulation, model, troubles);
    const isWhole = targets === undefined && excludes === undefined && failsAt === undefined;
    const isCalmUp = kind === "up" && troubles.length === 0;
    if (isCalmUp) holdLeft(simulation, this.#model, run);
    if (isCalmUp && step.run === "upRefresh" && !changesConfig) holdAdvised(simulation, model, run);
    if (isCalmUp && isWhole && targetReplace === undefined) holdShown(simulation, model, run, { before, names });
    if (isCalmUp && isWhole) holdBegun(simulation, model, run);
    if (kind === "up" && !run.crashed && run.errors.length === 0 && isWhole) await this.#quiet(model);
    return run;
  }

  #toProgram(model: ProgramModel): SimulatedProgram {
    return imported(toProgram(model, this.simulation.service.environmentIds), this.simulation.history.host);
  }

  /** A preview right after an up that succeeded. */
  async #quiet(model: ProgramModel): Promise<void> {
    this.simulation.judge.states.succeeded();
    const program = this.#toProgram(model);
    const run = await this.simulation.run({ kind: "preview", model }, (engine) => engine.preview(program));
    holdQuiet(run);
  }

  /** Trouble is over: tokens are valid, environments live, nothing is under way. The user follows what messages say. */
  async #calm(): Promise<void> {
    const { simulation } = this;
    this.simulation.foreign({ act: "grantToken" });
    for (const [on] of simulation.service.environmentIds.entries())
      this.simulation.foreign({ act: "flags", on, flags: { deleted: false, stopped: false, retired: false } });
    // A build that has to fail still does: it is somebody else's.
    for (const on of simulation.service.doomed) this.simulation.foreign({ act: "commit", on, repo: REPOSITORIES[0] });
    await simulation.wait(CALM_SECONDS);
    this.#written = edited(this.#written, { edit: "requires", names: [] });
    if (this.#written.allSingles.imports) this.#written = edited(this.#written, { edit: "singles", what: "imports" });
    // Branches are put back only while the environment runs: the message says to start it.
    const stored = [...simulation.engine.state.values()];
    const isRestored =
      this.#written.branches === undefined && stored.some(({ outputs }) => outputs["onDestroy"] === "restore");
    if (isRestored && this.#written.power === "stopped")
      this.#written = edited(this.#written, { edit: "power", power: "running" });
    for (const set of ["s", "t"] as const)
      this.#written = edited(this.#written, { edit: "ignore", of: set, paths: [] });
    const program = this.#toProgram(this.#model);
    for (const [on, id] of simulation.service.environmentIds.entries()) {
      // Two wrote it within one second, maybe: nobody can see which came last. A `get` fails without the variable that it is about.
      for (const name of contested(simulation.engine.state.values(), id))
        if (name !== SHARED) this.simulation.foreign({ act: "delete", on, name });
      for (const [name, { overwrite, value, owner, ...place }] of wantedVariables(this.#model, on)) {
        if (isExisting(value)) continue;
        if (isMisplaced(simulation, id, name, place)) this.simulation.foreign({ act: "delete", on, name });
        // The engine shows every state of a Provider to its process in a refresh: what one of them has may change hands.
        const isOwn = [...simulation.engine.state].some(
          ([key, one]) =>
            ownedNames(one, id).includes(name) && (key === owner || one.provider === program[owner]?.provider),
        );
        if (!isOwn && !overwrite) this.simulation.foreign({ act: "delete", on, name });
      }
    }
  }

  /** People create what the program takes as it is. */
  #createExisting(): void {
    const { world, environmentIds } = this.simulation.service;
    for (const [on, id] of environmentIds.entries())
      for (const [name, { value, hidden, services }] of wantedVariables(this.#model, on)) {
        const found = world.variable(id, name)?.value ?? "made by hand";
        if (isExisting(value)) this.simulation.foreign({ act: "set", on, name, value: found, hidden, services });
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
    holdReached(simulation, this.#model);
    const mark = simulation.journal.length;
    const third = await this.#run(up);
    const changed = Object.entries(third.operations).filter(([, operation]) => operation !== "same");
    hold(changed.length === 0, "settles", () => JSON.stringify([changed, third.paths]));
    const writes = simulation.journal.slice(mark).filter((line) => / #\d+ (?!GET)[A-Z]/u.test(line));
    hold(writes.length === 0, "settles", () => writes.join("\n"));
    await this.#destroyed();
  }

  async #destroyed(): Promise<void> {
    const { simulation } = this;
    const { engine } = simulation;
    const run = await this.#run({ do: "run", run: "destroy", troubles: [] });
    hold(run.errors.length === 0 && engine.state.size === 0, "destroys", () => run.errors.join("\n"));
    holdGone(simulation, this.#model);
  }
}
