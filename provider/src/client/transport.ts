import type * as z from "zod";
import { abortWithAny } from "./concurrency";
import { isWebPage, describeNonJson, parseAnswer } from "./answer";
import { Attempts, type Progress } from "./attempts";
import type { BaseUrl } from "./base-url";
import type { Call } from "./call";
import { type Clock, startTimer } from "./clock";
import type * as Undici from "./connections";
import { type Answer, ANSWER_TOO_LARGE, type Connections } from "./exchange";
import { isDocumentedError, readTitles } from "./error-body";
import {
  noAnswerText,
  refusalText,
  undocumentedAnswerText,
  timeoutText,
  type FailedRequest,
  undocumentedNotFoundText,
} from "./error-text";
import {
  ConnectionError,
  PreviewenvError,
  ResponseShapeError,
  TimeoutError,
  toApiError,
  UndocumentedNotFoundError,
  UnreachableError,
} from "./errors";
import type { Proxy } from "./proxy";
import { type Redact, SentValues } from "./redact";
import { parseRetryAfter, type RetryPolicy } from "./retry";
import { obstacleOf, reasonOf } from "./unreachable";
import { userAgent } from "./user-agent";

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const SUCCESS = 200;
const REDIRECT = 300;
const SERVER_ERROR = 500;

/** Options of {@link Transport}. */
export interface TransportOptions {
  readonly baseUrl: BaseUrl;
  readonly apiToken: string;
  readonly requestTimeoutMs: number;
  readonly maxConcurrency: number;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  /** The proxy between this machine and the service. */
  readonly proxy?: Proxy | undefined;
  /** Carries requests instead of connections that this transport opens. */
  readonly connections?: Connections | undefined;
}

type Reader<T> = (answer: Answer) => T;

/** Sends calls, repeats them where that is safe, and parses answers. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #attempts: Attempts;
  readonly #redaction: SentValues;
  readonly #userAgent = userAgent();
  #connections: Connections | undefined;
  #isTokenRefused = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#attempts = new Attempts(options);
    this.#redaction = new SentValues(options.apiToken);
    this.#connections = options.connections;
  }

  /**
   * Sends a call whose answer's body is not needed. Throws ResponseShapeError when the body is a web page, or when the status
   * is not the call's `success`.
   */
  async send(call: Call): Promise<void> {
    // The status is enough, so a body that breaks off changes nothing. A web page, however, is not from the service.
    const { status, body } = await this.#sendWithRetries(call, (answer) => answer);
    if (isWebPage(body)) throw new ResponseShapeError(undocumentedAnswerText(call.description, describeNonJson(body)));
    const { success = status } = call;
    if (status !== success)
      throw new ResponseShapeError(undocumentedAnswerText(call.description, `it is ${status}, not ${success}.`));
  }

  /** Sends a call and parses its answer; throws ResponseShapeError when that is not what `shape` describes. */
  async read<S extends z.ZodType>(call: Call, shape: S): Promise<z.output<S>> {
    const parsed = parseAnswer(await this.#sendWithRetries(call, wholeBody), shape);
    if ("value" in parsed) return parsed.value;
    throw new ResponseShapeError(undocumentedAnswerText(call.description, parsed.problem));
  }

  /** Notes hidden values that are about to be sent: later texts of the service are shown without them. */
  remember(values: readonly string[]): void {
    this.#redaction.remember(values);
  }

  /** A function that takes secrets out of the answer to a request with these values. */
  redactorFor(sentValues: readonly string[]): Redact {
    return this.#redaction.redactorFor(sentValues);
  }

  /** Whether the last answer that depends on the token was 401. */
  get isTokenRefused(): boolean {
    return this.#isTokenRefused;
  }

  /** Calls `report` with a line for people while requests wait for more than 2 s. Returns a function that ends that. */
  onWait(report: (text: string) => void): () => void {
    return this.#attempts.waitReporter.listen(report);
  }

  /** Ends every connection; calls under way fail with CancelledError. */
  async close(): Promise<void> {
    this.#attempts.close();
    await this.#connections?.close();
  }

  #sendWithRetries<T>(call: Call, read: Reader<T>): Promise<T> {
    return this.#attempts.run(call, (progress, signal) => this.#attempt(call, read, progress, signal));
  }

  async #attempt<T>(call: Call, read: Reader<T>, progress: Progress, signal: AbortSignal): Promise<T> {
    const { clock, requestTimeoutMs } = this.#options;
    const attempt = new AbortController();
    const release = abortWithAny(attempt, signal);
    const stopTimer = startTimer(clock, requestTimeoutMs, () => attempt.abort());
    progress.sent = progress.mayHaveTakenEffect;
    try {
      return await this.#exchange(call, read, progress, attempt.signal);
    } catch (error) {
      if (error instanceof PreviewenvError) throw error;
      if (attempt.signal.aborted) {
        throw new TimeoutError(timeoutText(this.#failedRequest(call, progress), requestTimeoutMs), progress.sent);
      }
      throw this.#toConnectionError(this.#failedRequest(call, progress), error);
    } finally {
      stopTimer();
      release();
    }
  }

  #failedRequest({ description }: Call, { sent }: Progress): FailedRequest {
    const { baseUrl, proxy } = this.#options;
    return { description, origin: baseUrl.origin, sent, proxyVariable: proxy?.variable };
  }

  async #exchange<T>(call: Call, read: Reader<T>, progress: Progress, signal: AbortSignal): Promise<T> {
    const { baseUrl, apiToken } = this.#options;
    const answer = await this.#connect().exchange(
      {
        path: baseUrl.prefix + call.path + toSuffix(call.query),
        method: call.method,
        headers: {
          accept: "application/json",
          "user-agent": this.#userAgent,
          "x-api-token": apiToken,
          ...(call.body !== undefined && { "content-type": "application/json" }),
        },
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
      },
      { signal, onSent: () => (progress.sent = true) },
    );
    const { status } = answer;
    this.#attempts.noteAnswer();
    if (status < SERVER_ERROR && status !== TOO_MANY_REQUESTS) this.#attempts.limiter.succeed();
    const isAccepted = status >= SUCCESS && status < REDIRECT;
    if (isAccepted || status === UNAUTHORIZED) this.#isTokenRefused = !isAccepted;
    if (!isAccepted) throw this.#refusal(call, answer, progress);
    return read(answer);
  }

  #refusal(call: Call, { status, headers, body }: Answer, { mayHaveTakenEffect }: Progress): PreviewenvError {
    if (status === NOT_FOUND && !isDocumentedError(body))
      return new UndocumentedNotFoundError(undocumentedNotFoundText(call.description));
    const titles = readTitles(body, this.redactorFor(call.sentValues ?? []));
    const retryAfterMs = parseRetryAfter([headers["retry-after"]].flat()[0], this.#options.clock.date());
    return toApiError(refusalText(call.description, status, titles), {
      status,
      titles,
      retryAfterMs,
      afterAmbiguousAttempt: mayHaveTakenEffect,
    });
  }

  /** The error is not kept as a cause: it may contain pieces of the answer. */
  #toConnectionError(unanswered: FailedRequest, error: unknown): PreviewenvError {
    const { description, sent, proxyVariable } = unanswered;
    const reason = reasonOf(error);
    if (reason === ANSWER_TOO_LARGE)
      return new ResponseShapeError(undocumentedAnswerText(description, "it is larger than 16 MiB."));
    const obstacle = obstacleOf(error, proxyVariable);
    const text = noAnswerText(unanswered, obstacle ?? { reason });
    // A service that has answered is only away for a while: a deploy, a change of its address or certificate.
    if (obstacle === undefined || this.#attempts.isAnswered) return new ConnectionError(text, sent);
    return new UnreachableError(text, sent);
  }

  #connect(): Connections {
    if (this.#connections === undefined) {
      const { baseUrl, proxy, maxConcurrency, requestTimeoutMs } = this.#options;
      // With the first request, because undici takes time to load.
      const { ServiceConnections }: typeof Undici = require("./connections");
      this.#connections = new ServiceConnections({
        baseUrl,
        proxy,
        maxConnections: maxConcurrency,
        connectTimeoutMs: requestTimeoutMs,
      });
    }
    return this.#connections;
  }
}

function toSuffix(query: URLSearchParams | undefined): string {
  if (query === undefined || query.size === 0) return "";
  // "%20" is a space to every server, "+" only to those that read a query as a form.
  return `?${query.toString().replaceAll("+", "%20")}`;
}

/** @throws what broke the connection before the whole body had arrived */
function wholeBody({ body, cutOffBy }: Answer): string {
  if (cutOffBy !== undefined) throw cutOffBy;
  return body;
}
