import { isExisting } from "../../provider/src/env-vars/placeholder";
import type { Run } from "../support/engine-steps";
import type { Foreign } from "./foreign";
import type { ProgramModel } from "./program/model";
import { wantedVariables } from "./program/wanted";
import type { Simulation } from "./simulation";
import { plainState } from "./state-view";
import { hold } from "./violation";

/** From this length on a piece of a text can be told from others. */
const RECOGNISABLE = 8;

/** Searches all that people can see for hidden values. */
export class Leaks {
  readonly #simulation: Simulation;
  readonly #secrets = new Set<string>();
  /** How many lines of the log were searched. */
  #seen = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Somebody else writes a value. */
  noteForeign(act: Foreign): void {
    if (act.act === "set" && act.hidden) this.#secrets.add(act.value);
  }

  /** A program declares values. */
  noteDeclared(model: ProgramModel): void {
    for (const [index] of this.#simulation.environmentIds.entries())
      for (const { value, hidden } of wantedVariables(model, index).values())
        if (hidden && !isExisting(value)) this.#secrets.add(value);
  }

  /** Errors, addresses, the log and what of state is no secret, since the last search. */
  search({ errors }: Run): void {
    const { engine, log, paths, excuses } = this.#simulation;
    const texts = [
      ...errors,
      ...paths.splice(0),
      ...log.lines.slice(this.#seen).map(({ text }) => text),
      // A look shows what the service shows to everybody, and nothing else.
      ...[...engine.state.values()].filter(({ isExternal }) => isExternal !== true).map(plainState),
    ];
    this.#seen = log.lines.length;
    for (const secret of this.#secrets) {
      if (secret.length < RECOGNISABLE || excuses.published.has(secret)) continue;
      const leaked = texts.find((text) => text.includes(secret));
      hold(leaked === undefined, "leak", () => `${secret} stands in ${leaked}`);
    }
  }
}
