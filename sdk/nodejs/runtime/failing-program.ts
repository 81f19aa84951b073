import * as state from "@pulumi/pulumi/runtime/state";

/**
 * Fails the program, whatever else becomes of the error: a program that succeeds without what it could not declare lets Pulumi
 * delete that. The Pulumi CLI fails a program that has an unhandled rejection. An inline program of the Automation API tells the
 * engine that it has declared everything before it looks for unhandled rejections. So the error also comes from the promise
 * that such a program waits for at its end, after its calls of the engine. One of these must still be waiting for what failed
 * when this is called.
 */
export function failProgram(failure: unknown): void {
  void Promise.reject(failure);
  const settings = settingsOfRun();
  const calls: unknown = settings && Reflect.get(settings, CALLS);
  if (settings === undefined || !(calls instanceof Promise)) return;
  const failing = calls.then(() => {
    // Once: what then ends the program waits for the calls again.
    Reflect.set(settings, CALLS, calls);
    throw failure;
  });
  Reflect.set(settings, CALLS, failing);
}

/** The end of the engine calls that are under way. */
const CALLS = "rpcDone";

/** Not part of the SDK's types. Without it only the rejection is left. */
function settingsOfRun(): object | undefined {
  const sdk: object = state;
  const getStore: unknown = Reflect.get(sdk, "getStore");
  const store: unknown = typeof getStore === "function" ? getStore() : undefined;
  const settings: unknown = typeof store === "object" && store !== null ? Reflect.get(store, "settings") : undefined;
  return typeof settings === "object" && settings !== null ? settings : undefined;
}
