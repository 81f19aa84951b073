import type { Clock } from "../../client/clock";
import type { Claims } from "../../environment/claims";
import type { Context, Log, Session } from "../../framework/context";
import { resolveLastSettings } from "../../framework/last-settings";
import type { Settings, Source } from "../../framework/settings";
import { Declarations } from "./declarations";
import { type EngineLog, logFor } from "./engine";
import { NotConfiguredError } from "./failure";

/** What is left of a call's time after its deadline until it is stopped from outside: waits end by themselves. */
const GRACE_MS = 2_000;
const MS_PER_SECOND = 1_000;

/** One call of the engine, ended by its end, by a cancellation, or by `customTimeouts`. */
export interface Call extends Disposable {
  readonly context: Context;
  /** Whether the resource option customTimeouts ended it. */
  readonly isLate: () => boolean;
}

/** What reaches out of the process; tests have their own. */
export interface Outside {
  startSession(settings: Settings): Session;
  connectEngine(address: string | undefined): EngineLog | undefined;
  readonly clock: Clock;
}

/**
 * What the calls between two handshakes of one connection share. A plugin that is attached to (`PULUMI_DEBUG_PROVIDERS`)
 * serves many runs of the engine, and each ends with a cancellation: so every handshake begins a new one.
 */
export class Run {
  readonly declarations = new Declarations();
  readonly #cancelled = new AbortController();
  readonly #outside: Outside;
  #session: Session | undefined;
  #engine: EngineLog | undefined;

  constructor(engineAddress: string | undefined, outside: Outside) {
    this.#outside = outside;
    this.connect(engineAddress);
  }

  /** Sends messages to the engine at this address from now on. */
  connect(engineAddress: string | undefined): void {
    this.end();
    this.#engine = this.#outside.connectEngine(engineAddress);
  }

  /**
   * Begins a session; calls that are under way go on with the one before.
   * @throws SettingsError that lists what is missing or wrong, ConfigError for an address or token that cannot work
   */
  configure(source: Source, environment: NodeJS.ProcessEnv): void {
    this.#session = this.#outside.startSession(resolveLastSettings(source, environment));
  }

  /** What resources of this run have for themselves; `undefined` before the settings are known. */
  get claims(): Claims | undefined {
    return this.#session?.claims;
  }

  /** Whether it has settings, and was not cancelled. */
  get isGoing(): boolean {
    return this.#session !== undefined && !this.#cancelled.signal.aborted;
  }

  /** Messages about one resource; about the stack when `urn` is "". */
  log(urn: string): Log {
    return logFor(this.#engine, urn);
  }

  /** Resolves when people have been told all that was said so far: the engine takes nothing after its run. */
  readonly told = async (): Promise<void> => {
    await this.#engine?.settled();
  };

  /** Begins a call about a resource, which ends after `timeoutSeconds`; 0: whenever it ends. */
  call(urn: string, timeoutSeconds: number): Call {
    if (this.#session === undefined)
      throw new NotConfiguredError(
        "the provider is not configured on this connection, and settings of other connections are not used for it",
      );
    const { clock, client } = this.#session;
    const late = new AbortController();
    const timer = timeoutSeconds > 0 ? lateAfter(late, timeoutSeconds * MS_PER_SECOND + GRACE_MS) : undefined;
    const log = this.log(urn);
    // The service is the same for all calls: each says on its own row what it waits for.
    const stopTelling = client.onWait((text) => log.status(text));
    const context: Context = {
      ...this.#session,
      log,
      signal: AbortSignal.any([this.#cancelled.signal, late.signal]),
      ...(timeoutSeconds > 0 && { deadline: clock.now() + timeoutSeconds * MS_PER_SECOND }),
    };
    const end = (): void => {
      clearTimeout(timer);
      stopTelling();
    };
    return { context, isLate: () => late.signal.aborted, [Symbol.dispose]: end };
  }

  /** Ends waits and requests of all calls of this run. */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** Ends the connection to the engine, when all messages so far have arrived: nobody calls any more. */
  end(): void {
    this.#engine?.close();
    this.#engine = undefined;
  }
}

function lateAfter(controller: AbortController, ms: number): NodeJS.Timeout {
  // Beyond this a timer would fire at once; nobody waits for 24 days.
  const longestMs = 2 ** 31 - 1;
  return setTimeout(() => controller.abort(), Math.min(ms, longestMs));
}
