import * as pulumi from "@pulumi/pulumi";

/** The value of an Output. */
export interface KnownValue<T> {
  readonly value: T;
  readonly isSecret: boolean;
}

/** Members that are not part of the SDK's types; the SDK serializes each input with them. */
interface Parts<T> {
  readonly isKnown: Promise<boolean>;
  promise(withUnknowns: boolean): Promise<T>;
}

/**
 * The value of an Output; `undefined` when a preview does not know it. Rejects when the Output failed. `apply` would make another
 * Output, and one more failure of it.
 */
export async function knownValue<T>(output: pulumi.Output<T>): Promise<KnownValue<T> | undefined> {
  if (!hasParts(output) || !(await output.isKnown)) return undefined;
  return { value: await output.promise(true), isSecret: await pulumi.isSecret(output) };
}

function hasParts<T>(output: pulumi.Output<T>): output is pulumi.Output<T> & Parts<T> {
  return typeof Reflect.get(output, "promise") === "function";
}
