import type { IncomingHttpHeaders } from "node:http";

/** What came back: all of it, or, when the connection broke, as much as had arrived. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What broke the connection before the body was whole. */
  readonly cutOffBy: Error | undefined;
  readonly body: string;
}

/** A request as it goes out. */
export interface OutgoingRequest {
  readonly method: string;
  /** With the query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Who follows a request. */
export interface Exchange {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called when the request is about to be written to an open connection: before that it certainly did not reach the service. */
  readonly onSent: () => void;
}

/** The connections to the service. Requests wait when all of them are in use. */
export interface Connections {
  /**
   * Sends a request and reads its answer.
   * @throws what broke the connection, or the signal's reason, when no answer began; {@link ANSWER_TOO_LARGE}
   */
  exchange(request: OutgoingRequest, exchange: Exchange): Promise<Answer>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** The largest answer that is read: 16 MiB. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** The `code` of the error for a larger one. */
export const ANSWER_TOO_LARGE = "ERR_ANSWER_TOO_LARGE";

/** The answer to a request, put together piece by piece. */
export class PendingAnswer {
  readonly whole: Promise<Answer>;
  readonly #result = Promise.withResolvers<Answer>();
  readonly #decoder = new TextDecoder();
  #body = "";
  #bytes = 0;
  #isOver = false;
  #started: Pick<Answer, "status" | "headers"> | undefined;

  /**
   * @param signal fails it at once with its reason, also when a part has arrived
   * @param stop ends the request then
   */
  constructor(signal: AbortSignal, stop: (reason: Error) => void) {
    const abort = (): void => {
      this.#isOver = true;
      this.#result.reject(signal.reason);
      stop(signal.reason instanceof Error ? signal.reason : new Error("the request was ended"));
    };
    this.whole = this.#result.promise.finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }

  start(status: number, headers: IncomingHttpHeaders): void {
    this.#started = { status, headers };
  }

  /** Returns why nothing more is to be read: the answer is too large, or it was over before. */
  add(chunk: Buffer): Error | undefined {
    if (this.#isOver) return new Error("the answer is over");
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_ANSWER_BYTES) {
      this.#body += this.#decoder.decode(chunk, { stream: true });
      return undefined;
    }
    const error = Object.assign(new Error("the answer is too large"), { code: ANSWER_TOO_LARGE });
    this.end(error);
    return error;
  }

  /** @param cutOffBy what broke the connection before the answer was whole */
  end(cutOffBy?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#started === undefined)
      this.#result.reject(cutOffBy ?? new Error("the connection ended without an answer"));
    else this.#result.resolve({ ...this.#started, cutOffBy, body: this.#body + this.#decoder.decode() });
  }
}
