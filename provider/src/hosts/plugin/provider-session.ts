import { type Clock, MS_PER_SECOND } from "../../client/clock";
import { DuplicateDeclarations } from "../../framework/duplicate-declarations";
import { PreviewLooks } from "../../framework/preview";
import type { Context, Log, Session } from "../../framework/context";
import type { Environments } from "../../framework/environment-session";
import { resolveLastSettings, type Settings, type Source } from "../../framework/settings";
import { type EngineLog, logFor } from "../engine-log";
import { NotConfiguredError } from "./failure";

/** How long a call may go on after its deadline before it is aborted: its own waits end at the deadline. */
const GRACE_MS = 2_000;

/** One call of the engine, ended by its end, by a cancellation, or by `customTimeouts`. */
export interface Call extends Disposable {
  readonly context: Context;
  /** Whether the resource option customTimeouts ended it. */
  readonly isLate: () => boolean;
}

/** What a session needs of the world outside this process; tests pass their own. */
export interface Dependencies {
  startSession(settings: Settings): Session;
  connectEngine(address: string | undefined): EngineLog | undefined;
  readonly clock: Clock;
}

/**
 * What the calls of one run of the engine share. It begins with a handshake and ends with the next one on the same
 * connection: a plugin that the engine attaches to (`PULUMI_DEBUG_PROVIDERS`) serves many runs, one after the other.
 */
export class ProviderSession {
  readonly declarations = new DuplicateDeclarations();
  /** What its previews have read: a session is one phase of a command. */
  readonly looks = new PreviewLooks();
  readonly #cancelled = new AbortController();
  readonly #dependencies: Dependencies;
  #session: Session | undefined;
  #engine: EngineLog | undefined;
  #engineAddress: string | undefined;
  #provider: string | undefined;
  /** Resources of which the program itself says what reads like a secret. */
  readonly hinted = new Set<string>();

  constructor(engineAddress: string | undefined, dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.connect(engineAddress);
  }

  /** Sends messages to the engine at this address from now on. */
  connect(engineAddress: string | undefined): void {
    this.disconnect();
    this.#engineAddress = engineAddress;
    this.#engine = this.#dependencies.connectEngine(engineAddress);
  }

  /**
   * Takes these settings for calls that begin from now on; earlier calls keep the settings they began with. `provider` is the
   * engine's reference of the provider that they are of.
   * @throws SettingsError that lists what is missing or wrong, ConfigError for an address or token that cannot work
   */
  configure(source: Source, environment: NodeJS.ProcessEnv, provider?: string): void {
    this.#session = this.#dependencies.startSession(resolveLastSettings(source, environment));
    this.#provider = provider;
  }

  /** Where the engine of this run listens for messages; `undefined` when nobody said so. */
  get engineAddress(): string | undefined {
    return this.#engineAddress;
  }

  /** The engine's reference of the provider that this session serves; old engines do not tell it. */
  get provider(): string | undefined {
    return this.#provider;
  }

  /** Aborted when the engine cancels the run. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** What the resources of this run know of their environments; `undefined` before the settings are known. */
  get environments(): Environments | undefined {
    return this.#session;
  }

  /** Whether it has settings and was not cancelled. */
  get isActive(): boolean {
    return this.#session !== undefined && !this.#cancelled.signal.aborted;
  }

  /** Messages about one resource; about the stack when `urn` is "". */
  log(urn: string): Log {
    return logFor(this.#engine, urn);
  }

  /** Resolves when the engine has all messages so far: it accepts none after the run. */
  readonly flushLogs = async (): Promise<void> => {
    await this.#engine?.flushed();
  };

  /** Begins a call about a resource, which ends after `timeoutSeconds`; 0: whenever it ends. */
  call(urn: string, timeoutSeconds: number): Call {
    if (this.#session === undefined)
      throw new NotConfiguredError(
        "this connection to the plugin is not configured: call Configure on it first. Settings of other connections are not used.",
      );
    const { clock, client } = this.#session;
    const late = new AbortController();
    const timer = timeoutSeconds > 0 ? abortAfter(late, timeoutSeconds * MS_PER_SECOND + GRACE_MS) : undefined;
    const log = this.log(urn);
    // All calls wait for the same service: each shows that on its own row.
    const stopReporting = client.onWait((text) => log.status(text));
    const context: Context = {
      ...this.#session,
      log,
      signal: AbortSignal.any([this.#cancelled.signal, late.signal]),
      runsProgram: async () => (await this.#engine?.runsProgram()) ?? true,
      ...(timeoutSeconds > 0 && { deadline: clock.now() + timeoutSeconds * MS_PER_SECOND }),
    };
    const disconnect = (): void => {
      clearTimeout(timer);
      stopReporting();
    };
    return { context, isLate: () => late.signal.aborted, [Symbol.dispose]: disconnect };
  }

  /** Ends waits and requests of all calls of this session. */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** Closes the connection to the engine's log once all messages so far have arrived. */
  disconnect(): void {
    this.#engine?.close();
    this.#engine = undefined;
  }
}

function abortAfter(controller: AbortController, ms: number): NodeJS.Timeout {
  // A timer fires at once when its delay does not fit into 31 bits (24 days).
  const longestMs = 2 ** 31 - 1;
  return setTimeout(() => controller.abort(), Math.min(ms, longestMs));
}
