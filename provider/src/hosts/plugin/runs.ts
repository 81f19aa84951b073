import { type Outside, Run } from "./run";

/**
 * The runs that one process serves. The engine starts a process for each provider of a program, but attaches to one for all
 * of them (`PULUMI_DEBUG_PROVIDERS`): each provider has its own settings then, and its own connection, which tells them apart.
 */
export class Runs {
  readonly #byConnection = new Map<string, Run>();
  readonly #engineAddress: string | undefined;
  readonly #outside: Outside;

  /** Runs without a handshake belong to the engine at `engineAddress`. */
  constructor(engineAddress: string | undefined, outside: Outside) {
    this.#engineAddress = engineAddress;
    this.#outside = outside;
  }

  /** Begins a run for the calls that come over a connection from now on. */
  begin(connection: string, engineAddress: string | undefined): Run {
    const run = new Run(engineAddress, this.#outside);
    this.#byConnection.set(connection, run);
    return run;
  }

  /**
   * The run of a connection. The engine's end opens a connection anew that was idle for half an hour: calls over one that
   * is not known belong to the only run that goes on. When there are several, nobody knows to which, and a run that was
   * not configured refuses to write.
   */
  of(connection: string): Run {
    const known = this.#byConnection.get(connection);
    if (known !== undefined) return known;
    const [only, ...others] = [...this.#byConnection.values()].filter((run) => run.isGoing);
    if (only === undefined || others.length > 0) return this.begin(connection, this.#engineAddress);
    this.#byConnection.set(connection, only);
    return only;
  }

  /** Ends waits and requests of all calls. */
  cancel(): void {
    for (const run of this.#byConnection.values()) run.cancel();
  }
}
