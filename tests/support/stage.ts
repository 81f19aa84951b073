import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { type EnvironmentSeed, type Sandbox, type SandboxOptions, startSandbox } from "../../provider/src/sandbox";
import type { World } from "../../provider/src/sandbox";
import { coreHost } from "./core-host";
import type { Program } from "./engine-steps";
import { DynamicHost } from "./dynamic-host";
import { Gateway, type Seen } from "./gateway";
import type { Difference, Host, Phase, Side } from "./host";
import { LogBook } from "./log-book";
import { Stack } from "./stack";
import { PluginHost } from "./plugin-host";
import { TestClock } from "./test-clock";

/** What a scenario plays with: a service, a stack, and everything that was said and sent. */
export interface Stage {
  readonly environmentId: string;
  readonly clock: TestClock;
  readonly sandbox: Sandbox;
  readonly world: World;
  readonly engine: Stack;
  readonly log: LogBook;
  /** Labels of the requests since the last call, in order of arrival: "GET /env-vars". */
  readonly requests: () => readonly string[];
  /** Names in each PUT since the last call, sorted. */
  readonly puts: () => readonly (readonly string[])[];
  /** Bodies and paths as they were on the wire. */
  readonly sent: () => readonly Seen[];
  readonly addEnvironment: (seed?: Partial<EnvironmentSeed>) => string;
  readonly values: () => Readonly<Record<string, string>>;
}

export interface Scenario {
  readonly title: string;
  readonly choices?: SandboxOptions["choices"];
  readonly buildSeconds?: number;
  readonly environment?: Partial<EnvironmentSeed>;
  /** Settings of the provider beside address and token. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Something a process remembers would carry over to other scenarios. */
  readonly fresh?: boolean;
  /** Minutes pass, or the provider waits: only for hosts whose time is the test's. */
  readonly needsTime?: boolean;
  /** The other hosts play it, too. They run the code that the core has run before, so one of a kind is enough, with few runs: a dynamic provider
   * starts a process for each. */
  readonly onHosts?: boolean;
  /** Somebody cancels: only for hosts that are told. */
  readonly cancels?: true;
  /** Only for the hosts on one side of a row of docs/hosts.md. */
  readonly difference?: { readonly row: Difference; readonly side: Side };
  readonly run: (stage: Stage) => Promise<void>;
}

export const hosts: readonly Host[] = [coreHost, new DynamicHost(), new PluginHost()];

const PLACEHOLDER = "previewenv:unknown:";
let gateway: Promise<Gateway> | undefined;
/** Sandboxes of scenarios that are not over: one that waits for ever must not keep the process from ending. */
const open = new Set<Sandbox>();

// A process that mocha runs files in side by side has this once, after its first file. Processes that later files start end with that process.
after(async () => {
  await Promise.all([...hosts.map((host) => host.close()), ...[...open].map((sandbox) => sandbox.close())]);
  (await gateway)?.close();
  gateway = undefined;
});

const PLAYS_ALL = process.env["PREVIEWENV_ALL_SCENARIOS"] === "1";

/** Declares one test for each scenario on the core, and for a sample of them on the other hosts. What only hosts do is in tests/hosts. */
export function contract(topic: string, scenarios: readonly Scenario[]): void {
  for (const host of hosts) {
    const played = scenarios.filter(
      (scenario) => suits(host, scenario) && (host === coreHost || scenario.onHosts === true || PLAYS_ALL),
    );
    describe(`${topic}: ${host.name}`, () => {
      for (const scenario of played) it(scenario.title, () => play(host, scenario));
    });
  }
}

function suits(host: Host, { needsTime, cancels, difference }: Scenario): boolean {
  if (needsTime === true && !host.ownsTime) return false;
  if (cancels === true && host.side("Ctrl-C") === "dynamic") return false;
  return difference === undefined || host.side(difference.row) === difference.side;
}

async function play(host: Host, scenario: Scenario): Promise<void> {
  gateway ??= Gateway.start();
  const front = await gateway;
  const clock = new TestClock();
  const environmentId = randomUUID();
  const { choices = {}, buildSeconds = 0, settings = {}, fresh = false } = scenario;
  const environments = [seed({ id: environmentId, ...scenario.environment })];
  const sandbox = await startSandbox({ clock, choices, buildSeconds, environments });
  open.add(sandbox);
  front.route(environmentId, sandbox.url);
  const from = front.seen.length;
  const log = new LogBook();
  let runs = 0;
  const start = (phase: Phase) => {
    runs += 1;
    const address = { baseUrl: front.url, token: sandbox.token };
    return host.start({ settings, ...address, run: runs, fresh, clock, log, ...phase });
  };
  try {
    const engine = new Stack(start);
    await scenario.run(setUp({ environmentId, clock, sandbox, engine, log }, front, from));
    const leaked = front.seen.slice(from).filter(({ body }) => body.includes(PLACEHOLDER));
    if (leaked.length > 0) throw new Error("a placeholder was sent to the service");
  } finally {
    open.delete(sandbox);
    await sandbox.close();
  }
}

/** @param from how many requests the gateway had seen before */
function setUp(
  parts: Pick<Stage, "environmentId" | "clock" | "sandbox" | "engine" | "log">,
  front: Gateway,
  from: number,
): Stage {
  const { sandbox, environmentId } = parts;
  const { world, journal } = sandbox;
  let requestMark = journal.mark();
  let putMark = requestMark;
  return {
    ...parts,
    world,
    requests() {
      const labels = journal.since(requestMark).map(({ label }) => label);
      requestMark = journal.mark();
      return labels;
    },
    puts() {
      const names = journal
        .since(putMark)
        .flatMap((entry) => (entry.label === "PUT /env-vars" ? [entry.names ?? []] : []));
      putMark = journal.mark();
      return names.map((batch) => batch.toSorted());
    },
    sent: () => front.seen.slice(from),
    addEnvironment(options = {}) {
      const { id } = world.environments.add(seed({ name: "second", ...options }));
      front.route(id, sandbox.url);
      return id;
    },
    values: () => Object.fromEntries(world.variables(environmentId).map(({ name, value }) => [name, value])),
  };
}

function seed(given: Partial<EnvironmentSeed>): EnvironmentSeed {
  const projects = [
    { repoName: "web", branch: "main", pullRequestNumber: 42 },
    { repoName: "api", branch: "main" },
  ];
  return { name: "shop", projects, ...given };
}

/** A program of one EnvVarSet called `vars`. */
export function set(environmentId: string, inputs: Properties = {}) {
  return { vars: { type: "EnvVarSet", inputs: { environmentId, ...inputs } } } as const;
}

/** A program of one EnvironmentBranches called `deployed`. */
export function branches(environmentId: string, inputs: Properties = {}) {
  return { deployed: { type: "EnvironmentBranches", inputs: { environmentId, ...inputs } } } as const;
}

/** Labels of the requests since the last look, but for reads. */
export function writes({ requests }: Pick<Stage, "requests">): readonly string[] {
  return requests().filter((label) => !label.startsWith("GET"));
}

/** The actions that were sent since the last look. */
export function actions({ requests }: Pick<Stage, "requests">): readonly string[] {
  return requests().flatMap((label) => (label.startsWith("POST /") ? [label.slice("POST /".length)] : []));
}

/** What a preview warned of. It has no errors. */
export async function warningsOf({ engine, log }: Stage, program: Program): Promise<readonly string[]> {
  const from = log.lines.length;
  await engine.preview(program);
  return log.lines.slice(from).flatMap(({ severity, text }) => (severity === "warning" ? [text] : []));
}

/** Bodies of the branch changes that were sent: branch by repository. */
export function branchChanges({ sent }: Stage): readonly unknown[] {
  return sent()
    .filter(({ body }) => body.includes("application"))
    .map(({ body }) => {
      const { data } = JSON.parse(body);
      expect(data).to.deep.include({ type: "application" });
      return Object.fromEntries(
        data.attributes.projects.map((one: { repo_name: string; branch: string }) => [one.repo_name, one.branch]),
      );
    });
}
