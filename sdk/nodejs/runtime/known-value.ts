import * as pulumi from "@pulumi/pulumi";

/** The value of an Output; `undefined` when a preview does not know it. Rejects when the Output failed. */
export async function knownValue<T>(output: pulumi.Output<T>): Promise<{ readonly value: T } | undefined> {
  let found: { readonly value: T } | undefined;
  const noted = output.apply((value) => {
    found = { value };
  });
  // The only part of an Output that can be awaited whether it is known or not.
  await pulumi.isSecret(noted);
  return found;
}
