import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";

/**
 * Fails the program, whatever else becomes of the error: a program that succeeds without what it could not declare lets Pulumi
 * delete that. The Pulumi CLI fails a program that has an unhandled rejection. An inline program of the Automation API tells the
 * engine that it has declared everything before it looks for unhandled rejections, so it is kept from telling that. What failed,
 * or what waits for it, must be a call of the engine that is still under way (`rpcKeepAlive`).
 */
export function failProgram(failure: unknown): void {
  if (typeof failure === "object" && failure !== null) {
    if (told.has(failure)) return;
    told.add(failure);
  }
  void Promise.reject(failure);
  refuseSuccess(failure);
  const settings = settingsOfRun();
  if (settings === undefined || ending.has(settings)) return;
  ending.add(settings);
  void endWithTurn(settings).finally(() => ending.delete(settings));
}

/** Failures that the program has ended with: one may come from several Outputs. */
const told = new WeakSet<object>();

/** Runs that end with another turn, once for all their failures: each would take the other's turn for a new call. */
const ending = new WeakSet<object>();

/** A program that succeeds tells the engine so, which then deletes what it did not declare. */
function refuseSuccess(failure: unknown): void {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  if (monitor === undefined || Object.hasOwn(monitor, SUCCESS)) return;
  Reflect.defineProperty(monitor, SUCCESS, {
    value: () => {
      throw failure;
    },
  });
}

/** The engine call that ends a successful program. */
const SUCCESS = "signalAndWaitForShutdown";

/**
 * Adds a turn of the event loop after the last engine call. Inputs and Outputs that the failure reaches are rejections that nobody
 * handles. Node.js tells of them at the end of a turn, and a run of an inline program must still listen then: the process ends
 * with a rejection that nobody listens to.
 */
async function endWithTurn(settings: object): Promise<void> {
  const calls: unknown = Reflect.get(settings, CALLS);
  const turn = Promise.resolve(calls).then(() => new Promise((resolve) => setImmediate(resolve)));
  Reflect.set(settings, CALLS, turn);
  await turn;
  // More calls were made meanwhile.
  if (Reflect.get(settings, CALLS) !== turn) await endWithTurn(settings);
}

/** The end of the engine calls that are under way. */
const CALLS = "rpcDone";

/** Not part of the SDK's types. */
function settingsOfRun(): object | undefined {
  const sdk: object = state;
  const getStore: unknown = Reflect.get(sdk, "getStore");
  const store: unknown = typeof getStore === "function" ? getStore() : undefined;
  const settings: unknown = typeof store === "object" && store !== null ? Reflect.get(store, "settings") : undefined;
  return typeof settings === "object" && settings !== null ? settings : undefined;
}
