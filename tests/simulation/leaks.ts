import { isExisting } from "../../provider/src/env-vars/placeholder";
import type { Foreign } from "./foreign";
import type { ProgramModel } from "./program/model";
import { wantedVariables } from "./program/wanted";
import type { SimulatedService } from "./service";
import { hold } from "./violation";

/** From this length on a piece of a text can be told from others. */
const RECOGNISABLE = 8;

/** The hidden values, and what people can see of them. */
export class Leaks {
  readonly #service: SimulatedService;
  readonly #secrets = new Set<string>();
  /** Hidden values that others have shown to everybody. */
  readonly #published = new Set<string>();
  /** The same of values that a program declared then: they are secret as long as one does. */
  readonly #publishedAndDeclared = new Set<string>();

  constructor(service: SimulatedService) {
    this.#service = service;
  }

  noteDeclared(model: ProgramModel): void {
    const wanted = this.#service.environmentIds.flatMap((_, index) => [...wantedVariables(model, index).values()]);
    const hidden = wanted.filter((one) => one.hidden && !isExisting(one.value));
    const declared = new Set(hidden.map(({ value }) => value));
    for (const value of declared) this.#secrets.add(value);
    for (const value of this.#publishedAndDeclared) if (!declared.has(value)) this.#published.add(value);
  }

  /** Others are about to do something. What they show is no secret any more, unless a program declares it. */
  noteForeign(act: Foreign, isDeclared: (environmentId: string, name: string, value: string) => boolean): void {
    if (act.act !== "set" && act.act !== "show") return;
    const id = this.#service.environmentIds[act.on] ?? "";
    const value = act.act === "set" ? act.value : this.#service.world.variable(id, act.name)?.value;
    if (act.act === "set" && act.hidden) this.#secrets.add(act.value);
    if (act.hidden || value === undefined) return;
    (isDeclared(id, act.name, value) ? this.#publishedAndDeclared : this.#published).add(value);
  }

  /**
   * What an environment shows is no secret any more: a service that updates nothing but values has acted there, or an import has read it.
   */
  noteShown(environmentId: string): void {
    if (!this.#service.exists(environmentId)) return;
    for (const { hidden, value } of this.#service.world.variables(environmentId))
      if (!hidden) this.#published.add(value);
  }

  /** No hidden value stands in these texts. */
  search(texts: readonly string[]): void {
    for (const secret of this.#secrets) {
      if (secret.length < RECOGNISABLE || this.#published.has(secret)) continue;
      const leaked = texts.find((text) => text.includes(secret));
      hold(leaked === undefined, "leak", () => `${secret} stands in ${leaked}`);
    }
  }
}
