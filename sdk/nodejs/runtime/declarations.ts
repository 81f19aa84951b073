import * as pulumi from "@pulumi/pulumi";
import {
  type Declarer,
  DuplicateDeclarations,
  type ReadInput,
} from "../../../provider/src/framework/duplicate-declarations";
import type { Exclusive } from "../../../provider/src/framework/resource-facts";
import { failProgram } from "./failure";
import type { Given } from "./inputs";
import { isLater, isStackReference, knownValue, resourcesOf } from "./outputs";
import { perRun } from "./program-run";
import { waitingSets } from "./waiting-sets";

const program = perRun(() => new DuplicateDeclarations());

/**
 * Notes what a resource declares, and refuses what another resource of the program declares already. Plain values are
 * compared at once. Outputs are compared when their values are known. What a preview does not know is not compared.
 * @throws pulumi.RunError when the conflict is seen at once; later it ends the program
 */
export function declare(exclusive: Exclusive, declarer: Declarer, args: Given): void {
  const telling: readonly string[] = exclusive.kind === "variables" ? ["environmentId", ...exclusive.names] : [];
  const read: ReadInput = (input, act) => {
    const value = args[input];
    if (!isLater(value)) return act(value);
    const reading = knownValue(value).then((known) => known && act(known.value, known.isSecret));
    // A failed Output that nobody reads is several unhandled rejections: this way it is one error without a stack.
    reading.catch(failProgram);
    const sources = resourcesOf(value);
    // A resource that this comes from may itself wait for what is declared.
    if (!telling.includes(input) || !sources.every(isStackReference)) return;
    const { reads, stackReads } = waitingSets();
    reads.add(reading);
    if (sources.length > 0) stackReads.add(reading);
  };
  program().add(declarer, exclusive, read, (conflict) => {
    throw new pulumi.RunError(conflict);
  });
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
