import type { Connections } from "../../../provider/src/client";
import type { Clock } from "../../../provider/src/client/clock";
import { startRun } from "../../../provider/src/environment/start-run";
import type { Run as ProviderRun } from "../../../provider/src/framework/context";
import { resolveSettings } from "../../../provider/src/framework/settings";
import { type Choices, defaultChoices } from "../../../provider/src/sandbox";
import { addEnvironment } from "../../../provider/src/sandbox/domain/seed";
import { Store } from "../../../provider/src/sandbox/domain/store";
import { World } from "../../../provider/src/sandbox/domain/world";
import { Service } from "../../../provider/src/sandbox/http/service";
import { EngineModel } from "../../support/engine-model";
import type { Program, Run } from "../../support/engine-steps";
import type { Host, Provider } from "../../support/host";
import { LogBook } from "../../support/log-book";
import { Chance } from "../../simulation/chance";
import { VirtualNetwork } from "../../simulation/network";
import { mortal, SimulatedProcess } from "../../simulation/processes";
import { Timeline } from "../../simulation/timeline";

const SETTINGS = { baseUrl: "https://service.invalid", apiToken: "t0ken-of-the-fleet" } as const;

/** What a fleet is made of. */
export interface FleetOptions {
  /** How many environments there are. */
  readonly size: number;
  readonly host: Host;
  readonly buildSeconds?: number;
  readonly choices?: Partial<Choices>;
}

/** A request as it left a provider. */
export interface FleetRequest {
  readonly atMs: number;
  /** "PUT /env-vars". */
  readonly label: string;
  readonly environmentId: string;
  /** Which provider process has sent it. */
  readonly process: number;
  /** 0 until it was answered. */
  status: number;
}

/** Many environments of one service on virtual time, and any number of stacks, each with provider processes of its own. */
export class Fleet {
  readonly world: World;
  readonly environmentIds: readonly string[];
  readonly requests: FleetRequest[] = [];
  readonly #timeline = new Timeline();
  readonly #network: VirtualNetwork;
  readonly #host: Host;
  readonly #log = new LogBook();
  readonly #backoff = new Chance(1);
  readonly #ids = new Chance(2);
  #processes = 0;

  constructor({ size, host, buildSeconds = 20, choices = {} }: FleetOptions) {
    this.#host = host;
    const clock = this.#timeline;
    const serviceIds = new Chance(3);
    const store = new Store({
      clock,
      buildSeconds,
      choices: { ...defaultChoices, ...choices },
      newId: () => serviceIds.uuid(),
    });
    this.world = new World(store);
    const projects = [{ repoName: "web", branch: "main" }];
    this.environmentIds = Array.from(
      { length: size },
      (_, index) => addEnvironment(store, { name: `pr-${index}`, projects }).id,
    );
    const sent = new Map<unknown, FleetRequest>();
    this.#network = new VirtualNetwork(clock, new Chance(4), new Service(store, new Set([SETTINGS.apiToken])), {
      leaving: (request) => {
        const { label, environmentId, process } = request;
        const seen = { atMs: clock.now(), label, environmentId, process: process.run, status: 0 };
        sent.set(request, seen);
        this.requests.push(seen);
        return true;
      },
      fault: () => undefined,
      arrived: () => undefined,
      acted: () => undefined,
      answered: (request, { status }) => {
        const seen = sent.get(request);
        if (seen !== undefined) seen.status = status;
      },
    });
  }

  /** Milliseconds of virtual time. */
  get nowMs(): number {
    return this.#timeline.now();
  }

  /** An empty stack. Each run of it starts a provider process. */
  stack(): EngineModel {
    return new EngineModel(() => this.#start());
  }

  /** `pulumi up` of each stack, all at once. */
  up(stacks: readonly EngineModel[], programs: readonly Program[]): Promise<readonly Run[]> {
    return this.#timeline.run(Promise.all(stacks.map((stack, index) => stack.up(programs[index] ?? {}))));
  }

  /** Resolves after that much virtual time. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#timeline.after(ms, resolve));
  }

  /** Lets time pass until some work of a session is over. */
  run<T>(work: Promise<T>): Promise<T> {
    return this.#timeline.run(work);
  }

  /** A session of a process of its own, without an engine. */
  session(): ProviderRun {
    const { clock, connections } = this.#newProcess();
    const settings: Readonly<Record<string, string>> = SETTINGS;
    return startRun(
      resolveSettings((name) => settings[name], {}),
      { clock, connections },
    );
  }

  #newProcess(): { readonly process: SimulatedProcess; readonly clock: Clock; readonly connections: Connections } {
    this.#processes += 1;
    const process = new SimulatedProcess(this.#processes, this.#timeline, this.#backoff);
    return { process, clock: process.clock, connections: this.#network.connect(process) };
  }

  async #start(): Promise<Provider> {
    const { process, clock, connections } = this.#newProcess();
    const provider = await this.#host.start({
      settings: { previewChecks: "false" },
      preview: false,
      baseUrl: SETTINGS.baseUrl,
      token: SETTINGS.apiToken,
      run: this.#processes,
      fresh: true,
      clock,
      log: this.#log,
      session: { connections, randomId: () => this.#ids.uuid() },
      signal: new AbortController().signal,
    });
    return mortal(provider, process);
  }
}
