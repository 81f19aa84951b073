import type * as pulumi from "@pulumi/pulumi";

/**
 * An Output whose failure is reported elsewhere (`failProgram`). A failed Output is several rejected promises, and Node.js would
 * report those that nobody reads: too late in an inline program of the Automation API, whose process then ends.
 */
export function handled<T>(output: pulumi.Output<T>): pulumi.Output<T> {
  // Not part of the SDK's types.
  for (const part of ["isKnown", "isSecret"]) {
    const promise: unknown = Reflect.get(output, part);
    if (promise instanceof Promise) promise.catch(() => undefined);
  }
  return output;
}
