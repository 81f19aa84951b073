import { endInFlight, inFlight, queueBuild } from "../domain/builds";
import { findEnvironment } from "./environments";
import { isObject } from "../domain/fields";
import { type Environment, type Flags, isRunning } from "../domain/model";
import { type Call, HttpError, type Route } from "./router";
import type { Store } from "../domain/store";

const SINGLE = "/api/v1/environment/:environmentId";
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

interface Action {
  readonly name: string;
  /** Title of the 400 when the condition fails. */
  readonly refusal: string;
  isAllowed(environment: Environment): boolean;
  act(environment: Environment): void;
}

/** Stop, restart, rebuild, revive, cancel and snapshot load: the specification's "States and transitions". */
export function actionRoutes(store: Store): readonly Route[] {
  const snapshotLoad: Route = {
    method: "POST",
    path: `${SINGLE}/snapshot-load`,
    label: "/snapshot-load",
    takesBody: true,
    handle: (call) => {
      queueSnapshotLoad(store, findEnvironment(store, call), call);
      return { status: 204 };
    },
  };
  return [...actions(store).map((action) => toRoute(store, action)), snapshotLoad];
}

function actions(store: Store): readonly Action[] {
  const { choices } = store;
  const isHeldUp = (environment: Environment) =>
    choices.actionsWhileBuilding === "refused" && inFlight(store, environment) !== undefined;
  const build = (environment: Environment, flags: Partial<Flags>) => {
    environment.flags = { ...environment.flags, ...flags };
    queueBuild(store, environment);
  };
  return [
    {
      name: "stop",
      refusal: "Environment is not running",
      isAllowed: (environment) => isRunning(environment) && !isHeldUp(environment),
      act: (environment) => {
        environment.flags = { ...environment.flags, ...choices.flagsAfterStop };
        endInFlight(store, environment);
      },
    },
    {
      name: "restart",
      refusal: "Environment is not retired",
      isAllowed: (environment) => environment.flags.retired && !isHeldUp(environment),
      act: (environment) => build(environment, choices.flagsAfterRestart),
    },
    {
      name: "rebuild",
      refusal: "Environment is not active",
      isAllowed: (environment) =>
        (choices.rebuildAllowed === "runningOnly" ? isRunning(environment) : !environment.flags.deleted) &&
        !isHeldUp(environment),
      act: (environment) => build(environment, choices.flagsAfterRebuild),
    },
    {
      name: "revive",
      refusal: "Environment is already active",
      isAllowed: (environment) => environment.flags.deleted && !isHeldUp(environment),
      act: (environment) => build(environment, choices.flagsAfterRevive),
    },
    {
      name: "cancel",
      refusal: "Environment is not active or no builds in-flight",
      isAllowed: (environment) => isRunning(environment) && inFlight(store, environment) !== undefined,
      act: (environment) => endInFlight(store, environment),
    },
  ];
}

function toRoute(store: Store, action: Action): Route {
  return {
    method: "POST",
    path: `${SINGLE}/${action.name}`,
    label: `/${action.name}`,
    handle: (call) => {
      const environment = findEnvironment(store, call);
      if (!action.isAllowed(environment)) throw new HttpError(400, action.refusal);
      action.act(environment);
      store.changed();
      return { status: 204 };
    },
  };
}

function queueSnapshotLoad(store: Store, environment: Environment, call: Call): void {
  const data = isObject(call.body) ? call.body["data"] : undefined;
  if (!isObject(data) || data["type"] !== "snapshot-load" || !isObject(data["attributes"])) {
    throw new HttpError(400, 'data must be of type "snapshot-load" and have attributes');
  }
  const { sequence_number: sequenceNumber, source_application_id: source } = data["attributes"];
  if (typeof sequenceNumber !== "number" || !Number.isSafeInteger(sequenceNumber) || sequenceNumber < 0) {
    throw new HttpError(400, "sequence_number is required and must be an integer");
  }
  const sourceEnvironmentId = source ?? undefined;
  if (
    sourceEnvironmentId !== undefined &&
    (typeof sourceEnvironmentId !== "string" || !UUID.test(sourceEnvironmentId))
  ) {
    throw new HttpError(400, "source_application_id must be a UUID");
  }
  if (sourceEnvironmentId !== undefined && store.find(sourceEnvironmentId) === undefined) {
    throw new HttpError(400, "source_application_id is not an environment");
  }
  environment.snapshotLoads.push({ sequenceNumber, sourceEnvironmentId, queuedAtMs: store.clock.now() });
  store.changed();
}
