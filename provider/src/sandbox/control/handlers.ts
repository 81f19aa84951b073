import { type Clock, ManualClock } from "../domain/clock";
import { type Fields, ShapeError } from "../domain/fields";
import { mask, type MaskOptions } from "../domain/mask";
import { MS_PER_SECOND } from "../domain/timestamps";
import type { World } from "../domain/world";
import type { ActiveFault, Faults } from "../http/faults";
import type { Journal, JournalEntry } from "../http/journal";
import { HttpError, type Reply } from "../http/router";
import type { JournalPage, State, WaitingFault, WaitingFaults } from "./answers";
import { readFault, readFlags, readVariable } from "./requests";

const WHOLE_NUMBER = /^\d+$/;

/** What the control requests read and change. */
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

/** Answers one kind of control request. */
export type Handler = (body: Fields, query: URLSearchParams) => Reply;

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
    ["GET state", () => ({ status: 200, json: stateOf(world, maskOptions) })],
    ["GET journal", (_body, query) => ({ status: 200, json: journalPage(journal, query.get("last")) })],
    ["DELETE journal", () => done(() => journal.clear())],
  ];
}

function journalPage(journal: Journal, last: string | null): JournalPage {
  const { entries, maxInFlight, connections } = journal;
  return { entries: newestOf(entries, last), total: entries.length, maxInFlight, connections };
}

function newestOf(entries: readonly JournalEntry[], last: string | null): readonly JournalEntry[] {
  if (last === null) return entries;
  if (!WHOLE_NUMBER.test(last)) throw new ShapeError("last must be a whole number");
  return entries.slice(Math.max(entries.length - Number(last), 0));
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
  if (body.optionalFlag("finish") === true) world.finishBuilds(environmentId);
  if (body.optionalFlag("resetNext") === true) world.resetNextBuild(environmentId);
  if (body.optionalFlag("failNext") === true) world.failNextBuild(environmentId);
  if (slowSeconds !== undefined) world.slowNextBuild(environmentId, slowSeconds);
  if (body.optionalFlag("queue") === true) world.queueBuild(environmentId);
}

function faultHandlers({ faults }: ControlOptions): [string, Handler][] {
  return [
    ["GET faults", () => ({ status: 200, json: waiting(faults) })],
    ["POST faults", (body) => done(() => faults.add(readFault(body)))],
    ["DELETE faults", () => done(() => faults.clear())],
  ];
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
