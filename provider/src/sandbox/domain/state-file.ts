import { readFileSync } from "node:fs";
import { writeWholeFile } from "../../command/whole-file";
import { Fields, ShapeError } from "./fields";
import type { Build, Environment, Flags, NextBuild, Outcome, Project, SnapshotLoad, Variable } from "./model";
import type { Store } from "./store";

const VERSION = 1;
/** The file holds every value as plain text. */
const OWNER_ONLY = 0o600;

/** The state file cannot be read or written. The message names it and says why. */
export class StateFileError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "StateFileError";
  }
}

/** Fills the store from the file. False when there is no such file. Throws a StateFileError for a file it cannot use. */
export function loadState(store: Store, file: string): boolean {
  const text = read(file);
  if (text === undefined) return false;
  try {
    const state = new Fields(JSON.parse(text), "state");
    if (state.number("version") !== VERSION) throw new ShapeError(`state.version must be ${VERSION}`);
    store.lastQueuedMicros = state.number("lastQueuedMicros");
    const commits = state.list("commits", (item) => [item.text("branch"), item.number("count")] as const);
    for (const [branch, count] of commits) store.commits.set(branch, count);
    const environments = state.list("environments", toEnvironment);
    state.refuseUnread();
    for (const environment of environments) store.environments.set(environment.id, environment);
    return true;
  } catch (error) {
    const reason = error instanceof ShapeError ? error.message : "it is not valid JSON";
    throw new StateFileError(
      `State file ${file} cannot be used: ${reason.replace(/[^.?]$/u, "$&.")} Correct it or delete it.`,
      {
        cause: error,
      },
    );
  }
}

/** Writes the store to the file, as a whole. */
export function saveState(store: Store, file: string): void {
  try {
    writeWholeFile(file, `${JSON.stringify(fromStore(store), undefined, 2)}\n`, OWNER_ONLY);
  } catch (error) {
    throw new StateFileError(`State file ${file} cannot be written: ${codeOf(error)}`, { cause: error });
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new StateFileError(`State file ${file} cannot be read: ${codeOf(error)}`, { cause: error });
  }
}

/** The system's code of an error, such as ENOENT. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}

function fromStore(store: Store): object {
  return {
    version: VERSION,
    lastQueuedMicros: store.lastQueuedMicros,
    commits: Array.from(store.commits, ([branch, count]) => ({ branch, count })),
    environments: Array.from(store.environments.values(), (environment) => ({
      ...environment,
      variables: [...environment.variables.values()],
    })),
  };
}

function toEnvironment(fields: Fields): Environment {
  return {
    id: fields.text("id"),
    name: fields.text("name"),
    url: fields.text("url"),
    bypassToken: fields.text("bypassToken"),
    flags: fields.optionalObject("flags", toFlags) ?? { stopped: false, retired: false, deleted: false },
    projects: fields.list("projects", toProject),
    deployed: fields.list("deployed", toProject),
    builds: fields.list("builds", toBuild),
    variables: new Map(fields.list("variables", toVariable).map((variable) => [variable.name, variable])),
    inherited: fields.list("inherited", toVariable),
    snapshotLoads: fields.list("snapshotLoads", toSnapshotLoad),
    nextBuild: fields.optionalObject("nextBuild", toNextBuild) ?? {},
  };
}

function toNextBuild(fields: Fields): NextBuild {
  const [fails, seconds] = [fields.optionalFlag("fails"), fields.optionalNumber("seconds")];
  return { ...(fails === undefined ? {} : { fails }), ...(seconds === undefined ? {} : { seconds }) };
}

function toFlags(fields: Fields): Flags {
  const flag = (name: keyof Flags) => fields.optionalFlag(name) ?? false;
  return { stopped: flag("stopped"), retired: flag("retired"), deleted: flag("deleted") };
}

function toProject(fields: Fields): Project {
  return {
    orgName: fields.text("orgName"),
    repoName: fields.text("repoName"),
    branch: fields.text("branch"),
    commitHash: fields.text("commitHash"),
    pullRequestNumber: fields.optionalNumber("pullRequestNumber"),
  };
}

function toBuild(fields: Fields): Build {
  return {
    id: fields.text("id"),
    projects: fields.list("projects", toProject),
    queuedAtMicros: fields.number("queuedAtMicros"),
    beginsAtMs: fields.number("beginsAtMs"),
    finishesAtMs: fields.number("finishesAtMs"),
    fails: fields.flag("fails"),
    outcome: toOutcome(fields.text("outcome")),
  };
}

function toOutcome(text: string): Outcome {
  if (text === "inFlight" || text === "succeeded" || text === "failed") return text;
  throw new ShapeError(`a build's outcome must be inFlight, succeeded or failed`);
}

function toVariable(fields: Fields): Variable {
  return {
    id: fields.text("id"),
    name: fields.text("name"),
    value: fields.text("value"),
    hidden: fields.flag("hidden"),
    services: fields.optionalTexts("services") ?? [],
    createdAtMs: fields.number("createdAtMs"),
    updatedAtMs: fields.number("updatedAtMs"),
  };
}

function toSnapshotLoad(fields: Fields): SnapshotLoad {
  return {
    sequenceNumber: fields.number("sequenceNumber"),
    sourceEnvironmentId: fields.optionalText("sourceEnvironmentId"),
    queuedAtMs: fields.number("queuedAtMs"),
  };
}
