import { actionRoutes } from "./actions";
import { envVarRoutes } from "./env-vars";
import { environmentRoutes } from "./environments";
import { HttpError, type Match, type Refusals, type Reply, Router } from "./router";
import { StateFileError } from "../domain/state-file";
import type { Store } from "../domain/store";
import { MS_PER_SECOND } from "../domain/timestamps";

const RETRY_AFTER_SECONDS = "1";

/** A body that was read: its size, and its JSON unless it is none. */
export interface Body {
  readonly sizeBytes: number;
  readonly isTooLarge: boolean;
  readonly json: { readonly value: unknown } | undefined;
}

/** One request, read completely. */
export interface Incoming {
  readonly match: Match;
  /** Without the prefix and the query. */
  readonly path: string;
  readonly query: string;
  readonly token: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Body;
}

/** The service itself: authentication, limits, routes, and errors as the specification writes them. */
export class Service {
  readonly #store: Store;
  readonly #tokens: ReadonlySet<string>;
  readonly #router: Router;
  /** Requests in this second of the clock. */
  #count = { second: 0, requests: 0 };

  constructor(store: Store, tokens: ReadonlySet<string>) {
    this.#store = store;
    this.#tokens = tokens;
    this.#router = new Router([...environmentRoutes(store), ...actionRoutes(store), ...envVarRoutes(store)]);
  }

  /** Finds the endpoint for a method and a percent-encoded path. */
  match(method: string, path: string): Match {
    return this.#router.match(method, path);
  }

  /** Answers one request. Never throws. */
  answer(incoming: Incoming, refusals: Refusals | undefined): Reply {
    try {
      return this.#act(incoming, refusals);
    } catch (error) {
      if (error instanceof HttpError) return this.#refuse(error);
      const title = error instanceof StateFileError ? error.message : "The sandbox failed; this is a defect of it";
      return toReply(new HttpError(500, title));
    }
  }

  #act(incoming: Incoming, refusals: Refusals | undefined): Reply {
    const { match, body } = incoming;
    // "A missing or wrong token yields 401 with an error object whose title is Invalid token."
    if (incoming.token === undefined || !this.#tokens.has(incoming.token)) throw new HttpError(401, "Invalid token");
    this.#admit();
    if (body.isTooLarge) throw new HttpError(413, "Request body is too large");
    const { route } = match;
    if (route === undefined) throw this.#noRoute(match);
    return route.handle({
      environmentId: match.environmentId,
      variableName: match.variableName,
      query: new URLSearchParams(incoming.query),
      body: route.takesBody === true ? parsed(incoming) : undefined,
      refusals,
    });
  }

  #admit(): void {
    const second = Math.floor(this.#store.clock.now() / MS_PER_SECOND);
    const requests = second === this.#count.second ? this.#count.requests + 1 : 1;
    this.#count = { second, requests };
    if (requests > (this.#store.choices.rateLimitPerSecond ?? Infinity))
      throw new HttpError(429, "Too many requests", { "retry-after": RETRY_AFTER_SECONDS });
  }

  #noRoute({ allowed }: Match): HttpError {
    if (allowed.length === 0) return new HttpError(404, "Not found");
    if (this.#store.choices.wrongMethodStatus === 404) return new HttpError(404, "Not found");
    return new HttpError(405, "Method not allowed", { allow: allowed.join(", ") });
  }

  /** "Body shape of 400 responses: not shown." */
  #refuse(error: HttpError): Reply {
    const { badRequestBody } = this.#store.choices;
    if (error.status !== 400 || badRequestBody === "errors") return toReply(error);
    return badRequestBody === "text" ? { status: 400, text: error.message } : { status: 400 };
  }
}

function toReply({ status, message, headers }: HttpError): Reply {
  return { status, json: { errors: [{ status, title: message }] }, headers };
}

/** "Request bodies are JSON with Content-Type: application/json". A Content-Type that is left out is taken for JSON. */
function parsed({ body, contentType }: Incoming): unknown {
  if (contentType !== undefined && !/json/i.test(contentType)) {
    throw new HttpError(415, "Content-Type must be application/json");
  }
  if (body.json === undefined) throw new HttpError(400, "Request body is not valid JSON");
  return body.json.value;
}
