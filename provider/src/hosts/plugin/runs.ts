import { startTimer } from "../../client/clock";
import type { Source } from "../../framework/settings";
import { type Outside, Run } from "./run";

/** Runs whose connection is closed and that may go on over a new one. Of two nobody knows which, so more are not kept. */
const MOST_LEFT = 2;
/** A connection that was dropped and dialled again may be heard before the end of the old one is. */
const LONGEST_CLOSING_MS = 1_000;

/** One connection to this process, while it is open. */
class Connection {
  run: Run | undefined;
}

/**
 * The runs that one process serves, one for each connection. Whoever may connect to a loopback port of this machine can
 * call the plugin, so a connection uses the settings that it has configured itself, and no others. The one exception: the
 * engine's gRPC drops a connection that was idle for half an hour, and dials again without a handshake and without Configure.
 */
export class Runs {
  readonly #open = new Map<string, Connection>();
  readonly #waiting = new Set<() => void>();
  #left: readonly Run[] = [];
  #firstConfigured: Connection | undefined;
  readonly #engineAddress: string | undefined;
  readonly #outside: Outside;

  /** Runs without a handshake belong to the engine at `engineAddress`, which has started this process. */
  constructor(engineAddress: string | undefined, outside: Outside) {
    this.#engineAddress = engineAddress;
    this.#outside = outside;
  }

  /** Notes a connection whose other end is at `peer`. The answer is to be called when it is closed. */
  open(peer: string): () => void {
    const connection = new Connection();
    this.#open.set(peer, connection);
    return () => {
      // The same port may have connected again.
      if (this.#open.get(peer) === connection) this.#open.delete(peer);
      const { run } = connection;
      connection.run = undefined;
      if (run?.isGoing !== true) return run?.end();
      const left = [...this.#left, run];
      this.#left = left.slice(-MOST_LEFT);
      for (const lost of left.slice(0, -MOST_LEFT)) lost.end();
      for (const wake of this.#waiting) wake();
    };
  }

  /** Begins a run for the calls that come over a connection from now on. */
  begin(peer: string, engineAddress: string | undefined): Run {
    const run = new Run(engineAddress, this.#outside);
    const connection = this.#open.get(peer);
    if (connection !== undefined) connection.run = run;
    return run;
  }

  /** The run of a connection itself, for calls that make it known: its engine and its settings. */
  own(peer: string): Run {
    return this.#open.get(peer)?.run ?? this.begin(peer, this.#engineAddress);
  }

  /**
   * Gives a connection its settings. Environment variables count only for the engine that has started the process, which is
   * the first to configure it: nobody else shall send its token to an address of his own. When somebody has started the
   * process by hand, for engines to attach to, they count for each.
   */
  configure(peer: string, source: Source): void {
    const connection = this.#open.get(peer);
    const isFirst = this.#firstConfigured === undefined || this.#firstConfigured === connection;
    this.own(peer).configure(source, isFirst || this.#engineAddress === undefined ? process.env : {});
    this.#firstConfigured ??= connection;
  }

  /**
   * The run that a call belongs to: that of its connection. A connection that has begun none goes on with the only run whose
   * connection is closed, unless another is open that was configured. Else the run is a new one, without settings.
   */
  of(peer: string): Run | Promise<Run> {
    const connection = this.#open.get(peer);
    if (connection?.run !== undefined) return connection.run;
    return this.#isServing() ? this.#closing().then(() => this.#goOn(connection)) : this.#goOn(connection);
  }

  #goOn(connection: Connection | undefined): Run {
    if (connection?.run !== undefined) return connection.run;
    const [left, ...others] = this.#left;
    if (connection === undefined || left === undefined || others.length > 0 || this.#isServing())
      return new Run(undefined, this.#outside);
    this.#left = [];
    connection.run = left;
    return left;
  }

  /** Whether a connection is open that was configured, and not cancelled. */
  #isServing(): boolean {
    return [...this.#open.values()].some(({ run }) => run?.isGoing === true);
  }

  /** Resolves when a connection was closed that was configured, or could have been. */
  async #closing(): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        stopTimer();
        this.#waiting.delete(wake);
        resolve();
      };
      const stopTimer = startTimer(this.#outside.clock, LONGEST_CLOSING_MS, wake);
      this.#waiting.add(wake);
    });
  }

  /** Ends waits and requests of all calls. */
  cancel(): void {
    for (const { run } of this.#open.values()) run?.cancel();
    for (const run of this.#left) run.cancel();
  }
}
