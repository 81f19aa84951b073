import type { Clock } from "../../provider/src/client/clock";
import { EngineCrash } from "../support/engine-steps";
import { type Host, type Phase, type Provider, ProviderFailure } from "../support/host";
import type { LogBook } from "../support/log-book";
import type { Chance } from "./chance";
import { type History, settingsOf } from "./history";
import type { VirtualNetwork } from "./network";
import { TOKEN } from "./service";
import type { Timeline } from "./timeline";

/** How the run of a process ended before its end. */
export type Death = "provider" | "engine";

/** One provider process of one run: when it dies, nothing of it goes on, and nothing reaches it. */
export class SimulatedProcess {
  /** Which run of the history it serves. */
  readonly run: number;
  /** The Provider that it is the process of. `undefined` is the default one. */
  readonly provider: string | undefined;
  readonly clock: Clock;
  /** Rejects when the process dies. */
  readonly death: Promise<never>;
  readonly #die: (error: Error) => void;
  #isAlive = true;

  constructor(run: number, timeline: Timeline, chance: Chance, provider?: string) {
    this.run = run;
    this.provider = provider;
    this.clock = processClock(this, timeline, chance);
    const { promise, reject } = Promise.withResolvers<never>();
    this.death = promise;
    this.#die = reject;
    this.death.catch(() => undefined);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends it, as a provider or with its engine. Whoever waits for it gets the error. */
  crash(who: Death): void {
    this.end();
    const isAlone = who === "provider";
    this.#die(isAlone ? new ProviderFailure("error reading from server: EOF") : new EngineCrash("it was killed"));
  }

  /** The run is over. */
  end(): void {
    this.#isAlive = false;
  }
}

/** A provider whose calls fail when its process dies, each at once. */
export function mortal(provider: Provider, process: SimulatedProcess): Provider {
  const live = <T>(call: () => Promise<T>): Promise<T> =>
    Promise.race([process.isAlive ? call() : process.death, process.death]);
  return {
    check: (...args) => live(() => provider.check(...args)),
    diff: (...args) => live(() => provider.diff(...args)),
    create: (...args) => live(() => provider.create(...args)),
    read: (...args) => live(() => provider.read(...args)),
    lookUp: (...args) => live(() => provider.lookUp(...args)),
    update: (...args) => live(() => provider.update(...args)),
    delete: (...args) => live(() => provider.delete(...args)),
    ...(provider.import && { import: (...args) => live(async () => provider.import?.(...args)) }),
    cancel: () => provider.cancel(),
    async stop() {
      process.end();
      await provider.stop();
    },
  };
}

function processClock(process: SimulatedProcess, timeline: Timeline, chance: Chance): Clock {
  const later = (ms: number, act: () => void): (() => void) =>
    timeline.after(ms, () => {
      if (process.isAlive) act();
    });
  return {
    now: () => timeline.now(),
    date: () => timeline.now(),
    random: () => chance.next(),
    later,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = later(ms, resolve);
      const abort = (): void => {
        stop();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      await promise.finally(() => signal?.removeEventListener("abort", abort));
    },
  };
}

interface Parts {
  readonly history: History;
  readonly host: Host;
  readonly timeline: Timeline;
  readonly network: VirtualNetwork;
  readonly log: LogBook;
  readonly backoff: Chance;
  readonly ids: Chance;
}

/** The provider processes of one run after the other. Those of one run share an engine, and nothing else. */
export class Processes {
  readonly #parts: Parts;
  runs = 0;
  /** What cancels the run. */
  controller = new AbortController();
  /** What the engine of the run keeps for them. */
  #kept = { rootResource: "" };
  #running: SimulatedProcess[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  begin(): void {
    this.controller = new AbortController();
    this.#kept = { rootResource: "" };
    this.#running = [];
  }

  async start({ preview, isSecond = false, provider: name, ...phase }: Phase): Promise<Provider> {
    const { history, host, timeline, network, log, backoff, ids } = this.#parts;
    if (!isSecond) this.runs += 1;
    const process = new SimulatedProcess(this.runs, timeline, backoff, name);
    this.#running.push(process);
    const provider = await host.start({
      settings: { ...settingsOf(history), previewChecks: String(preview) },
      preview,
      ...phase,
      baseUrl: "https://service.invalid",
      token: TOKEN,
      kept: this.#kept,
      run: this.runs,
      fresh: true,
      clock: process.clock,
      log,
      session: { connections: network.connect(process), randomId: () => ids.uuid() },
      signal: this.controller.signal,
    });
    return mortal(provider, process);
  }

  /** One dies, or the engine with all that it has started. */
  crash(process: SimulatedProcess, who: Death): void {
    for (const one of who === "engine" ? this.#running : [process]) one.crash(who);
  }
}
