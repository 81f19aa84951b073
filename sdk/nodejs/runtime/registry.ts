import * as pulumi from "@pulumi/pulumi";
import type * as Exclusive from "../../../provider/src/framework/duplicate-declarations";
import { refuseUnserializable } from "./serializable";
import { type Given, isPlainMap } from "./inputs";
import { perRun } from "./program-run";

const runClaims = perRun(() => {
  // Loading the package stays cheap: nothing of the provider until a resource is made.
  const { DuplicateDeclarations }: typeof Exclusive = require("../../../provider/src/framework/duplicate-declarations");
  return new DuplicateDeclarations();
});

/**
 * Notes what a resource claims of its environment, and refuses what two resources of the program cannot both have. What
 * is known is compared at once; Outputs when their values are known, beside everything else: nothing waits for it, and no
 * property depends on it. What a preview does not know is not compared.
 * @throws pulumi.RunError when the conflict is seen at once; later it ends the program
 */
export function register(type: string, holder: Exclusive.Holder, args: Given): void {
  const { parts }: typeof Exclusive = require("../../../provider/src/framework/duplicate-declarations");
  const part = parts.get(type);
  if (part === undefined) return;
  const claims = runClaims();
  whenKnown(args["environmentId"], (environmentId) => {
    if (typeof environmentId !== "string") return;
    const environment = claims.of(environmentId);
    claimAll(part, args, holder, (claim) => {
      const conflict = environment.add(claim, holder);
      if (conflict !== undefined) throw new pulumi.RunError(conflict);
    });
  });
}

function claimAll(
  { always, single, maps = [], prune }: Exclusive.Part,
  args: Given,
  holder: Exclusive.Holder,
  claim: (one: Exclusive.Claim) => void,
): void {
  for (const one of always) claim(one);
  if (single !== undefined)
    whenKnown(args[single], (known) => {
      if (typeof known === "string") claim({ kind: "variable", name: known });
    });
  if (prune !== undefined)
    whenKnown(args[prune], (flag) => {
      if (flag === true) claim({ kind: "prune" });
    });
  for (const property of maps)
    whenKnown(args[property], (map) => {
      refuseUnserializable(holder.label, property, map);
      if (isPlainMap(map)) for (const name of Object.keys(map)) claim({ kind: "variable", name });
    });
}

/** Acts at once on a plain value, and later on that of an Output or Promise. */
function whenKnown(value: unknown, act: (known: unknown) => void): void {
  if (pulumi.Output.isInstance(value)) value.apply((known) => endProgramOn(() => act(known)));
  else if (value instanceof Promise) pulumi.output(value).apply((known) => endProgramOn(() => act(known)));
  else act(value);
}

/**
 * A failed Output that nobody reads is several unhandled rejections. One rejected promise is what the Pulumi runtime turns
 * into one error without a stack: the program goes on to its end, and has failed.
 */
function endProgramOn(action: () => void): void {
  try {
    action();
  } catch (error) {
    void Promise.reject(error);
  }
}
