import * as pulumi from "@pulumi/pulumi";

/**
 * A failure of a function: the program ends with this text and without a stack. The Pulumi SDK puts
 * `error serializing property "environmentId": ` before the message of an error, once for each resource that waits for the
 * answer. The text names the function and what to do, so the message stays as it is.
 */
export function functionError(text: string, cause?: unknown): pulumi.RunError {
  const error = Object.assign(new pulumi.RunError(text), cause === undefined ? {} : { cause });
  // A failure that comes after the end of the program's own code is printed by its stack, also when it is a RunError.
  error.stack = text;
  const unchanged = { get: () => text, set: ignore };
  return Object.defineProperty(error, "message", unchanged);
}

function ignore(): void {
  // The SDK's prefix is dropped.
}
