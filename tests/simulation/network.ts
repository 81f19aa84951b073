import { addAbortListener } from "node:events";
import { MS_PER_SECOND } from "../../provider/src/client/clock";
import type {
  Answer,
  Connections,
  Exchange as Following,
  OutgoingRequest,
} from "../../provider/src/client/connections";
import type { Refusals, Reply } from "../../provider/src/sandbox/http/router";
import type { Incoming, Service } from "../../provider/src/sandbox/http/service";
import { sentNames } from "../../provider/src/sandbox/http/env-vars";
import type { Chance } from "./chance";
import type { SimulatedProcess } from "./processes";
import type { Timeline } from "./timeline";
import { type Fault, hasBit, orderedReply, toWire, type WireAnswer } from "./trouble";

/** A request on the virtual wire, and what has become of it. */
export interface SimulatedRequest {
  /** Counted from 0 within its run, as requests leave the provider. */
  readonly index: number;
  /** The same among requests that write. It is -1 for those that only read. */
  readonly writeIndex: number;
  readonly process: SimulatedProcess;
  readonly method: string;
  readonly path: string;
  /** "PUT /env-vars". */
  readonly label: string;
  readonly environmentId: string;
  /** Names of the variables that it is about. */
  readonly names: readonly string[];
  readonly body: string;
  readonly sentAtMs: number;
  /** The service acted on it although its caller had given up by then. */
  isStray: boolean;
}

/** An answer as it comes to the provider. One that is not whole breaks off after its status and headers. */
export interface Delivered extends WireAnswer {
  readonly isWhole: boolean;
}

/** What happens at a request besides its own fault, and who looks on. */
export interface Observer {
  /** It is about to leave the provider. False: the process has ended just before. */
  leaving(request: SimulatedRequest): boolean;
  fault(request: SimulatedRequest): Fault | undefined;
  arrived(request: SimulatedRequest): void;
  /** The service acted. The answer is on its way. */
  acted(request: SimulatedRequest, reply: Reply): void;
  answered(request: SimulatedRequest, answer: Delivered): void;
}

const HEADER = "x-api-token";
/** One way takes this long at least, and up to as much again. */
const MIN_WAY_MS = 5;
const WAY_SPREAD_MS = 60;

interface Wire {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly endpoint: Pick<Service, "match" | "answer">;
  readonly observer: Observer;
}

/** Connects provider processes to the service without sockets: each request is an event in virtual time. */
export class VirtualNetwork {
  readonly #wire: Wire;
  /** How many requests each run has sent: its processes count together. */
  readonly #counts = new Map<number, { sent: number; written: number }>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** What a process sends its requests through. */
  connect(process: SimulatedProcess): Connections {
    const { timeline, endpoint } = this.#wire;
    const count = this.#counts.get(process.run) ?? { sent: 0, written: 0 };
    this.#counts.set(process.run, count);
    return {
      exchange: (outgoing, following) => {
        const { path, method, body = "" } = outgoing;
        const [target = ""] = path.split("?");
        const match = endpoint.match(method, target);
        const { environmentId } = match;
        const label = `${method} ${match.label}`;
        const names = label === "PUT /env-vars" ? sentNames(parse(body)) : [match.variableName].filter(Boolean);
        const [index, writeIndex] = [count.sent, method === "GET" ? -1 : count.written];
        const at = { index, writeIndex, sentAtMs: timeline.now(), isStray: false };
        count.sent += 1;
        if (method !== "GET") count.written += 1;
        timeline.stir();
        const request: SimulatedRequest = { ...at, process, method, path, label, environmentId, names, body };
        return new Exchange(this.#wire, request, toIncoming(match, outgoing), following).start();
      },
      close: () => Promise.resolve(),
    };
  }
}

/** One request from its sender to the service and back. */
class Exchange {
  readonly #wire: Wire;
  readonly #request: SimulatedRequest;
  readonly #incoming: Incoming;
  readonly #following: Following;
  readonly #result = Promise.withResolvers<Answer>();
  #fault: Fault | undefined;

  constructor(wire: Wire, request: SimulatedRequest, incoming: Incoming, following: Following) {
    this.#wire = wire;
    this.#request = request;
    this.#incoming = incoming;
    this.#following = following;
  }

  async start(): Promise<Answer> {
    const { signal } = this.#following;
    // A listener that stays would keep the signal, and all that it follows.
    using _abort = addAbortListener(signal, () => this.#result.reject(signal.reason));
    return await this.#send();
  }

  #send(): Promise<Answer> {
    const { observer, timeline } = this.#wire;
    const { signal, onSent } = this.#following;
    const { promise } = this.#result;
    if (!observer.leaving(this.#request)) return promise;
    this.#fault = observer.fault(this.#request);
    if (this.#fault?.kind === "refused") {
      this.#later(0, () => this.#break("ECONNREFUSED"));
      return promise;
    }
    if (signal.aborted) return promise;
    onSent();
    // A request that left a process which then died reaches the service all the same.
    timeline.after(this.#wayMs() + this.#slowness("before"), () => this.#arrive());
    return promise;
  }

  #arrive(): void {
    const { observer, endpoint } = this.#wire;
    const fault = this.#fault;
    this.#request.isStray = this.#following.signal.aborted || !this.#request.process.isAlive;
    if (fault?.kind === "lost" && fault.when === "before") return this.#break("ECONNRESET");
    observer.arrived(this.#request);
    const ordered = orderedReply(fault, this.#request.body);
    const acts = ordered === undefined || ordered.acts;
    const acted = acts ? endpoint.answer(this.#incoming, refusals(fault, this.#request)) : undefined;
    const reply = ordered?.reply ?? acted ?? { status: 500 };
    if (acted !== undefined) observer.acted(this.#request, acted);
    if (fault?.kind === "lost" && fault.when === "after") return this.#later(0, () => this.#break("ECONNRESET"));
    this.#later(this.#slowness("after"), () => this.#deliver(toWire(reply, fault)));
  }

  #deliver(answer: WireAnswer): void {
    if (this.#following.signal.aborted) return;
    this.#wire.observer.answered(this.#request, { ...answer, isWhole: this.#fault?.kind !== "lost" });
    if (this.#fault?.kind === "lost") return this.#break("ECONNRESET");
    const { status, headers, text: body } = answer;
    this.#result.resolve({ status, headers, body });
  }

  /** After one way, and so much longer. */
  #later(ms: number, act: () => void): void {
    this.#wire.timeline.after(this.#wayMs() + ms, () => {
      if (this.#request.process.isAlive) act();
    });
  }

  #wayMs(): number {
    return MIN_WAY_MS + this.#wire.chance.below(WAY_SPREAD_MS);
  }

  #break(code: string): void {
    if (this.#following.signal.aborted || !this.#request.process.isAlive) return;
    this.#result.reject(Object.assign(new Error(code), { code }));
  }

  #slowness(when: "before" | "after"): number {
    return this.#fault?.kind === "slow" && this.#fault.when === when ? this.#fault.seconds * MS_PER_SECOND : 0;
  }
}

function toIncoming(match: Incoming["match"], { path, headers, body = "" }: OutgoingRequest): Incoming {
  const [target = "", query = ""] = path.split("?");
  const value = parse(body);
  return {
    match,
    path: target,
    query,
    token: headers[HEADER],
    contentType: headers["content-type"],
    body: { sizeBytes: Buffer.byteLength(body), isTooLarge: false, json: value === undefined ? undefined : { value } },
  };
}

/** Reasons repeat what was sent, as careless services do. */
function refusals(fault: Fault | undefined, { names, body }: SimulatedRequest): Refusals | undefined {
  if (fault?.kind !== "partial" && fault?.kind !== "unmentioned") return undefined;
  const refused = names.filter((_name, index) => hasBit(fault.names, index));
  if (refused.length === 0) return undefined;
  if (fault.kind === "unmentioned")
    return { reasons: new Map(), anonymous: false, unmentioned: { names: refused, areStored: fault.acts } };
  return { reasons: new Map(refused.map((name) => [name, `no room for ${name} in ${body}`])), anonymous: false };
}

function parse(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}
