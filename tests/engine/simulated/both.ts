import { isMap, type Properties } from "../../../provider/src/framework/properties";
import { updateTimes } from "../../../provider/src/env-vars/env-var-set-state";
import type { FaultOptions } from "../../../provider/src/sandbox";
import type { History } from "../../simulation/history";
import { type Foreign, perform } from "../../simulation/foreign";
import { type Edit, edited } from "../../simulation/program/edits";
import { toProgram } from "../../simulation/program/inputs";
import { emptyProgram, type ProgramModel, type SimulatedProgram } from "../../simulation/program/model";
import { Simulation } from "../../simulation/simulation";
import type { Trouble } from "../../simulation/trouble";
import type { Argument, Program, ResourceEntry } from "../harness/program";
import type { Project } from "../harness/project";
import { type Engine, until } from "../harness/suite";

/** What one request of a run meets, counted from 0 within the run. */
type RecordedTrouble =
  | { readonly at: number; readonly kind: "status"; readonly status: number }
  /** The upsert at this place fails for these names. */
  | { readonly at: number; readonly kind: "refuse"; readonly names: readonly string[] }
  /** The engine and everything it has started are killed while the service acts on it. */
  | { readonly at: number; readonly kind: "kill" };

export type RecordedStep =
  | { readonly edit: Edit }
  | { readonly others: Foreign }
  | {
      readonly run: "up" | "refresh" | "preview" | "destroy";
      readonly targets?: readonly string[];
      readonly refresh?: true;
      readonly trouble?: RecordedTrouble;
    };

/** What came of one step: the requests, and the state after it. */
export interface Outcome {
  readonly step: string;
  /** Writes with their names, and which kinds of reads there were: how often a build is looked at depends on time. */
  readonly requests: readonly string[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly pending: readonly string[];
}

const HISTORY: History = {
  seed: 7,
  host: "dynamic",
  choices: {},
  settings: { batchSize: 100, maxRetries: 0, maxConcurrency: 8 },
  steps: [],
};
/** What differs from one run of the same thing to the next. */
const CHANGING = /\d{4}-\d\d-\d\dT[\d:.]+Z?|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const SECRET_KEY = "4dabf18193072939515e22adb298388d";

/** Ids of the environments of every recorded history. */
export const { environmentIds } = new Simulation(HISTORY).service;

type RunStep = Extract<RecordedStep, { readonly run: string }>;

export async function playModel(steps: readonly RecordedStep[]): Promise<readonly Outcome[]> {
  const simulation = new Simulation(HISTORY);
  const { engine, journal } = simulation;
  const outcomes: Outcome[] = [];
  let model = emptyProgram;
  for (const step of steps) {
    if ("edit" in step) model = edited(model, step.edit);
    else if ("others" in step) simulation.foreign(step.others);
    else {
      const from = journal.length;
      const program = toProgram(model, environmentIds);
      const troubles = step.trouble === undefined ? [] : [toTrouble(step.trouble, model)];
      await simulation.run({ kind: step.run, model, troubles }, () => {
        if (step.run === "preview") return engine.preview(program);
        if (step.run === "refresh") return engine.refresh();
        if (step.run === "destroy") return engine.destroy();
        const { targets, refresh } = step;
        return engine.up(program, { ...(targets && { targets }), ...(refresh && { refresh }) });
      });
      const sent = journal.slice(from).flatMap((line) => / #\d+ ([A-Z]+ \S+ \S*)$/u.exec(line)?.[1] ?? []);
      const kept = [...engine.state].map(([name, stored]) => [name, stored] as const);
      const doomed = [...engine.doomed].map(({ name, stored }) => [`${name} (to be deleted)`, stored] as const);
      outcomes.push({
        step: JSON.stringify(step),
        requests: summary(sent.map((line) => line.trim())),
        state: settled([...kept, ...doomed]),
        pending: [...engine.pending].toSorted(),
      });
    }
  }
  return outcomes;
}

function toTrouble(trouble: RecordedTrouble, model: ProgramModel): Trouble {
  const { at } = trouble;
  if (trouble.kind === "kill") return { at, what: { kind: "crash", who: "engine", when: "after" } };
  if (trouble.kind === "status") return { at, what: { kind: "status", status: trouble.status } };
  const sent = [...(model.s?.variables.keys() ?? [])].toSorted();
  const position = (name: string): number => (at === 0 ? 0 : sent.indexOf(name));
  const bits = trouble.names.reduce((sum, name) => sum + 2 ** position(name), 0);
  return { at, what: { kind: "partial", names: bits, nameless: 0 } };
}

export async function playReal(
  engine: Engine,
  project: Project,
  steps: readonly RecordedStep[],
): Promise<readonly Outcome[]> {
  const { world, journal } = engine.sandbox;
  const outcomes: Outcome[] = [];
  let model = emptyProgram;
  for (const step of steps) {
    if ("edit" in step) model = edited(model, step.edit);
    else if ("others" in step) perform(world, environmentIds, step.others);
    else {
      const mark = journal.mark();
      project.write(toArguments(toProgram(model, environmentIds)));
      await runReal(engine, project, step);
      const sent = journal.since(mark).map(({ label, names = [] }) => `${label} ${names.join(",")}`.trim());
      const { state, pending } = await exported(project);
      outcomes.push({ step: JSON.stringify(step), requests: summary(sent), state, pending });
    }
  }
  return outcomes;
}

async function runReal(engine: Engine, project: Project, step: RunStep): Promise<void> {
  const { faults } = engine.sandbox;
  const { trouble, targets = [] } = step;
  const command = step.run === "preview" ? ["preview"] : [step.run, "--yes", "--skip-preview"];
  const urns = targets.flatMap((name) => ["--target", `**::${name}`]);
  const args = [...command, ...urns, ...(step.refresh ? ["--refresh"] : [])];
  if (trouble?.kind !== "kill") {
    if (trouble !== undefined) faults.add(toFault(trouble));
    await project.run(...args);
    faults.clear();
    return;
  }
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const mark = engine.sandbox.journal.mark();
  const fault = faults.add({ after: trouble.at, hold });
  const run = project.start(...args);
  await until("the request arrives", () => fault.hits > 0);
  run.kill();
  await run.done;
  release();
  faults.clear();
  await until("the request is over", () => engine.sandbox.journal.since(mark).every(({ status }) => status !== 0));
  await project.succeed("cancel", "--yes");
}

function toFault(trouble: Exclude<RecordedTrouble, { readonly kind: "kill" }>): FaultOptions {
  if (trouble.kind === "status") return { after: trouble.at, status: trouble.status };
  return { refuse: Object.fromEntries(trouble.names.map((name) => [name, "no room"])) };
}

function toArguments(program: SimulatedProgram): Program {
  const resources = Object.entries(program).map(
    ([name, { type, inputs, ignoreChanges = [], dependsOn = [], provider }]): ResourceEntry => {
      const args: { readonly [key: string]: Argument } = JSON.parse(JSON.stringify(inputs));
      if (!isType(type)) throw new Error(`no resource type ${type}`);
      const options = { ignoreChanges: [...ignoreChanges], dependsOn: [...dependsOn], ...(provider && { provider }) };
      return { type, name, args, options };
    },
  );
  const named = new Set(resources.flatMap(({ options }) => options?.provider ?? []));
  return { providers: [...named].map((name) => ({ name, args: {} })), resources };
}

function isType(type: string): type is ResourceEntry["type"] {
  return ["EnvVarSet", "EnvVar", "EnvironmentBranches", "EnvironmentAction", "SnapshotLoad"].includes(type);
}

interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly delete?: boolean;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly initErrors?: readonly string[];
}

async function exported(project: Project): Promise<Pick<Outcome, "state" | "pending">> {
  const { stdout } = await project.succeed("stack", "export", "--show-secrets");
  const parsed: {
    readonly deployment: {
      readonly resources?: readonly StoredResource[];
      readonly pending_operations?: readonly { readonly resource: StoredResource; readonly type: string }[];
    };
  } = JSON.parse(stdout);
  const { resources = [], pending_operations: operations = [] } = parsed.deployment;
  const nameOf = ({ urn }: StoredResource): string => urn.split("::").at(-1) ?? "";
  const own = resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/previewenv:"));
  const state = own.map((one) => {
    const { id = "", type, inputs = {}, outputs = {}, initErrors = [] } = one;
    const name = one.delete === true ? `${nameOf(one)} (to be deleted)` : nameOf(one);
    return [
      name,
      { type: type.split(":").at(-1) ?? "", id, inputs: bare(inputs), outputs: bare(outputs), initErrors },
    ] as const;
  });
  return {
    state: settled(state),
    pending: operations.map(({ resource, type }) => `${type} ${nameOf(resource)}`).toSorted(),
  };
}

/** Without the provider's text, and with secrets as they are. */
function bare(bag: Properties): Properties {
  const { __provider: _text, ...rest } = bag;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, opened(value)]));
}

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isMap(value)) return value;
  const { plaintext } = value;
  if (SECRET_KEY in value && typeof plaintext === "string") return JSON.parse(plaintext);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, opened(entry)]));
}

interface Comparable {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly initErrors: readonly string[];
}

function settled(resources: readonly (readonly [string, Comparable])[]): Readonly<Record<string, unknown>> {
  const constant = (text: string): string =>
    text.replaceAll(CHANGING, (found) => (environmentIds.includes(found) ? found : "(changes)"));
  return Object.fromEntries(
    resources
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { type, id, inputs, outputs, initErrors }]) => [
        name,
        JSON.parse(
          constant(JSON.stringify({ type, id, inputs, outputs: timeless(outputs), initErrors: initErrors.length })),
        ),
      ]),
  );
}

/** Outputs whose `observed` has the names of a set in their order. Which of them share a time depends on how fast the machine is. */
function timeless(outputs: Properties): Properties {
  const { observed } = outputs;
  if (!isMap(observed) || !isMap(observed["names"])) return outputs;
  return { ...outputs, observed: { ...observed, names: [...updateTimes(outputs).keys()].toSorted() } };
}

function summary(lines: readonly string[]): readonly string[] {
  const reads = new Set(lines.filter((line) => line.startsWith("GET ")));
  return [...reads, ...lines.filter((line) => !line.startsWith("GET "))].toSorted();
}
