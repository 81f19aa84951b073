import * as pulumi from "@pulumi/pulumi";
import { type Declarer, DuplicateDeclarations } from "../../../provider/src/framework/duplicate-declarations";
import type { Properties } from "../../../provider/src/framework/properties";
import type { Exclusive } from "../../../provider/src/framework/resource-facts";
import { failProgram } from "./program-failure";
import { isLater, knownValue, type Later } from "./outputs";
import { perRun } from "./program-run";

const declarations = perRun(() => new DuplicateDeclarations());

/**
 * Notes what a resource of the program declares, and refuses it when another one declares the same. Plain values are
 * compared at once. Outputs are compared when their values are known. A value that a preview does not know yet is not compared.
 * @throws pulumi.RunError when the conflict is seen at once. Later it ends the program
 */
export function declare(exclusive: Exclusive, declarer: Declarer, args: Properties): void {
  // Of this run: another one may begin while values are waited for.
  const ofProgram = declarations();
  const plain = Object.entries(args).filter(([, value]) => !isLater(value));
  const knownInputs: Record<string, unknown> = Object.fromEntries(plain);
  let isRefused = false;
  const compare = (): void => {
    const conflict = isRefused ? undefined : ofProgram.add(declarer, exclusive, knownInputs);
    if (conflict === undefined) return;
    isRefused = true;
    throw new pulumi.RunError(conflict);
  };
  compare();
  const compareWith = async (input: string, value: Later<unknown>): Promise<void> => {
    const later = await knownValue(value);
    if (later === undefined) return;
    knownInputs[input] = later.value;
    compare();
  };
  // A failed Output that nobody reads is several unhandled rejections: this way it is one error without a stack.
  for (const [input, value] of Object.entries(args)) if (isLater(value)) compareWith(input, value).catch(failProgram);
}
