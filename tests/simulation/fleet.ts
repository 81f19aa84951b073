import { type Choices, defaultChoices } from "../../provider/src/sandbox";
import { addEnvironment } from "../../provider/src/sandbox/domain/seed";
import { Store } from "../../provider/src/sandbox/domain/store";
import { World } from "../../provider/src/sandbox/domain/world";
import { Service } from "../../provider/src/sandbox/http/service";
import { EngineModel } from "../support/engine-model";
import type { Host, Provider } from "../support/host";
import { LogBook } from "../support/log-book";
import { Chance } from "./chance";
import { VirtualNetwork } from "./network";
import { mortal, SimulatedProcess } from "./process";
import { Timeline } from "./timeline";

const BASE_URL = "https://service.invalid";
const TOKEN = "t0ken-of-the-fleet";
const BUILD_SECONDS = 20;

/** What a fleet is made of. */
export interface FleetOptions {
  /** How many environments there are. */
  readonly size: number;
  readonly host: Host;
  readonly choices?: Partial<Choices>;
}

/** A request as it left a provider. */
export interface FleetRequest {
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

  constructor({ size, host, choices = {} }: FleetOptions) {
    this.#host = host;
    const clock = this.#timeline;
    const serviceIds = new Chance(3);
    const store = new Store({
      clock,
      buildSeconds: BUILD_SECONDS,
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
    this.#network = new VirtualNetwork(clock, new Chance(4), new Service(store, new Set([TOKEN])), {
      leaving: (request) => {
        const seen = { status: 0 };
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

  /** Resolves after that much virtual time. */
  sleep(ms: number): Promise<void> {
    return this.#timeline.sleep(ms);
  }

  /** Lets time pass until some work of a session is over. */
  run<T>(work: Promise<T>): Promise<T> {
    return this.#timeline.run(work);
  }

  async #start(): Promise<Provider> {
    this.#processes += 1;
    const process = new SimulatedProcess(this.#processes, this.#timeline, this.#backoff);
    const provider = await this.#host.start({
      settings: { previewChecks: "false" },
      preview: false,
      baseUrl: BASE_URL,
      token: TOKEN,
      run: this.#processes,
      fresh: true,
      clock: process.clock,
      log: this.#log,
      session: { connections: this.#network.connect(process), randomId: () => this.#ids.uuid() },
      signal: new AbortController().signal,
    });
    return mortal(provider, process);
  }
}
