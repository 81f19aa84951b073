import * as pulumi from "@pulumi/pulumi";
import { failProgram } from "./failing-program";

/** Outputs whose failure is reported elsewhere. */
const reported = new WeakSet<object>();

/**
 * An Output whose failure is reported elsewhere (`failProgram`), and so are the Outputs that a program makes of it: `found.id`,
 * `found.apply(...)`. A failed Output is several rejected promises. Of those that nobody reads yet, Node.js would warn, or end a
 * process of the Automation API. What the program's own code fails with, on the way, is reported here.
 */
export function handled<T>(output: pulumi.Output<T>): pulumi.Output<T> {
  reported.add(output);
  handleRejections(output);
  // Not part of the SDK's types in this form.
  const apply: unknown = Reflect.get(output, "apply");
  if (typeof apply !== "function") return output;
  const value = (callback: unknown, ...others: readonly unknown[]): unknown => {
    const made: pulumi.Output<unknown> = Reflect.apply(apply, output, [reporting(callback), ...others]);
    return handled(made);
  };
  Reflect.defineProperty(output, "apply", { value, configurable: true });
  return output;
}

/** These two are not part of the SDK's types. */
function handleRejections(output: object, reject: (error: unknown) => void = () => undefined): void {
  for (const part of ["isKnown", "isSecret"]) {
    const promise: unknown = Reflect.get(output, part);
    if (promise instanceof Promise) promise.catch(reject);
  }
}

/** The same callback, of which each failure fails the program: nobody else would hear of it. */
function reporting(callback: unknown): unknown {
  if (typeof callback !== "function") return callback;
  return (...args: readonly unknown[]): unknown => {
    try {
      const result: unknown = Reflect.apply(callback, undefined, args);
      if (result instanceof Promise) result.catch(failProgram);
      // An Output of the program itself. The failure of one of ours is reported already.
      else if (pulumi.Output.isInstance(result) && !reported.has(result)) handleRejections(result, failOnce());
      return result;
    } catch (error) {
      failProgram(error);
      throw error;
    }
  };
}

/** Of an Output that fails, each part is rejected. */
function failOnce(): (error: unknown) => void {
  let hasFailed = false;
  return (error) => {
    if (!hasFailed) failProgram(error);
    hasFailed = true;
  };
}
