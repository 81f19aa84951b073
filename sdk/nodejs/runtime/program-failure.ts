import * as pulumi from "@pulumi/pulumi";
import { getStore } from "@pulumi/pulumi/runtime/state";

/**
 * A failure that ends the program with this text and without a stack. The Pulumi SDK puts
 * `error serializing property "environmentId": ` before the message of an error, once for each resource that waits for what
 * failed. The text names what failed and what to do, so the message stays as it is.
 */
export function programError(text: string): pulumi.RunError {
  const error = new pulumi.RunError(text);
  // A failure that comes after the end of the program's own code is printed by its stack, also when it is a RunError.
  error.stack = text;
  const unchanged = { get: () => text, set: () => void 0 };
  return Object.defineProperty(error, "message", unchanged);
}

/**
 * An Output whose failure fails the program, once, and so does that of all Outputs that a program makes of it: `found.id`,
 * `found.apply(...)`. A failed Output is several rejected promises. Of those that nobody reads yet, Node.js would warn, or end a
 * process of the Automation API.
 */
export function failing<T>(output: pulumi.Output<T>): pulumi.Output<T> {
  // These three are not part of the SDK's types, or not in this form.
  for (const part of ["isKnown", "isSecret"]) {
    const promise: unknown = Reflect.get(output, part);
    if (promise instanceof Promise) promise.catch(failProgram);
  }
  const apply: unknown = Reflect.get(output, "apply");
  if (typeof apply !== "function") return output;
  const value = (...args: readonly unknown[]): unknown => failing(Reflect.apply(apply, output, args));
  Reflect.defineProperty(output, "apply", { value, configurable: true });
  return output;
}

/**
 * Marks a promise as that of an added turn. Several failures add turns at once, also those of another copy of this package in the process,
 * of whichever version. Each would otherwise take the other's turn for a new call, without end.
 */
const ADDED_TURN = Symbol.for("pulumi-previewenv.addedTurn");

/**
 * Fails the program, whatever else becomes of the error: a program that succeeds without what it could not declare lets Pulumi
 * delete that. The Pulumi CLI fails a program that has an unhandled rejection. An inline program of the Automation API tells the
 * engine that it has declared everything before it looks for unhandled rejections, so it is kept from telling that. A resource that failed,
 * or what waits for it, must be a call of the engine that is still under way (`rpcKeepAlive`).
 */
export function failProgram(failure: unknown): void {
  // Several Outputs may have one failure. Pulumi reports each error once.
  void Promise.reject(failure);
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  const value = (): never => {
    throw failure;
  };
  // The call that ends a successful program: the engine then deletes what was not declared.
  if (monitor !== undefined) Reflect.defineProperty(monitor, "signalAndWaitForShutdown", { value });
  void endWithTurn();
}

/**
 * Adds a turn of the event loop after the last engine call. Inputs and Outputs that the failure reaches are rejections that nobody
 * handles. Node.js tells of them at the end of a turn, and a run of an inline program must still listen then: the process ends
 * with a rejection that nobody listens to.
 */
async function endWithTurn(): Promise<void> {
  const { settings } = getStore();
  // More calls may be made meanwhile.
  while (!(ADDED_TURN in settings.rpcDone)) {
    const turn = settings.rpcDone.then(() => new Promise((resolve) => setImmediate(resolve)));
    settings.rpcDone = Object.assign(turn, { [ADDED_TURN]: true });
    await turn;
  }
}
