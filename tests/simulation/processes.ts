import type { Phase } from "../support/engine-providers";
import type { Host, Provider } from "../support/host";
import type { LogBook } from "../support/log-book";
import type { Chance } from "./chance";
import { type History, settingsOf } from "./history";
import type { VirtualNetwork } from "./network";
import { type Death, mortal, SimulatedProcess } from "./process";
import type { Timeline } from "./timeline";

/** Where the service is, and the token for it. */
export interface Address {
  readonly baseUrl: string;
  readonly token: string;
}

/** What provider processes are made of. */
interface Parts {
  readonly history: History;
  readonly host: Host;
  readonly address: Address;
  readonly timeline: Timeline;
  readonly network: VirtualNetwork;
  readonly log: LogBook;
  readonly backoff: Chance;
  readonly ids: Chance;
}

/** The provider processes of one run after the other. Those of one run share an engine, and nothing else. */
export class Processes {
  readonly #parts: Parts;
  #runs = 0;
  #controller = new AbortController();
  /** What the engine of the run keeps for them. */
  #kept = { rootResource: "" };
  #running: SimulatedProcess[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many runs there were. */
  get runs(): number {
    return this.#runs;
  }

  /** A run begins. */
  begin(): void {
    this.#controller = new AbortController();
    this.#kept = { rootResource: "" };
    this.#running = [];
  }

  /** What cancels the run. */
  get controller(): AbortController {
    return this.#controller;
  }

  /** Starts one. */
  async start({ preview, isSecond = false, provider: name, ...phase }: Phase): Promise<Provider> {
    const { history, host, address, timeline, network, log, backoff, ids } = this.#parts;
    if (!isSecond) this.#runs += 1;
    const process = new SimulatedProcess(this.#runs, timeline, backoff, name);
    this.#running.push(process);
    const provider = await host.start({
      settings: { ...settingsOf(history), previewChecks: String(preview) },
      preview,
      ...phase,
      ...address,
      kept: this.#kept,
      run: this.#runs,
      fresh: true,
      clock: process.clock,
      log,
      session: { connections: network.connect(process), randomId: () => ids.uuid() },
      signal: this.#controller.signal,
    });
    return mortal(provider, process);
  }

  /** One dies, or the engine with all that it has started. */
  crash(process: SimulatedProcess, who: Death): void {
    for (const one of who === "engine" ? this.#running : [process]) one.crash(who);
  }
}
