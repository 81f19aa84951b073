import type * as pulumi from "@pulumi/pulumi";

/**
 * An Output whose failure is reported elsewhere (`failProgram`), and so are the Outputs that a program makes of it: `found.id`,
 * `found.apply(...)`. A failed Output is several rejected promises. Of those that nobody reads yet, Node.js would warn, or end a
 * process of the Automation API.
 */
export function handled<T>(output: pulumi.Output<T>): pulumi.Output<T> {
  // These three are not part of the SDK's types, or not in this form.
  for (const part of ["isKnown", "isSecret"]) {
    const promise: unknown = Reflect.get(output, part);
    if (promise instanceof Promise) promise.catch(() => undefined);
  }
  const apply: unknown = Reflect.get(output, "apply");
  if (typeof apply !== "function") return output;
  const value = (...args: readonly unknown[]): unknown => {
    const made: pulumi.Output<unknown> = Reflect.apply(apply, output, args);
    return handled(made);
  };
  Reflect.defineProperty(output, "apply", { value, configurable: true });
  return output;
}
