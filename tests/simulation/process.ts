import type { Clock } from "../../provider/src/client/clock";
import { EngineCrash } from "../support/engine-steps";
import { type Provider, ProviderFailure } from "../support/host";
import type { Chance } from "./chance";
import type { Timeline } from "./timeline";

/** How the run of a process ended before its end. */
export type Death = "provider" | "engine";

/** One provider process of one run: when it dies, nothing of it goes on, and nothing reaches it. */
export class SimulatedProcess {
  /** Which run of the history it serves. */
  readonly run: number;
  readonly clock: Clock;
  /** Rejects when the process dies. */
  readonly death: Promise<never>;
  #die: (error: Error) => void = () => undefined;
  #isAlive = true;

  constructor(run: number, timeline: Timeline, chance: Chance) {
    this.run = run;
    this.clock = processClock(this, timeline, chance);
    this.death = new Promise((_, reject) => {
      this.#die = reject;
    });
    this.death.catch(() => undefined);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends it, as a provider or with its engine; whoever waits for it gets the error. */
  crash(who: Death): void {
    this.#isAlive = false;
    this.#die(
      who === "engine"
        ? new EngineCrash("the engine was killed")
        : new ProviderFailure("error reading from server: EOF"),
    );
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

/** Which resources are of the second of two Providers: the second set, and variables of their own. */
const OF_SECOND = /^(t|e-.*)(-renamed)?$/su;

/** Whether a resource is of the second of two Providers, by its Pulumi name. */
export function isOfSecond(name: string): boolean {
  return OF_SECOND.test(name);
}

/** Two Providers as the engine has them: each resource is of one, and keeps it. */
export function bothOf(first: Provider, second: Provider): Provider {
  const of = ({ name }: { readonly name: string }): Provider => (isOfSecond(name) ? second : first);
  return {
    check: (type, olds, news, step) => of(step).check(type, olds, news, step),
    diff: (type, id, olds, news, step) => of(step).diff(type, id, olds, news, step),
    create: (type, news, step) => of(step).create(type, news, step),
    read: (type, id, olds, inputs, step) => of(step).read(type, id, olds, inputs, step),
    import: async (type, id, step) => of(step).import?.(type, id, step),
    lookUp: (type, id, given, step) => of(step).lookUp(type, id, given, step),
    update: (type, id, olds, news, step) => of(step).update(type, id, olds, news, step),
    delete: (type, id, olds, step) => of(step).delete(type, id, olds, step),
    async cancel() {
      await Promise.all([first.cancel(), second.cancel()]);
    },
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
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
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const abort = (): void => {
          stop();
          reject(signal?.reason);
        };
        const stop = later(ms, () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        });
        signal?.addEventListener("abort", abort, { once: true });
      }),
  };
}
