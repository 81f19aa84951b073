import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../domain/clock";
import { ManualClock } from "../domain/clock";
import { Fields, ShapeError } from "../domain/fields";
import { mask, type MaskOptions } from "../domain/mask";
import { MS_PER_SECOND } from "../domain/timestamps";
import type { World } from "../domain/world";
import { sendReply, type Target } from "../http/exchange";
import type { ActiveFault, Faults } from "../http/faults";
import type { Journal, JournalEntry } from "../http/journal";
import { readBody } from "../http/request-body";
import { HttpError, type Reply } from "../http/router";
import type { Mount } from "../http/server";
import { readFault, readFlags, readVariable } from "./requests";

const ROOT = "/__sandbox/";
const WHOLE_NUMBER = /^\d+$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** What the control requests move. */
export interface ControlOptions {
  readonly world: World;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  /** How the service masks hidden values. */
  readonly mask: MaskOptions;
  /** The host the server was told to listen on. */
  readonly host: string;
}

type Handler = (body: Fields, query: URLSearchParams) => Reply;

/**
 * The world, the faults, the journal and the clock over HTTP, for tests in another process. No token, no journal entry.
 * Bodies are JSON objects; refusals are `{ errors: [{ status, title }] }`.
 *
 * - `GET    /__sandbox/state`: environments, variables with their real values and as the service shows
 *   them (`shown`), builds, snapshot loads
 * - `GET    /__sandbox/journal`: `{ entries, total, maxInFlight, connections }`, with `?last=N` the newest N entries;
 *   `DELETE` clears it
 * - `POST   /__sandbox/variables` `{ environmentId, name, value, hidden?, services? }`; `DELETE` `{ environmentId, name }`
 * - `POST   /__sandbox/branches` `{ environmentId, repoName, branch, build? }`
 * - `POST   /__sandbox/commits` `{ environmentId, repoName }`: a push to the branch that repository is on
 * - `POST   /__sandbox/flags` `{ environmentId, stopped?, retired?, deleted? }`
 * - `POST   /__sandbox/builds` `{ environmentId, failNext?, slowNextSeconds?, finish? }`
 * - `DELETE /__sandbox/environments` `{ environmentId }`: it vanishes
 * - `GET    /__sandbox/faults`: `{ faults }`, those that still wait for a request, without bodies and headers
 * - `POST   /__sandbox/faults`: the fields of `FaultOptions` but `match` and `hold`, `path` as a text; `DELETE` clears
 * - `POST   /__sandbox/clock` `{ advanceSeconds }`: only with a `ManualClock`
 */
export class Control implements Mount {
  readonly #options: ControlOptions;
  readonly #handlers: ReadonlyMap<string, Handler>;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#handlers = new Map([
      ...readHandlers(options),
      ...worldHandlers(options.world),
      ...faultHandlers(options),
      ["POST clock", (body: Fields) => advance(options.clock, body)],
    ]);
  }

  owns(path: string): boolean {
    return path.startsWith(ROOT);
  }

  async serve(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    try {
      this.#refuseStrangers(request);
      const handler = this.#handlers.get(`${request.method} ${target.path.slice(ROOT.length)}`);
      if (handler === undefined) throw new HttpError(404, `${request.method} ${target.path} is no control request`);
      if (body.sizeBytes > 0 && body.json === undefined) throw new HttpError(400, "Request body is not valid JSON");
      sendReply(response, handler(new Fields(body.json?.value ?? {}, "body"), new URLSearchParams(target.query)));
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 400;
      const title = error instanceof Error ? error.message : "Control request failed";
      sendReply(response, { status, json: { errors: [{ status, title }] } });
    }
  }

  /** A page in a browser could reach this port: it has an Origin, or came in under a name that is not this computer's. */
  #refuseStrangers({ headers, method }: IncomingMessage): void {
    const { host = "", origin } = headers;
    if (origin !== undefined && origin !== `http://${host}`) {
      throw new HttpError(403, "Control requests are not open to other origins");
    }
    if (LOOPBACK.test(this.#options.host) && !LOOPBACK.test(host)) {
      throw new HttpError(403, "Control requests must be addressed to a loopback host");
    }
    const type = headers["content-type"];
    if (method !== "GET" && (type === undefined ? method === "POST" : !/^application\/json\b/i.test(type))) {
      throw new HttpError(415, "Control requests must be application/json");
    }
  }
}

function readHandlers({ world, journal, mask: maskOptions }: ControlOptions): [string, Handler][] {
  return [
    ["GET state", () => ({ status: 200, json: { environments: stateOf(world, maskOptions) } })],
    [
      "GET journal",
      (_body, query) => {
        const { entries, maxInFlight, connections } = journal;
        const newest = newestOf(entries, query.get("last"));
        return { status: 200, json: { entries: newest, total: entries.length, maxInFlight, connections } };
      },
    ],
    ["DELETE journal", () => done(() => journal.clear())],
  ];
}

function newestOf(entries: readonly JournalEntry[], last: string | null): readonly JournalEntry[] {
  if (last === null) return entries;
  if (!WHOLE_NUMBER.test(last)) throw new ShapeError("last must be a whole number");
  return entries.slice(Math.max(entries.length - Number(last), 0));
}

function stateOf(world: World, maskOptions: MaskOptions): object[] {
  return world.environments.list().map((environment) => ({
    ...environment,
    variables: world.variables(environment.id).map((variable) => ({
      ...variable,
      shown: variable.hidden ? mask(variable.value, maskOptions) : variable.value,
    })),
    builds: world.builds(environment.id),
    snapshotLoads: world.snapshotLoads(environment.id),
  }));
}

function worldHandlers(world: World): [string, Handler][] {
  const id = (body: Fields) => body.text("environmentId");
  return [
    ["POST variables", (body) => done(() => world.setVariable(id(body), readVariable(body)))],
    ["DELETE variables", (body) => done(() => world.deleteVariable(id(body), body.text("name")))],
    ["POST branches", (body) => done(() => switchBranch(world, body))],
    ["POST commits", (body) => done(() => world.pushCommit(id(body), body.text("repoName")))],
    ["POST flags", (body) => done(() => world.setFlags(id(body), readFlags(body)))],
    ["POST builds", (body) => done(() => steerBuilds(world, body))],
    ["DELETE environments", (body) => done(() => world.remove(id(body)))],
  ];
}

function switchBranch(world: World, body: Fields): void {
  const build = body.optionalFlag("build") ?? true;
  world.switchBranch(body.text("environmentId"), body.text("repoName"), body.text("branch"), { build });
}

function steerBuilds(world: World, body: Fields): void {
  const environmentId = body.text("environmentId");
  const slowSeconds = body.optionalNumber("slowNextSeconds");
  if (body.optionalFlag("failNext") === true) world.failNextBuild(environmentId);
  if (slowSeconds !== undefined) world.slowNextBuild(environmentId, slowSeconds);
  if (body.optionalFlag("finish") === true) world.finishBuilds(environmentId);
}

function faultHandlers({ faults }: ControlOptions): [string, Handler][] {
  return [
    ["GET faults", () => ({ status: 200, json: { faults: faults.active.map(describeFault) } })],
    ["POST faults", (body) => done(() => faults.add(readFault(body)))],
    ["DELETE faults", () => done(() => faults.clear())],
  ];
}

/** Without what a fault answers: a test may have put anything there. */
function describeFault({ options, hits }: ActiveFault): object {
  const { method, path, label, times = 1, after, status, gateway } = options;
  const { acts, delayMs, dropBefore, dropAfter, malformed } = options;
  const refuse = options.refuse === undefined ? undefined : Object.keys(options.refuse);
  return {
    hits,
    // JSON knows no infinity: null stands for every request.
    times,
    method,
    path: path === undefined ? undefined : String(path),
    label,
    after,
    status,
    gateway,
    acts,
    delayMs,
    dropBefore,
    dropAfter,
    malformed,
    refuse,
  };
}

function advance(clock: Clock, body: Fields): Reply {
  if (!(clock instanceof ManualClock)) throw new HttpError(409, "This sandbox runs on the system clock");
  const seconds = body.number("advanceSeconds");
  if (seconds < 0) throw new ShapeError("body.advanceSeconds must not be negative");
  return done(() => clock.advance(seconds * MS_PER_SECOND));
}

function done(act: () => unknown): Reply {
  act();
  return { status: 204 };
}
