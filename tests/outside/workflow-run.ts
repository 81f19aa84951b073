import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import * as z from "zod";
import { identity } from "../../tools/release/owner";
import { actionEnvironment, readAction } from "../support/action";
import { Terminal } from "./terminal";

const texts = z.record(z.string(), z.union([z.string(), z.boolean(), z.number()]).transform(String)).default({});
const step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: texts,
  env: texts,
  run: z.string().optional(),
});
const job = z.looseObject({
  if: z.string().default("true"),
  defaults: z.object({ run: z.object({ "working-directory": z.string() }) }),
  env: texts,
  steps: z.array(step),
});
/** A value in a text. GitHub makes nothing of one that is not there. */
const printed = z.union([z.string(), z.number().transform(String)]).catch("");
const workflow = z.object({ jobs: z.record(z.string(), job) });
type Step = z.output<typeof step>;
type Job = z.output<typeof job>;

/** What GitHub knows when a run begins: the contexts of its expressions. */
export interface Contexts {
  readonly github: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
}

/** How a run ended. */
export interface Ended {
  readonly isGreen: boolean;
  /** What all steps printed. */
  readonly text: string;
}

/** What prepares GitHub's machine. It is prepared here, and keeps nothing between runs. */
const PREPARES = /^(?:actions\/(?:checkout|setup-node|cache)|pulumi\/actions)@|^npm ci$/u;
const OWN_ACTION = `${identity.githubOwner}/${identity.githubRepository}@`;

/**
 * One run of a workflow's only job, in a folder that stands for the checkout of its repository: its steps, in GitHub's shell, with the
 * environment that the file gives each of them. Of actions it knows that of this project and those that prepare the machine.
 */
export class WorkflowRun {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #contexts: Contexts;
  readonly #steps: Record<string, { readonly outcome: string; readonly outputs: Readonly<Record<string, string>> }> =
    {};
  #text = "";
  #isGreen = true;

  constructor(folder: string, env: NodeJS.ProcessEnv, contexts: Contexts) {
    this.#folder = folder;
    this.#env = env;
    this.#contexts = contexts;
  }

  /** @throws for a file that is not understood. */
  async play(file: string): Promise<Ended> {
    const [only] = Object.values(workflow.parse(parse(readFileSync(file, "utf8"))).jobs);
    if (only === undefined) throw new Error(`${file} has no job`);
    if (this.#isTrue(only.if)) for (const one of only.steps) await this.#take(only, one);
    return { isGreen: this.#isGreen, text: this.#text };
  }

  async #take(ofJob: Job, taken: Step): Promise<void> {
    const { uses = "", run = "", id = "" } = taken;
    if (PREPARES.test(uses) || PREPARES.test(run) || !this.#isDue(taken)) return;
    const temporary = mkdtempSync(join(this.#folder, "temporary-"));
    const outputs = join(temporary, "outputs");
    writeFileSync(outputs, "");
    const [script, folder, own] = this.#commandOf(ofJob, taken);
    await using terminal = new Terminal(folder, {
      ...this.#env,
      ...this.#filled(ofJob.env),
      ...this.#filled(taken.env),
      ...own,
      RUNNER_TEMP: temporary,
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: join(temporary, "summary"),
    });
    const { code, text } = await terminal.run(script);
    this.#text += text;
    this.#isGreen &&= code === 0;
    this.#steps[id] = { outcome: code === 0 ? "success" : "failure", outputs: outputsIn(outputs) };
  }

  #commandOf(
    ofJob: Job,
    { uses, run, with: inputs }: Step,
  ): readonly [string, string, Readonly<Record<string, string>>] {
    if (run !== undefined) return [run, join(this.#folder, ofJob.defaults.run["working-directory"]), {}];
    if (!uses?.startsWith(OWN_ACTION)) throw new Error(`the action ${uses} is not known`);
    const own = { ...actionEnvironment(this.#filled(inputs)), GITHUB_ACTION_PATH: this.#folder };
    return [readAction().runs.steps[0].run, this.#folder, own];
  }

  /** Without a condition, and with one that does not ask about the steps before, a step is left out after a failure. */
  #isDue({ if: condition = "true" }: Step): boolean {
    return (this.#isGreen || condition.includes("cancelled()")) && this.#isTrue(condition);
  }

  #isTrue(condition: string): boolean {
    return this.#evaluate(condition.replace(/^\$\{\{(.*)\}\}$/u, "$1")) === true;
  }

  #filled(given: Readonly<Record<string, string>>): Record<string, string> {
    const fill = (text: string): string =>
      text.replaceAll(/\$\{\{ (.+?) \}\}/gu, (_, expression: string) => printed.parse(this.#evaluate(expression)));
    return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, fill(text)]));
  }

  /** Those of GitHub's expressions that are used here mean the same in JavaScript. */
  #evaluate(expression: string): unknown {
    return runInNewContext(expression, { ...this.#contexts, steps: this.#steps, cancelled: () => false });
  }
}

function outputsIn(file: string): Readonly<Record<string, string>> {
  const lines = readFileSync(file, "utf8").split("\n");
  return Object.fromEntries(lines.map((line) => [line.split("=", 1).join(), line.slice(line.indexOf("=") + 1)]));
}
