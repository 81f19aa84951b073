import type { Engine } from "../../../provider/src/drift/engine";
import { readEvents } from "../../../provider/src/drift/engine-event";
import { readProgram } from "../../../provider/src/drift/program";
import type { DriftRequest } from "../../../provider/src/drift/stacks";

const TYPE = "previewenv:index:EnvVarSet";
export const URN = `urn:pulumi:dev::project::${TYPE}::vars`;
/** Where its stacks are kept. */
export const BACKEND = "s3://acme-state/shop";
/** What a command of the engine tells, and why it failed. */
interface Watched {
  readonly events: readonly unknown[];
  readonly errors: readonly string[];
}
export const quiet: Watched = { events: [], errors: [] };

/** The event of a set whose step ended. */
export function ended(
  op: string,
  options: { readonly type?: string; readonly old?: object; readonly found?: object } = {},
) {
  const { type = TYPE, old = { environmentId: "e" }, found = old } = options;
  const states = { old: { inputs: {}, outputs: old }, new: { inputs: {}, outputs: found } };
  return { resOutputsEvent: { metadata: { op, urn: URN, type, ...states } } };
}

/** An engine that finds one changed set, and restores it; it notes what it was asked. */
export class FakeEngine implements Engine {
  readonly asked: string[] = [];
  readonly #answers: Partial<Record<"look" | "rehearse" | "restore", Watched>>;
  readonly #op: string;
  readonly #stacks: readonly string[] | Error;

  constructor(
    answers: Partial<Record<"look" | "rehearse" | "restore", Watched>> = {},
    op = "same",
    stacks: readonly string[] | Error = ["dev", "pr-1"],
  ) {
    this.#answers = answers;
    this.#op = op;
    this.#stacks = stacks;
  }

  async stacks() {
    if (this.#stacks instanceof Error) throw this.#stacks;
    return this.#stacks;
  }

  async backend() {
    return BACKEND;
  }

  async look(stack: string) {
    return this.#answer("look", stack, { events: [ended("update")], errors: [] });
  }

  async compare(stack: string) {
    this.asked.push(`compare ${stack}`);
    const steps = [{ op: this.#op, urn: URN, oldState: { type: TYPE }, newState: { type: TYPE } }];
    const { program } = readProgram(JSON.stringify({ steps }));
    return { program, errors: this.#op === "broken" ? ["SyntaxError in index.ts"] : [] };
  }

  async rehearse(stack: string, urns: readonly string[]) {
    return this.#answer("rehearse", `${stack} ${urns.join()}`, quiet);
  }

  async restore(stack: string, urns: readonly string[]) {
    return this.#answer("restore", `${stack} ${urns.join()}`, {
      events: [ended("refresh"), ended("update")],
      errors: [],
    });
  }

  #answer(what: "look" | "rehearse" | "restore", about: string, usual: Watched) {
    this.asked.push(`${what} ${about}`);
    const { events, errors } = this.#answers[what] ?? usual;
    return { steps: readEvents(events).steps, errors };
  }
}

/** What is asked of the check, if nothing else is given: to look at every stack. */
export function request(options: Partial<DriftRequest> = {}): DriftRequest {
  const progress = () => undefined;
  return {
    stacks: [],
    parallel: 1,
    ignore: [],
    heal: false,
    allowNoStacks: false,
    progress,
    ...options,
  };
}
