import { type Clock, ManualClock } from "../domain/clock";
import { type Fields, ShapeError } from "../domain/fields";
import { mask, type MaskOptions } from "../domain/mask";
import { MS_PER_SECOND } from "../domain/timestamps";
import type { World } from "../domain/world";
import type { ActiveFault, FaultOptions, Faults } from "../http/faults";
import type { Journal } from "../http/journal";
import { HttpError, type Reply } from "../http/router";
import type { JournalPage, State, WaitingFault, WaitingFaults } from "./answers";
import {
  type BuildOrder,
  readBuildOrder,
  readFault,
  readFlags,
  readName,
  readNothing,
  readRepository,
  readSwitch,
  readVariable,
} from "./requests";

const WHOLE_NUMBER = /^\d+$/;

/** The parts of the sandbox that control requests read and change. */
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

/** Reads one kind of control request to its end. The function that it returns acts and answers. */
export type Handler = (body: Fields, query: Fields) => () => Reply;

/** Every control request, by method and path below `/__sandbox/`. docs/sandbox.md describes each. */
export function controlHandlers(options: ControlOptions): ReadonlyMap<string, Handler> {
  return new Map([
    ...readHandlers(options),
    ...worldHandlers(options.world),
    ...faultHandlers(options),
    ["POST clock", (body: Fields) => advance(options.clock, body)],
  ]);
}

function readHandlers({ world, journal, mask: maskOptions }: ControlOptions): [string, Handler][] {
  return [
    ["GET state", () => () => ({ status: 200, json: stateOf(world, maskOptions) })],
    ["GET journal", (_body, query) => journalPage(journal, query.optionalText("last"))],
    ["DELETE journal", () => done(() => journal.clear())],
  ];
}

function journalPage(journal: Journal, last: string | undefined): () => Reply {
  if (last !== undefined && !WHOLE_NUMBER.test(last)) throw new ShapeError("query.last must be a whole number");
  return () => {
    const { entries, maxInFlight, connections } = journal;
    const total = entries.length;
    const newest = entries.slice(Math.max(total - Number(last ?? total), 0));
    const json: JournalPage = { entries: newest, total, maxInFlight, connections };
    return { status: 200, json };
  };
}

function stateOf(world: World, maskOptions: MaskOptions): State {
  const environments = world.environments.list().map((environment) => ({
    ...environment,
    variables: world.variables(environment.id).map((variable) => ({
      ...variable,
      shown: variable.hidden ? mask(variable.value, maskOptions) : variable.value,
    })),
    builds: world.builds(environment.id),
    snapshotLoads: world.snapshotLoads(environment.id),
  }));
  return { environments };
}

function worldHandlers(world: World): [string, Handler][] {
  return [
    ["POST variables", about(readVariable, (id, variable) => world.setVariable(id, variable))],
    ["DELETE variables", about(readName, (id, name) => world.deleteVariable(id, name))],
    [
      "POST branches",
      about(readSwitch, (id, { repoName, branch, build }) => world.switchBranch(id, repoName, branch, { build })),
    ],
    ["POST commits", about(readRepository, (id, repoName) => world.pushCommit(id, repoName))],
    ["POST flags", about(readFlags, (id, flags) => world.setFlags(id, flags))],
    ["POST builds", about(readBuildOrder, (id, order) => steerBuilds(world, id, order))],
    ["DELETE environments", about(readNothing, (id) => world.remove(id))],
  ];
}

/** A request about one environment. */
function about<T>(read: (body: Fields) => T, act: (environmentId: string, what: T) => unknown): Handler {
  return (body) => {
    const environmentId = body.text("environmentId");
    const what = read(body);
    return done(() => act(environmentId, what));
  };
}

function steerBuilds(world: World, environmentId: string, order: BuildOrder): void {
  if (order.finish === true) world.finishBuilds(environmentId);
  if (order.resetNext === true) world.resetNextBuild(environmentId);
  if (order.failNext === true) world.failNextBuild(environmentId);
  if (order.slowNextSeconds !== undefined) world.slowNextBuild(environmentId, order.slowNextSeconds);
  if (order.queue === true) world.queueBuild(environmentId);
}

function faultHandlers({ faults }: ControlOptions): [string, Handler][] {
  return [
    ["GET faults", () => () => ({ status: 200, json: waiting(faults) })],
    ["POST faults", (body) => addFault(faults, readFault(body))],
    ["DELETE faults", () => done(() => faults.clear())],
  ];
}

function addFault(faults: Faults, fault: FaultOptions): () => Reply {
  return done(() => faults.add(fault));
}

function waiting(faults: Faults): WaitingFaults {
  return { faults: faults.active.map(describeFault) };
}

/** Without what a fault answers: a test may have put anything there. */
function describeFault({ options, hits }: ActiveFault): WaitingFault {
  const { body: _body, headers: _headers, match: _match, hold: _hold, path, refuse, times = 1, ...shown } = options;
  return {
    ...shown,
    hits,
    times: Number.isFinite(times) ? times : null,
    path: path === undefined ? undefined : String(path),
    refuse: refuse && Object.keys(refuse),
  };
}

function advance(clock: Clock, body: Fields): () => Reply {
  if (!(clock instanceof ManualClock)) throw new HttpError(409, "This sandbox runs on the system clock");
  const seconds = body.number("advanceSeconds");
  if (seconds < 0) throw new ShapeError("body.advanceSeconds must not be negative");
  return done(() => clock.advance(seconds * MS_PER_SECOND));
}

function done(act: () => unknown): () => Reply {
  return () => {
    act();
    return { status: 204 };
  };
}
