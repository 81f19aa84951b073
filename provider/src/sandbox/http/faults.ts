import { refuseUnknown } from "../domain/fields";

/** A request as a fault sees it. */
export interface FaultRequest {
  readonly method: string;
  /** Without the prefix and the query. Percent-encoded as it was sent. */
  readonly path: string;
  readonly query: string;
  /** As in the journal, such as "PUT /env-vars". */
  readonly label: string;
  readonly environmentId: string;
  /** Names of the variables an upsert or a delete is about. */
  readonly names: readonly string[];
}

/** The answer of a gateway, a proxy or an ingress instead of the service's: a web page, nothing, or JSON of its own. */
export const GATEWAY_WORDS = ["page", "empty", "json"] as const;
export type GatewayWords = (typeof GATEWAY_WORDS)[number];

/** Which requests a fault meets, and what happens to them. Fields that are left out match everything. */
export interface FaultOptions {
  readonly method?: string | undefined;
  /** A text the path must contain, or a pattern it must match. */
  readonly path?: string | RegExp | undefined;
  /** As in the journal, such as "PUT /env-vars". */
  readonly label?: string | undefined;
  /** A condition of your own. In process only. */
  readonly match?: ((request: FaultRequest) => boolean) | undefined;
  /** How many requests it meets. Default 1, Infinity for all. */
  readonly times?: number | undefined;
  /** How many matching requests are let through first. Default 0. */
  readonly after?: number | undefined;

  /** Answer this status. The service does not act, unless `acts` says so. */
  readonly status?: number | undefined;
  /**
   * A gateway answers, and the service does not get the request: 404 in words that are not the service's, or the `status`
   * that is given with it. Such a 404 says nothing about what exists.
   */
  readonly gateway?: GatewayWords | undefined;
  /** With `status`: a string is sent as text, anything else as JSON. Default: the error shape of the specification. */
  readonly body?: unknown;
  /** With `status`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** With `status`: the Retry-After header, in seconds or as an HTTP date. */
  readonly retryAfter?: number | string | undefined;
  /** With `status`: the service acts all the same, as behind a gateway that gave up waiting. With `unmentioned`: it stores them. */
  readonly acts?: boolean | undefined;
  /** Wait this long, in real time, before the service acts. */
  readonly delayMs?: number | undefined;
  /** Wait for this promise before the service acts. In process only. */
  readonly hold?: Promise<unknown> | undefined;
  /** The connection breaks before the service acts. */
  readonly dropBefore?: boolean | undefined;
  /** The service acts, and the connection breaks before the answer. */
  readonly dropAfter?: boolean | undefined;
  /** The service acts and answers 200 with truncated JSON. */
  readonly malformed?: boolean | undefined;
  /** The answer carries this Content-Type. */
  readonly contentType?: string | undefined;
  /** An upsert that has one of these names fails for it, with the given reason (207). Other requests are not met. */
  readonly refuse?: Readonly<Record<string, string>> | undefined;
  /** With `refuse`: the error items carry null for a name. */
  readonly refuseNull?: boolean | undefined;
  /**
   * The answer to an upsert (207) has variables with these names neither in `data` nor in `errors`. The service does not
   * store them, unless `acts` says so. Upserts without these names are not met.
   */
  readonly unmentioned?: readonly string[] | undefined;
  /** A list of environments leaves out those with these ids, which exist all the same. Other requests are not met. */
  readonly unlisted?: readonly string[] | undefined;
}

const FIELDS: Readonly<Record<keyof FaultOptions, true>> = {
  method: true,
  path: true,
  label: true,
  match: true,
  times: true,
  after: true,
  status: true,
  gateway: true,
  body: true,
  headers: true,
  retryAfter: true,
  acts: true,
  delayMs: true,
  hold: true,
  dropBefore: true,
  dropAfter: true,
  malformed: true,
  contentType: true,
  refuse: true,
  refuseNull: true,
  unmentioned: true,
  unlisted: true,
};

/** A fault that was added. */
export interface FaultHandle {
  /** How many requests it has met. */
  readonly hits: number;
  /** Takes it back. */
  remove(): void;
}

/** A fault that still waits for requests. */
export interface ActiveFault {
  readonly options: FaultOptions;
  /** How many requests it has met. */
  readonly hits: number;
}

interface Fault extends ActiveFault {
  seen: number;
  hits: number;
}

/** Faults are tried in the order they were added. A request meets one of them at most. */
export class Faults {
  #faults: Fault[] = [];

  add(options: FaultOptions): FaultHandle {
    refuseUnknown(options, FIELDS, "the fault");
    const fault: Fault = { options, seen: 0, hits: 0 };
    this.#faults.push(fault);
    const remove = () => {
      this.#faults = this.#faults.filter((other) => other !== fault);
    };
    return {
      get hits() {
        return fault.hits;
      },
      remove,
    };
  }

  /** Those that have not met all their requests yet, in the order they were added. */
  get active(): readonly ActiveFault[] {
    return this.#faults.filter((fault) => !isSpent(fault));
  }

  /** Takes every fault back. */
  clear(): void {
    this.#faults = [];
  }

  /** For the server: the fault this request meets. */
  take(request: FaultRequest): FaultOptions | undefined {
    for (const fault of this.#faults) {
      const { options } = fault;
      if (isSpent(fault) || !meets(options, request)) continue;
      fault.seen += 1;
      if (fault.seen <= (options.after ?? 0)) continue;
      fault.hits += 1;
      return options;
    }
    return undefined;
  }
}

function isSpent({ options, hits }: ActiveFault): boolean {
  return hits >= (options.times ?? 1);
}

function meets(options: FaultOptions, request: FaultRequest): boolean {
  const { method, path, label, refuse, unmentioned, unlisted, match } = options;
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (label !== undefined && label !== request.label) return false;
  if (typeof path === "string" && !request.path.includes(path)) return false;
  // `search` ignores the position a global pattern remembers.
  if (path instanceof RegExp && request.path.search(path) === -1) return false;
  if (refuse !== undefined && !isUpsertOfAny(Object.keys(refuse), request)) return false;
  if (unmentioned !== undefined && !isUpsertOfAny(unmentioned, request)) return false;
  if (unlisted !== undefined && request.label !== "GET /environments") return false;
  return match === undefined || match(request);
}

function isUpsertOfAny(names: readonly string[], request: FaultRequest): boolean {
  return request.label === "PUT /env-vars" && names.some((name) => request.names.includes(name));
}
