import * as pulumi from "@pulumi/pulumi";
import type * as Declarations from "../../../provider/src/framework/duplicate-declarations";
import type { Exclusive } from "../../../provider/src/framework/resource-facts";
import { failProgram } from "./failing-program";
import type { Given } from "./inputs";
import { perRun } from "./program-run";
import { refuseUnserializable } from "./serializable";

const declarations = perRun(() => {
  // Loading the package stays cheap: nothing of the provider until a resource is made.
  const {
    DuplicateDeclarations,
  }: typeof Declarations = require("../../../provider/src/framework/duplicate-declarations");
  return new DuplicateDeclarations();
});

/**
 * Notes what a resource declares, and refuses what another resource of the program declares already. Plain values are
 * compared at once. Outputs are compared when their values are known: nothing waits for that, and no property depends on it.
 * What a preview does not know is not compared.
 * @throws pulumi.RunError when the conflict is seen at once; later it ends the program
 */
export function declare(exclusive: Exclusive, declarer: Declarations.Declarer, args: Given): void {
  const read: Declarations.ReadInput = (input, act) =>
    whenKnown(args[input], (known) => {
      refuseUnserializable(declarer.label, input, known);
      act(known);
    });
  declarations().add(declarer, exclusive, read, (conflict) => {
    throw new pulumi.RunError(conflict);
  });
}

/** Acts at once on a plain value, and later on that of an Output or Promise. */
function whenKnown(value: unknown, act: (known: unknown) => void): void {
  if (pulumi.Output.isInstance(value)) value.apply((known) => endProgramOn(() => act(known)));
  else if (value instanceof Promise) pulumi.output(value).apply((known) => endProgramOn(() => act(known)));
  else act(value);
}

/** A failed Output that nobody reads is several unhandled rejections: this way it is one error without a stack. */
function endProgramOn(action: () => void): void {
  try {
    action();
  } catch (error) {
    failProgram(error);
  }
}
