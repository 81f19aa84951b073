/** One request that reached the sandbox. Never a value, a header or a token. */
export interface JournalEntry {
  /** Counts from 1, in order of arrival. */
  readonly sequence: number;
  /** Milliseconds since 1970, from the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  /** Without the prefix and the query. Percent-encoded as it was sent. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** 0 until it is answered. Stays 0 when the answer was dropped. */
  readonly status: number;
  /** Method and endpoint: "GET /environments", "GET /environment", "PATCH /environment", "PUT /env-vars", "POST /stop". */
  readonly label: string;
  /** The environment in the path, when there is one. */
  readonly environmentId?: string;
  /** Names of the variables an upsert or a delete is about. */
  readonly names?: readonly string[];
  /** Bytes of the request body. */
  readonly bodySize: number;
}

/** Which entries to count. Every field given must match. */
export interface JournalFilter {
  readonly method?: string;
  readonly label?: string;
  readonly environmentId?: string;
}

/** An entry that waits for its status. */
export type PendingEntry = Omit<JournalEntry, "status"> & { status: number };

/** The requests the service received, and how they came. */
export class Journal {
  #entries: PendingEntry[] = [];
  #sequence = 0;
  #inFlight = 0;
  #maxInFlight = 0;
  #connections = 0;
  #sockets = new WeakSet<object>();

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** Largest number of requests that were being processed at once since the start or the last `clear`. */
  get maxInFlight(): number {
    return this.#maxInFlight;
  }

  /** Sockets that carried a first request to the service since the start or the last `clear`. */
  get connections(): number {
    return this.#connections;
  }

  count(filter: JournalFilter = {}): number {
    return this.#entries.filter(
      (entry) =>
        (filter.method === undefined || entry.method === filter.method) &&
        (filter.label === undefined || entry.label === filter.label) &&
        (filter.environmentId === undefined || entry.environmentId === filter.environmentId),
    ).length;
  }

  /** A place to count from, for `since`. */
  mark(): number {
    return this.#sequence;
  }

  /** The entries that came after a mark. */
  since(mark: number): readonly JournalEntry[] {
    return this.#entries.filter((entry) => entry.sequence > mark);
  }

  /** Forgets the entries and starts the counts anew. Sequence numbers go on, and open sockets stay known. */
  clear(): void {
    this.#entries = [];
    this.#maxInFlight = this.#inFlight;
    this.#connections = 0;
  }

  /** For the server: notes a request that began on a socket. Call what it returns when the request is over. */
  enter(socket: object): () => void {
    if (!this.#sockets.has(socket)) {
      this.#sockets.add(socket);
      this.#connections += 1;
    }
    this.#inFlight += 1;
    this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
    let isOver = false;
    return () => {
      if (!isOver) this.#inFlight -= 1;
      isOver = true;
    };
  }

  /** For the server: adds an entry whose status is filled in when it is answered. */
  add(entry: Omit<JournalEntry, "sequence" | "status">): PendingEntry {
    this.#sequence += 1;
    const pending: PendingEntry = { sequence: this.#sequence, ...entry, status: 0 };
    this.#entries.push(pending);
    return pending;
  }
}
