import { MS_PER_SECOND } from "../../client/clock";
import { see } from "../../client/troubleshooting";
import { RefusedError, withLastSettingsAdvice } from "../../framework/resource-errors";
import type { Properties } from "../../framework/properties";
import type { Resource } from "../../framework/resource";
import type { Context, Log, Run } from "../../framework/context";
import { SecretTexts } from "../../framework/secret-texts";
import { resolveSettings, type Settings, type Source } from "../../framework/settings";
import { inputsWithSecrets } from "../../framework/visible-inputs";
import { type Engine, logFor, runsProgram } from "../engine";
import { secretTextsIn } from "./secrecy";
import type { Received } from "./values";

/** How long a call may go on after its deadline before it is aborted: its own waits end at the deadline. */
const GRACE_MS = 2_000;

/** A timer fires at once when its delay does not fit into 31 bits (24 days). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The parts that a session needs of the world outside this process. Tests pass their own. */
export interface Dependencies {
  startRun(settings: Settings): Run;
  connectEngine(address: string | undefined): Engine | undefined;
}

/**
 * The things that the calls of one run of the engine share. It begins with a handshake and ends with the next one on the same
 * connection: a plugin that the engine attaches to (`PULUMI_DEBUG_PROVIDERS`) serves many runs, one after the other.
 */
export class ProviderSession {
  /** Inputs that an import of this session has found, by the URN of the resource: another value of them would need a new one. */
  readonly imported = new Map<string, Properties>();
  /** Components that are being made. */
  readonly constructing = new Set<Promise<unknown>>();
  /** Pulumi secrets that calls of this session have told. No output of any resource may show one: `get` of a resource finds its branches. */
  readonly secretsInOutputs = new SecretTexts();
  /** Where the engine of this run listens for messages. `undefined` when nobody said so. */
  readonly engineAddress: string | undefined;
  /** The engine's reference of the provider that this session serves. Old engines do not tell it. */
  provider: string | undefined;
  readonly #cancelled = new AbortController();
  /** Aborted when the engine cancels the run. */
  readonly signal: AbortSignal = this.#cancelled.signal;
  readonly #dependencies: Dependencies;
  readonly #engine: Engine | undefined;
  #run: Run | undefined;

  constructor(engineAddress: string | undefined, dependencies: Dependencies) {
    this.engineAddress = engineAddress;
    this.#dependencies = dependencies;
    this.#engine = dependencies.connectEngine(engineAddress);
  }

  /**
   * Takes these settings for calls that begin from now on. Earlier calls keep the settings they began with.
   * @throws ConfigError that lists the settings that are missing or wrong
   */
  configure(source: Source, environment: NodeJS.ProcessEnv, provider?: string): void {
    try {
      this.#run = this.#dependencies.startRun(resolveSettings(source, environment));
    } catch (error) {
      throw withLastSettingsAdvice(error);
    }
    this.provider = provider;
  }

  /** `undefined` before the settings are known. */
  get run(): Run | undefined {
    return this.#run;
  }

  /** Notes the Pulumi secrets among inputs and state of a resource. The service may repeat them in answers to requests of other ones. */
  noteSecrets(resource: Resource, received: readonly Received[]): void {
    this.secretsInOutputs.add(secretTextsIn(resource.shownInMessages, received));
    this.#run?.client.remember(secretTextsIn(inputsWithSecrets(resource), received));
  }

  /** Messages about one resource. About the stack when `urn` is "". */
  log(urn: string): Log {
    return logFor(this.#engine, urn);
  }

  /**
   * Tells the engine that a program runs in this command, for the providers of the command that see none of its resources. Of
   * Pulumi's SDKs only that for Node.js does, in the same words.
   * @param urn The provider's.
   * @throws IncompleteError when the engine does not answer
   */
  async noteProgram(urn: string): Promise<void> {
    const [stackPrefix = "", project = ""] = urn.split("::");
    const name = `${project}-${stackPrefix.slice(stackPrefix.lastIndexOf(":") + 1)}`;
    await this.#engine?.setRootResource(`${stackPrefix}::${project}::pulumi:pulumi:Stack::${name}`);
  }

  /** Resolves when the engine has all messages so far: it accepts none after the run. */
  async flushLogs(): Promise<void> {
    await this.#engine?.flushed();
  }

  /**
   * Begins a call about a resource. It is ended by a cancellation of the run, and after `timeoutSeconds`, of the resource option
   * customTimeouts. 0: no limit.
   */
  call(urn: string, timeoutSeconds: number): Context & Disposable {
    if (this.#run === undefined)
      throw new RefusedError(
        "this connection to the plugin is not configured: the engine closes one after half an hour without a call, and does not configure " +
          `the next one. Nothing was done. Run the command again. ${see("connection")}`,
      );
    const { clock, client } = this.#run;
    // Fractions of a second may give fractions of a millisecond, which no timer takes.
    const limitMs = timeoutSeconds > 0 ? Math.ceil(timeoutSeconds * MS_PER_SECOND) : Infinity;
    const late = new AbortController();
    const abortMs = Math.min(limitMs + GRACE_MS, LONGEST_TIMER_MS);
    const stopTimer = limitMs === Infinity ? undefined : clock.later(abortMs, () => late.abort());
    const log = this.log(urn);
    // All calls wait for the same service: each shows that on its own row.
    const stopReports = client.onWait((text) => log.status(text));
    return {
      ...this.#run,
      log,
      signal: AbortSignal.any([this.signal, late.signal]),
      runsProgram: () => runsProgram(this.#engine),
      deadline: clock.now() + limitMs,
      [Symbol.dispose]() {
        stopTimer?.();
        stopReports();
      },
    };
  }

  /** Ends waits and requests of all calls of this session. */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** Closes the connection to the engine's log once all messages so far have arrived. */
  disconnect(): void {
    this.#engine?.close();
  }
}

/** One connection to this process, while it is open. */
interface Connection {
  session?: ProviderSession;
}

/**
 * The sessions that one process serves, one for each connection. Every process of this machine can connect to a loopback
 * port and call the plugin, so a connection uses only the settings that it has configured itself.
 */
export class ProviderSessions {
  readonly #connections = new Map<string, Connection>();
  #firstConfigured: Connection | undefined;
  readonly #engineAddress: string | undefined;
  readonly #dependencies: Dependencies;

  /** Sessions without a handshake belong to the engine at `engineAddress`, which has started this process. */
  constructor(engineAddress: string | undefined, dependencies: Dependencies) {
    this.#engineAddress = engineAddress;
    this.#dependencies = dependencies;
  }

  /** Notes a connection from `peer`. Returns a function to call when it is closed. */
  connect(peer: string): () => void {
    const connection: Connection = {};
    this.#connections.set(peer, connection);
    return () => {
      // The same port may have connected again.
      if (this.#connections.get(peer) === connection) this.#connections.delete(peer);
      connection.session?.disconnect();
    };
  }

  /** Begins a session for the calls that come over a connection from now on. */
  begin(peer: string, engineAddress: string | undefined): ProviderSession {
    const session = new ProviderSession(engineAddress, this.#dependencies);
    const connection = this.#connections.get(peer);
    if (connection !== undefined) connection.session = session;
    return session;
  }

  /** The session of a connection. The first call of it may begin one, which has no settings before Configure. */
  of(peer: string): ProviderSession {
    return this.#connections.get(peer)?.session ?? this.begin(peer, this.#engineAddress);
  }

  /**
   * Gives a connection its settings. Environment variables count only for the engine that has started the process, which is
   * the first to configure it: another caller must not be able to send this token to an address of its own. In a process that
   * was started by hand, for engines to attach to, they count for every connection.
   */
  configure(peer: string, source: Source, provider?: string): void {
    const connection = this.#connections.get(peer);
    const isFirst = this.#firstConfigured === undefined || this.#firstConfigured === connection;
    const environment = isFirst || this.#engineAddress === undefined ? process.env : {};
    this.of(peer).configure(source, environment, provider);
    this.#firstConfigured ??= connection;
  }

  /** Ends waits and requests of all calls. */
  cancel(): void {
    for (const { session } of this.#connections.values()) session?.cancel();
  }
}
