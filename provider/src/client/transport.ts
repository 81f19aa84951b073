import type * as z from "zod";
import {
  describeNonJson,
  describeOtherShape,
  hasErrors,
  isDocumentedError,
  isWebPage,
  parseJson,
  readTitles,
} from "./answer";
import { Attempts, type AttemptsOptions, Progress } from "./attempts";
import { PACKAGE_NAME, packageVersion } from "../installation/package-version";
import type { BaseUrl, Proxy } from "./base-url";
import type { Call } from "./call";
import type * as Undici from "./connections";
import type { Answer, Connections, OutgoingRequest } from "./connections";
import {
  environmentTitle,
  mayHaveReachedText,
  noAnswerText,
  refusalText,
  titleList,
  undocumentedAnswerText,
} from "./error-text";
import {
  CancelledError,
  ConnectionError,
  PreviewenvError,
  ResponseShapeError,
  toApiError,
  UndocumentedNotFoundError,
  UnreachableError,
} from "./errors";
import { environmentKey } from "./text-rules";
import { type Redact, SentValues } from "./redact";
import { parseRetryAfter } from "./retry";
import { ANSWER_TOO_LARGE, obstacleOf, PROXY_REFUSES, timeoutObstacle } from "./unreachable";
import { see } from "./troubleshooting";

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** Some variables are written, and errors name the others. */
const IN_PART = 207;
const SUCCESS = 200;
const DELETED = 204;
const REDIRECT = 300;

/** Options of {@link Transport}. */
export interface TransportOptions extends AttemptsOptions {
  readonly baseUrl: BaseUrl;
  readonly apiToken: string;
  /** The proxy between this machine and the service. */
  readonly proxy?: Proxy | undefined;
  /** Carries requests instead of connections that this transport opens. */
  readonly connections?: Connections | undefined;
}

/** Sends calls, repeats them where that is safe, and parses answers. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #attempts: Attempts;
  readonly #redaction: SentValues;
  readonly #closing = new AbortController();
  /** The names of the environments that were read so far, for messages. They cost no request of their own. */
  readonly #environmentNames = new Map<string, string>();
  #connections: Connections | undefined;
  #isTokenRefused = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#attempts = new Attempts(options);
    this.#redaction = new SentValues(options.apiToken);
    this.#connections = options.connections;
  }

  /** Sends a call whose answer's body is not needed. Throws ResponseShapeError when the body is a web page, and for a DELETE unless it is 204. */
  async send(call: Call): Promise<void> {
    const answer = await this.#answerTo(call);
    this.#refuseError(call, answer, parseJson(answer.body));
    if (isWebPage(answer.body))
      throw new ResponseShapeError(undocumentedAnswerText(call.description, describeNonJson(answer)));
    // The specification: "204 deleted". A 200 of a gateway must not count as deleted.
    if (call.method === "DELETE") requireStatus(call, answer.status, DELETED);
  }

  /** Sends a call and parses its answer. Throws ResponseShapeError when that is not what `shape` describes, and for a GET unless it is 200. */
  async read<S extends z.ZodType>(call: Call, shape: S): Promise<z.output<S>> {
    const answer = await this.#answerTo(call);
    const json = parseJson(answer.body);
    this.#refuseError(call, answer, json);
    // A part of a list (206), or one that is not made yet (202), must not pass for the whole.
    if (call.method === "GET") requireStatus(call, answer.status, SUCCESS);
    const parsed = shape.safeParse(json);
    if (parsed.success) return parsed.data;
    const problem = json === undefined ? describeNonJson(answer) : describeOtherShape(parsed.error);
    throw new ResponseShapeError(undocumentedAnswerText(call.description, problem));
  }

  /** Notes hidden values that are about to be sent: later texts of the service are shown without them. */
  remember(values: readonly string[]): void {
    this.#redaction.remember(values);
  }

  /** A function that takes secrets out of the answer to a request with these values. */
  redactorFor(sentValues: readonly string[]): Redact {
    return this.#redaction.redactorFor(sentValues);
  }

  /** The service has answered an environment. */
  noteName({ id, name }: { readonly id: string; readonly name: string }): void {
    this.#environmentNames.set(environmentKey(id), name);
  }

  /** An environment as messages name it: `shop-pr-9 (<id>)`, or its id while no answer has shown its name. */
  titleOf(id: string): string {
    return environmentTitle({ id, name: this.#environmentNames.get(environmentKey(id)) });
  }

  /** Whether the last answer that depends on the token was 401. */
  get isTokenRefused(): boolean {
    return this.#isTokenRefused;
  }

  /** Calls `report` with a line for people while requests wait for more than 2 s. Returns a function that ends that. */
  onWait(report: (text: string) => void): () => void {
    return this.#attempts.waitReporter.listen(report);
  }

  /** Ends every connection. Calls under way fail with CancelledError. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connections?.close();
  }

  /**
   * Sends a call, again and again where that is safe, until the service accepts it or it must fail.
   * @throws CancelledError when its signal aborts, else the error of the last attempt
   */
  async #answerTo(call: Call): Promise<Answer> {
    const attempts = this.#attempts;
    const progress = new Progress();
    const signal = AbortSignal.any([this.#closing.signal, ...(call.signal === undefined ? [] : [call.signal])]);
    try {
      for (;;) {
        using _place = await attempts.enter(call, progress, signal);
        try {
          return await this.#attempt(call, progress, signal);
        } catch (error) {
          if (signal.aborted) throw error;
          attempts.retryOrThrow(error, call, progress);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      const { sent, lastError } = progress;
      const text = `Could not ${call.description}: cancelled. ${mayHaveReachedText(sent)}`.trimEnd();
      throw new CancelledError(text, sent, lastError);
    }
  }

  /** Sends a call once. */
  async #attempt(call: Call, progress: Progress, signal: AbortSignal): Promise<Answer> {
    const { clock, requestTimeoutMs } = this.#options;
    progress.begin(clock.now());
    const late = new AbortController();
    const stopTimer = clock.later(requestTimeoutMs, () => late.abort());
    try {
      const answer = await this.#connect().exchange(this.#requestOf(call), {
        signal: AbortSignal.any([signal, late.signal]),
        onSent: () => (progress.sent = true),
      });
      this.#note(answer);
      if (!isAccepted(answer)) throw this.#refusal(call, answer, progress);
      return answer;
    } catch (error) {
      if (error instanceof PreviewenvError) throw error;
      throw this.#unanswered(error, late.signal.aborted, call, progress);
    } finally {
      stopTimer();
    }
  }

  #requestOf({ method, path, query, body }: Call): OutgoingRequest {
    const { baseUrl, apiToken } = this.#options;
    return {
      path: baseUrl.prefix + path + toSuffix(query),
      method,
      headers: {
        accept: "application/json",
        // undici does not decompress answers.
        "accept-encoding": "identity",
        "user-agent": `${PACKAGE_NAME}/${packageVersion()}`,
        "x-api-token": apiToken,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }

  #note(answer: Answer): void {
    const { status } = answer;
    this.#attempts.noteAnswer(status);
    if (isAccepted(answer) || status === UNAUTHORIZED) this.#isTokenRefused = status === UNAUTHORIZED;
  }

  #refusal(call: Call, answer: Answer, { mayHaveTakenEffect }: Progress): PreviewenvError {
    const { status, headers, body } = answer;
    if (status === NOT_FOUND && !isDocumentedError(parseJson(body)))
      return new UndocumentedNotFoundError(
        `Could not ${call.description}: the answer is 404, but not the documented one (JSON with \`errors\` and \`title\`). A ` +
          "gateway, a proxy or a login page may have answered in its place: check previewenv:baseUrl and the network. " +
          see("gateway-404"),
      );
    const titles = readTitles(body, this.redactorFor(call.sentValues ?? []));
    const [retryAfter, answeredAt] = [headers["retry-after"], headers["date"]].map((header) => [header].flat()[0]);
    const retryAfterMs = parseRetryAfter(retryAfter, answeredAt, this.#options.clock.date());
    const advice = status === NOT_FOUND ? call.notFoundAdvice : undefined;
    const text = refusalText(call.description, status, titles, advice);
    const isPage = (status === UNAUTHORIZED || status === FORBIDDEN) && isWebPage(body);
    return toApiError(isPage ? `${text} But the answer is not as documented: ${describeNonJson(answer)}` : text, {
      status,
      titles,
      retryAfterMs,
      afterAmbiguousAttempt: mayHaveTakenEffect,
    });
  }

  /**
   * Refuses an answer whose status says success, and whose body is an error: neither can be believed, and nothing may have happened.
   * @throws ResponseShapeError
   */
  #refuseError(call: Call, { status, body }: Answer, json: unknown): void {
    // A write of many items says of each what failed: `errors` has their names there.
    const isError = call.method === "PUT" ? status !== IN_PART && isDocumentedError(json) : hasErrors(json);
    if (!isError) return;
    const titles = titleList(readTitles(body, this.redactorFor(call.sentValues ?? [])));
    throw new ResponseShapeError(
      undocumentedAnswerText(call.description, `it is ${status}, but has the body of an error${titles}`),
    );
  }

  /** The error of the connection is not kept as a cause: it may contain pieces of the answer. */
  #unanswered(error: unknown, isLate: boolean, { description }: Call, progress: Progress): PreviewenvError {
    const { baseUrl, proxy, requestTimeoutMs } = this.#options;
    const obstacle = isLate ? timeoutObstacle(requestTimeoutMs, proxy?.variable) : obstacleOf(error, proxy?.variable);
    if (obstacle.reason === ANSWER_TOO_LARGE)
      return new ResponseShapeError(undocumentedAnswerText(description, "it is larger than 16 MiB."));
    if (obstacle.reason === PROXY_REFUSES) progress.noteNoEffect();
    const { sent } = progress;
    const text = noAnswerText(description, baseUrl.origin, sent, obstacle);
    // A service that has answered is only away for a while: a deploy, a change of its address or certificate.
    if (obstacle.mayPass || this.#attempts.isAnswered) return new ConnectionError(text, sent);
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

function isAccepted({ status }: Answer): boolean {
  return status >= SUCCESS && status < REDIRECT;
}

/** @throws ResponseShapeError */
function requireStatus({ description }: Call, status: number, expected: number): void {
  if (status !== expected)
    throw new ResponseShapeError(undocumentedAnswerText(description, `it is ${status}, not ${expected}.`));
}

function toSuffix(query: Call["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  // "%20" is a space to every server, "+" only to those that read a query as a form.
  return parameters.size === 0 ? "" : `?${parameters.toString().replaceAll("+", "%20")}`;
}
