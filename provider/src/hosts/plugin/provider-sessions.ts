import { startTimer } from "../../client/clock";
import type { Source } from "../../framework/settings";
import { type Dependencies, ProviderSession } from "./provider-session";

/** Sessions that are kept after their connection closed. Of two it is not known which one a new connection continues, so more are not kept. */
const MAX_DISCONNECTED = 2;
/** After a reconnect, the new connection may be seen before the close of the old one: it is waited for so long. */
const MAX_CLOSE_DELAY_MS = 1_000;

/** One connection to this process, while it is open. */
class Connection {
  session: ProviderSession | undefined;
}

/**
 * The sessions that one process serves, one for each connection. Every process of this machine can connect to a loopback
 * port and call the plugin, so a connection uses only the settings that it has configured itself. The one exception: the
 * engine's gRPC closes a connection that was idle for half an hour, and connects again without a handshake and without
 * Configure.
 */
export class ProviderSessions {
  readonly #open = new Map<string, Connection>();
  readonly #waiting = new Set<() => void>();
  #disconnected: readonly ProviderSession[] = [];
  #firstConfigured: Connection | undefined;
  readonly #engineAddress: string | undefined;
  readonly #dependencies: Dependencies;

  /** Sessions without a handshake belong to the engine at `engineAddress`, which has started this process. */
  constructor(engineAddress: string | undefined, dependencies: Dependencies) {
    this.#engineAddress = engineAddress;
    this.#dependencies = dependencies;
  }

  /** Notes a connection from `peer`. Returns a function to call when it is closed. */
  open(peer: string): () => void {
    const connection = new Connection();
    this.#open.set(peer, connection);
    return () => {
      // The same port may have connected again.
      if (this.#open.get(peer) === connection) this.#open.delete(peer);
      const { session } = connection;
      connection.session = undefined;
      if (session?.isActive !== true) return session?.disconnect();
      const disconnected = [...this.#disconnected, session];
      this.#disconnected = disconnected.slice(-MAX_DISCONNECTED);
      for (const lost of disconnected.slice(0, -MAX_DISCONNECTED)) lost.disconnect();
      for (const notify of this.#waiting) notify();
    };
  }

  /** Begins a session for the calls that come over a connection from now on. */
  begin(peer: string, engineAddress: string | undefined): ProviderSession {
    const session = new ProviderSession(engineAddress, this.#dependencies);
    const connection = this.#open.get(peer);
    if (connection !== undefined) connection.session = session;
    return session;
  }

  /** The connection's own session, for calls that set it up: attach, check of the settings, configure. */
  own(peer: string): ProviderSession {
    return this.#open.get(peer)?.session ?? this.begin(peer, this.#engineAddress);
  }

  /**
   * Gives a connection its settings. Environment variables count only for the engine that has started the process, which is
   * the first to configure it: another caller must not be able to send this token to an address of its own. In a process that
   * was started by hand, for engines to attach to, they count for every connection.
   */
  configure(peer: string, source: Source, provider?: string): void {
    const connection = this.#open.get(peer);
    const isFirst = this.#firstConfigured === undefined || this.#firstConfigured === connection;
    const environment = isFirst || this.#engineAddress === undefined ? process.env : {};
    this.own(peer).configure(source, environment, provider);
    this.#firstConfigured ??= connection;
  }

  /**
   * The session that a call belongs to: that of its connection. A connection without one continues the only session whose
   * connection is closed, unless another configured connection is open. Otherwise the session is a new one, without settings.
   */
  of(peer: string): ProviderSession | Promise<ProviderSession> {
    const connection = this.#open.get(peer);
    if (connection?.session !== undefined) return connection.session;
    return this.#hasActiveConnection()
      ? this.#connectionClosed().then(() => this.#resume(connection))
      : this.#resume(connection);
  }

  #resume(connection: Connection | undefined): ProviderSession {
    if (connection?.session !== undefined) return connection.session;
    const [left, ...others] = this.#disconnected;
    if (connection === undefined || left === undefined || others.length > 0 || this.#hasActiveConnection())
      return new ProviderSession(undefined, this.#dependencies);
    this.#disconnected = [];
    connection.session = left;
    return left;
  }

  /** Whether a connection is open that was configured, and not cancelled. */
  #hasActiveConnection(): boolean {
    return [...this.#open.values()].some(({ session }) => session?.isActive === true);
  }

  /** Resolves when a connection closes, or after a second. */
  async #connectionClosed(): Promise<void> {
    await new Promise<void>((resolve) => {
      const notify = (): void => {
        stopTimer();
        this.#waiting.delete(notify);
        resolve();
      };
      const stopTimer = startTimer(this.#dependencies.clock, MAX_CLOSE_DELAY_MS, notify);
      this.#waiting.add(notify);
    });
  }

  /** Ends waits and requests of all calls. */
  cancel(): void {
    for (const { session } of this.#open.values()) session?.cancel();
    for (const session of this.#disconnected) session.cancel();
  }
}
