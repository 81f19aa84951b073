import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEvents } from "../../../provider/src/drift/engine-event";
import { type History, PAGE_SIZE } from "../../../provider/src/drift/history";
import { stackExport } from "../../../provider/src/drift/stack-export";
import { readProgram } from "../../../provider/src/drift/program";
import type { Engine } from "../../../provider/src/drift/pulumi-cli";
import type { DriftRequest } from "../../../provider/src/drift/stacks";

const SET = "EnvVarSet";
const TYPE = `previewenv:index:${SET}`;
export const URN = `urn:pulumi:dev::project::${TYPE}::vars`;
export const BACKEND = "s3://acme-state/shop";
/** What a command of the engine tells, and why it failed. */
interface Told {
  readonly events: readonly unknown[];
  readonly errors: readonly string[];
}
export const quiet: Told = { events: [], errors: [] };

/** Events of the real engine (CLI 3.259), as a command sent them. Only `__provider`, times and paths are taken out, `seenAt` is added,
 * and `pending` has its present form. */
export function recorded(name: string): readonly unknown[] {
  const lines = readFileSync(join(__dirname, "..", "fixtures", `${name}.jsonl`), "utf8");
  return lines
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

/** A step that ended: a set of the environment `e`, if nothing else is given. */
interface Step {
  /** The last part of its type. */
  readonly type?: string;
  /** Left out: it is the set `vars`, whatever its type. */
  readonly name?: string;
  readonly old?: object;
  readonly now?: object;
  /** The paths that differ, and how: changed, if only paths are given. */
  readonly paths?: readonly string[] | Readonly<Record<string, "add" | "delete" | "update">>;
  /** What else its old state says. */
  readonly flags?: object;
}

export function ended(op: string, { type = SET, name, old = { environmentId: "e" }, now = old, ...rest }: Step = {}) {
  const { paths = [], flags } = rest;
  const kinds = Array.isArray(paths) ? paths.map((path: string) => [path, "update"]) : Object.entries(paths);
  const detailedDiff = Object.fromEntries(kinds.map(([path, diffKind]) => [path, { diffKind, inputDiff: true }]));
  const whole = type.includes(":") ? type : `previewenv:index:${type}`;
  const states = { old: { inputs: {}, outputs: old, ...flags }, new: { inputs: {}, outputs: now } };
  const urn = name === undefined ? URN : `urn:pulumi:dev::project::${whole}::${name}`;
  return { resOutputsEvent: { metadata: { op, urn, type: whole, ...states, detailedDiff } } };
}

interface Answers {
  readonly previewRefresh: Told;
  /** That after the restore. */
  readonly previewRefreshAfter: Told;
  readonly previewUpdate: Told;
  readonly restore: Told;
  /** The steps by which today's program would change what was deployed. */
  readonly program: readonly object[];
  /** Those after the restore. */
  readonly programAfter: readonly object[];
  readonly programErrors: readonly string[];
  readonly programAfterErrors: readonly string[];
  readonly stacks: readonly string[] | Error;
  readonly history: History;
  /** What `pulumi stack export` wrote. */
  readonly state: unknown;
}

const usual: Answers = {
  previewRefresh: { events: [ended("update")], errors: [] },
  previewRefreshAfter: quiet,
  previewUpdate: quiet,
  restore: { events: [ended("refresh"), ended("update")], errors: [] },
  program: [{ op: "same", urn: URN, oldState: { type: TYPE }, newState: { type: TYPE } }],
  programAfter: [],
  programErrors: [],
  programAfterErrors: [],
  stacks: ["dev", "pr-1"],
  history: [{ kind: "update", result: "succeeded" }],
  state: {},
};

/** An engine that finds one changed set, and restores it. It notes what it was asked. */
export class FakeEngine implements Engine {
  readonly asked: string[] = [];
  readonly #answers: Answers;

  constructor(answers: Partial<Answers> = {}) {
    this.#answers = { ...usual, ...answers };
  }

  async stacks() {
    if (this.#answers.stacks instanceof Error) throw this.#answers.stacks;
    return this.#answers.stacks;
  }

  async wholeName(stack: string) {
    this.asked.push(`wholeName ${stack}`);
    return stack.includes("/") ? stack : `acme/shop/${stack}`;
  }

  async export() {
    return stackExport.parse(this.#answers.state);
  }

  async history(_stack: string, page: number) {
    return this.#answers.history.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  }

  async backend() {
    return BACKEND;
  }

  async previewRefresh(stack: string) {
    return this.#answer(this.#isRestored(stack) ? "previewRefreshAfter" : "previewRefresh", stack);
  }

  async compare(stack: string) {
    this.asked.push(`compare ${stack}`);
    const { program, programAfter, programErrors, programAfterErrors } = this.#answers;
    const [steps, errors] = this.#isRestored(stack) ? [programAfter, programAfterErrors] : [program, programErrors];
    return { program: readProgram(JSON.stringify({ steps }), {}).program, errors };
  }

  async previewUpdate(stack: string, urns: readonly string[]) {
    return this.#answer("previewUpdate", `${stack} ${urns.join()}`);
  }

  async restore(stack: string, urns: readonly string[]) {
    return this.#answer("restore", `${stack} ${urns.join()}`);
  }

  #isRestored(stack: string): boolean {
    return this.asked.includes(`restore ${stack} ${URN}`);
  }

  #answer(command: "previewRefresh" | "previewRefreshAfter" | "previewUpdate" | "restore", about: string) {
    this.asked.push(`${command} ${about}`);
    const { events, errors } = this.#answers[command];
    return { steps: readEvents(events).steps, errors };
  }
}

/** What is asked of the check, if nothing else is given: to look at every stack. */
export function request(options: Partial<DriftRequest> = {}): DriftRequest {
  return {
    stacks: [],
    parallel: 1,
    ignore: [],
    heal: false,
    allowNoStacks: false,
    progress: () => undefined,
    ...options,
  };
}
