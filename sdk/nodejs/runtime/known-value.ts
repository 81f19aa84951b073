import * as pulumi from "@pulumi/pulumi";

/** The value of an Output. */
export interface KnownValue<T> {
  readonly value: T;
  readonly isSecret: boolean;
}

/** The value of an Output; `undefined` when a preview does not know it. Rejects when the Output failed. */
export async function knownValue<T>(output: pulumi.Output<T>): Promise<KnownValue<T> | undefined> {
  let found: { readonly value: T } | undefined;
  const noted = output.apply((value) => {
    found = { value };
  });
  handleFailure(noted);
  // The only part of an Output that can be awaited whether it is known or not.
  const isSecret = await pulumi.isSecret(noted);
  return found && { ...found, isSecret };
}

/** Each part of a failed Output is a rejection of its own. The caller gets that of `isSecret`; this one would be unhandled. */
function handleFailure(output: object): void {
  const isKnown: unknown = Reflect.get(output, "isKnown");
  if (isKnown instanceof Promise) isKnown.catch(() => undefined);
}
