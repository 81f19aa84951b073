import { isMap } from "../../provider/src/framework/properties";
import type { Reply } from "../../provider/src/sandbox/http/router";
import type { Foreign } from "./foreign";
import type { History } from "./history";
import type { SimulatedRequest } from "./network";
import type { Death } from "./processes";
import { hold } from "./violation";

/** What goes wrong with one request and its answer. */
export type Fault =
  /** The service, or something before it, answers this. It acts only when it says so, and only with 5xx, but not with 501. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly acts?: boolean;
      readonly retryAfterSeconds?: number;
      /** `echo`: the service repeats what it was sent, as careless ones do. */
      readonly body?: "html" | "empty" | "text" | "echo";
    }
  /** A gateway gives an undocumented 404 answer, and the service does not get the request. */
  | {
      readonly kind: "gateway";
      readonly says: "html" | "empty" | "text" | "json";
      /** The requests that it answers. */
      readonly where: "everything" | "environments" | "variables" | "deletions";
    }
  /** Every route answers 404 in the service's words: an address with a path too much, an API that is switched off. */
  | { readonly kind: "unrouted" }
  /** No connection: the request surely did not reach the service. */
  | { readonly kind: "refused" }
  /** The connection breaks before the service acted, after it, or within the answer. */
  | { readonly kind: "lost"; readonly when: "before" | "after" | "midway" }
  /** The request, or its answer, takes this long. */
  | { readonly kind: "slow"; readonly seconds: number; readonly when: "before" | "after" }
  /** The service acts, and the answer is not what the specification shows. */
  | { readonly kind: "garbled"; readonly how: "truncated" | "html" | "empty" | "null" | "list" | "types" }
  /** The answer is right, but does not say that it is JSON. */
  | { readonly kind: "contentType" }
  /** An upsert fails for some of its names, by the bits of a number. Some of the errors carry no name. */
  | { readonly kind: "partial"; readonly names: number; readonly nameless: number }
  /** The answer to an upsert does not mention some of its names, by the bits of a number. */
  | { readonly kind: "unmentioned"; readonly names: number; readonly acts: boolean };

/** What happens at a request of a run, counted from 0 as they leave the provider. */
export interface Trouble {
  readonly at: number;
  /** Counts only requests that write, or may. */
  readonly writes?: true;
  /** How many requests in a row a fault meets. Default 1. */
  readonly times?: number;
  /** Only requests about this environment meet it, counted from 0. Default all. */
  readonly on?: number;
  readonly what:
    | Fault
    | { readonly kind: "foreign"; readonly act: Foreign }
    /** The process ends before the request leaves it, or once the service has acted on it. */
    | { readonly kind: "crash"; readonly who: Death; readonly when: "before" | "after" }
    /** Somebody cancels, in a host that is told: while the request is on its way, once the service has acted on it, or right
     * after its answer. */
    | { readonly kind: "cancel"; readonly when?: "acted" | "answered" };
}

/** Whether the provider can know what came of everything, or what may have, although this happens: one fault of one
 * request, or a cancellation. */
export function isTraceable({ what, times = 1 }: Trouble): boolean {
  if (what.kind === "cancel" || what.kind === "unrouted") return true;
  return what.kind !== "foreign" && what.kind !== "crash" && times === 1;
}

function isFault(what: Trouble["what"]): what is Fault {
  return what.kind !== "foreign" && what.kind !== "crash" && what.kind !== "cancel";
}

/** The one environment whose requests meet faults. `undefined` when others do, or when anything else happens. */
export function environmentOf(troubles: readonly Trouble[]): number | undefined {
  const [on, ...others] = new Set(troubles.map((trouble) => trouble.on));
  return troubles.every(({ what }) => isFault(what)) && others.length === 0 ? on : undefined;
}

/** How many requests of its kind after its first one a trouble meets this one. Negative before. */
export function sinceStart({ at, writes }: Trouble, { index, writeIndex }: Counted): number {
  if (writes !== true) return index - at;
  return writeIndex < 0 ? -1 : writeIndex - at;
}

interface Counted {
  readonly index: number;
  readonly writeIndex: number;
}

const JSON_TYPE = "application/json";
const GARBLED = {
  truncated: '{"data": [{"id": "',
  html: "<html><body>Bad gateway</body></html>",
  empty: "",
  null: "null",
  list: "[]",
  types: '{"data": 5}',
} as const;
const SERVER_ERRORS_FROM = 500;
const NOT_FOUND = 404;
const NOT_IMPLEMENTED = 501;
const UNAVAILABLE = 503;

const UNROUTED: Reply = {
  status: NOT_FOUND,
  json: { errors: [{ status: NOT_FOUND, title: "The requested resource does not exist" }] },
};

/** Requests for which 404 says that something is gone: sent without reason it is a lie that nobody can see through. */
const BELIEVED: readonly string[] = ["GET /environment", "DELETE /env-vars"];
/** The same in an environment that says of itself that it is deleted. */
const BELIEVED_OF_DELETED: readonly string[] = [...BELIEVED, "GET /env-vars"];

/** Whether a fault meets a request at all. */
export function meets(fault: Fault, label: string): boolean {
  if (fault.kind !== "gateway") return true;
  return {
    everything: true,
    environments: label !== "GET /environments",
    variables: label.endsWith(" /env-vars"),
    deletions: label.startsWith("DELETE "),
  }[fault.where];
}

/** A fault as it may meet a request about an environment that is deleted or not: a service does not lie about what exists.
 * In other words than its own it is no lie of the service, and the provider must not believe it. */
export function fair(fault: Fault, label: string, isDeleted: boolean): Fault {
  const believed = isDeleted ? BELIEVED_OF_DELETED : BELIEVED;
  if (fault.kind !== "status" || fault.status !== NOT_FOUND || !believed.includes(label)) return fault;
  const isInServiceWords = fault.body === undefined || fault.body === "echo";
  return isInServiceWords ? { ...fault, status: UNAVAILABLE } : fault;
}

/** The answer that a fault puts in the place of the service's, if it does. `acts` says whether the service acts. */
export function orderedReply(
  fault: Fault | undefined,
  sent: string,
): { readonly reply: Reply; readonly acts: boolean } | undefined {
  if (fault?.kind === "unrouted") return { reply: UNROUTED, acts: false };
  if (fault?.kind === "gateway") return { reply: gatewayReply(fault.says), acts: false };
  if (fault?.kind !== "status") return undefined;
  const { status, acts = false, retryAfterSeconds, body } = fault;
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  const said = body === "empty" ? {} : { text: body === "html" ? GARBLED.html : "no" };
  const title = body === "echo" ? `Ordered fault ${status}: ${sent}` : `Ordered fault ${status}`;
  const json = { errors: [{ status, title }] };
  return {
    reply: body === undefined || body === "echo" ? { status, json, headers } : { status, ...said, headers },
    acts: acts && status >= SERVER_ERRORS_FROM && status !== NOT_IMPLEMENTED,
  };
}

function gatewayReply(says: "html" | "empty" | "text" | "json"): Reply {
  if (says === "empty") return { status: NOT_FOUND };
  if (says === "json") return { status: NOT_FOUND, json: { message: "no Route matched" } };
  return { status: NOT_FOUND, text: says === "html" ? GARBLED.html : "404 page not found" };
}

/** An answer on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Whether an answer is an undocumented 404: it does not say whether the service got the request. */
export function isOfAnybody({ status, text }: WireAnswer): boolean {
  return status === NOT_FOUND && !text.startsWith('{"errors":');
}

/** The answer as it leaves the service, with what a fault does to it. */
export function toWire(reply: Reply, fault: Fault | undefined): WireAnswer {
  const isSuccess = reply.status >= 200 && reply.status < 300;
  const { status, headers = {} } = reply;
  if (fault?.kind === "garbled" && isSuccess)
    return { status: 200, headers: { "content-type": JSON_TYPE }, text: GARBLED[fault.how] };
  const json = fault?.kind === "partial" ? withoutNames(reply.json, fault.nameless) : reply.json;
  const text = json === undefined ? (reply.text ?? "") : JSON.stringify(json);
  const type = fault?.kind === "contentType" ? "text/html" : JSON_TYPE;
  return { status, headers: { ...(text !== "" && { "content-type": type }), ...headers }, text };
}

function withoutNames(json: unknown, bits: number): unknown {
  if (!isMap(json) || !Array.isArray(json["errors"])) return json;
  const errors = json["errors"].map((item: unknown, index) =>
    isMap(item) && hasBit(bits, index) ? { ...item, name: null } : item,
  );
  return { ...json, errors };
}

/** Whether a number has a bit, counted from the lowest. */
export function hasBit(bits: number, index: number): boolean {
  return Math.floor(bits / 2 ** index) % 2 === 1;
}

/** The troubles of one run, at the requests that they meet. */
export class RunTroubles {
  /** Labels of the requests that met a fault. */
  readonly met: string[] = [];
  /** Whether nothing happens in the run that keeps the provider from knowing what it did. */
  readonly isTraceable: boolean;
  readonly #troubles: readonly Trouble[];
  readonly #environmentIds: readonly string[];

  constructor(troubles: readonly Trouble[], environmentIds: readonly string[]) {
    this.#troubles = troubles;
    this.#environmentIds = environmentIds;
    this.isTraceable = troubles.every(isTraceable) && troubles.length <= 1;
  }

  /** Whether the provider may not know what it did in an environment. */
  isMurky(environmentId: string): boolean {
    const on = environmentOf(this.#troubles);
    return !this.isTraceable && (on === undefined || this.#environmentIds[on] === environmentId);
  }

  /** What begins at a request. */
  beginning(request: SimulatedRequest): readonly Trouble["what"][] {
    return this.#at(request).flatMap((trouble) => (sinceStart(trouble, request) === 0 ? [trouble.what] : []));
  }

  /** The fault that a request meets. */
  fault(request: SimulatedRequest): Fault | undefined {
    for (const { what } of this.#at(request))
      if (isFault(what) && meets(what, request.label)) {
        this.met.push(request.label);
        return what;
      }
    return undefined;
  }

  #at(request: SimulatedRequest): readonly Trouble[] {
    return this.#troubles.filter((trouble) => {
      if (trouble.on !== undefined && this.#environmentIds[trouble.on] !== request.environmentId) return false;
      const count = sinceStart(trouble, request);
      return count >= 0 && count < (trouble.times ?? 1);
    });
  }
}

const OUTAGE: readonly number[] = [502, 503, 504];
/** The pauses between so many attempts are 8 s at most together. */
const MAX_TIMES = 5;
/** Requests that queue nothing, so that they are repeated. */
const REPEATED = /^(GET|PUT|DELETE) /u;
const SAID = /answered 50[234]/u;

/**
 * A run whose only trouble is that the service is away for a moment, at requests with these labels, does not fail of that.
 * When the user has set how often a request is repeated, that counts instead.
 */
export function holdOutlasting(
  { maxRetries }: History["settings"],
  troubles: readonly Trouble[],
  met: readonly string[],
  errors: readonly string[],
): void {
  const [trouble, ...others] = troubles;
  if (maxRetries !== undefined || trouble === undefined || others.length > 0) return;
  const { what, times = 1 } = trouble;
  if (what.kind !== "status" || !OUTAGE.includes(what.status) || what.retryAfterSeconds !== undefined) return;
  if (times > MAX_TIMES || !met.every((label) => REPEATED.test(label))) return;
  const error = errors.find((text) => SAID.test(text));
  hold(error === undefined, "outlasts", () => `a run failed: ${error}`);
}
