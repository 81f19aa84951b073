import * as pulumi from "@pulumi/pulumi";
import { type Declarer, DuplicateDeclarations } from "../../../provider/src/framework/duplicate-declarations";
import type { Exclusive } from "../../../provider/src/framework/resource-facts";
import { failProgram } from "./failure";
import type { Given } from "./inputs";
import { isLater, isStackReference, knownValue, type Later, resourcesOf } from "./outputs";
import { perRun } from "./program-run";
import { waitingSets } from "./waiting-sets";

const program = perRun(() => new DuplicateDeclarations());

/**
 * Notes what a resource declares, and refuses what another resource of the program declares already. Plain values are
 * compared at once. Outputs are compared when their values are known. What a preview does not know is not compared.
 * @throws pulumi.RunError when the conflict is seen at once. Later it ends the program
 */
export function declare(exclusive: Exclusive, declarer: Declarer, args: Given): void {
  const plain = Object.entries(args).filter(([, value]) => !isLater(value));
  const knownInputs: Record<string, unknown> = Object.fromEntries(plain);
  const secretInputs = new Set<string>();
  let isRefused = false;
  const compare = (): void => {
    const [conflict] = isRefused ? [] : program().add(declarer, exclusive, knownInputs, secretInputs);
    if (conflict === undefined) return;
    isRefused = true;
    throw new pulumi.RunError(conflict);
  };
  compare();
  const compareWith = async (input: string, value: Later<unknown>): Promise<void> => {
    const later = await knownValue(value);
    if (later === undefined) return;
    knownInputs[input] = later.value;
    if (later.isSecret) secretInputs.add(input);
    compare();
  };
  for (const [input, value] of Object.entries(args)) {
    if (!isLater(value)) continue;
    const reading = compareWith(input, value);
    // A failed Output that nobody reads is several unhandled rejections: this way it is one error without a stack.
    reading.catch(failProgram);
    // The sets of the program wait for it. A resource that the value comes from may itself wait for the sets.
    if (exclusive.kind === "variables" && resourcesOf(value).every(isStackReference))
      void waitingSets().reads.add(reading);
  }
}

/**
 * The names of variables that other resources of the program declare of the environment of this one, sorted: what it loses to
 * them it does not delete. A secret when one of them comes from a secret. Known when the turn of the program is over and all else
 * is known that the names come from, but for outputs of other resources. `undefined` when no other resource declares
 * variables there. Never rejects.
 */
export async function declaredByOthers(
  declarer: Declarer,
  environmentId: unknown,
): Promise<pulumi.Input<readonly string[]> | undefined> {
  const [declarations, sets] = [program(), waitingSets()];
  // The resource whose input it is reports that it failed.
  const id = isLater(environmentId) ? (await knownValue(environmentId).catch(() => undefined))?.value : environmentId;
  await sets.afterTurn();
  if (typeof id !== "string") return undefined;
  const others = declarations.declaredByOthers(declarer, id);
  if (others === undefined) return undefined;
  await sets.turnOf(id.toLowerCase());
  return others.isSecret ? pulumi.secret(others.names) : others.names;
}
