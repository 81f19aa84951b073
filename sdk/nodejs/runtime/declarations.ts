import { type Declarer, DuplicateDeclarations } from "../../../provider/src/framework/duplicate-declarations";
import type { Properties } from "../../../provider/src/framework/properties";
import type { Exclusive } from "../../../provider/src/framework/resource-facts";
import { failProgram, programError } from "./program-failure";
import { isLater, knownValue, type Later } from "./outputs";
import { isMocked, perRun } from "./program-run";

/** By service: two services may have environments with the same id. */
const declarations = perRun(() => new Map<unknown, DuplicateDeclarations>());
const IN_UNIT_TEST = " In unit tests, call `setMocks` before each test: what earlier tests declared counts, too.";

/**
 * Notes what a resource of the program declares, and refuses it when another one declares the same. Plain values are
 * compared at once. Outputs are compared when their values are known. A value that a preview does not know yet is not compared, and
 * nothing is while the service is not known.
 * @throws pulumi.RunError when the conflict is seen at once. Later it ends the program
 */
export function declare(
  exclusive: Exclusive,
  declarer: Declarer,
  service: string | Later<string>,
  args: Properties,
): void {
  // Of this run: another one may begin while values are waited for.
  const ofProgram = declarations();
  const given = Object.entries({ ...args, service });
  const known = new Map<string, unknown>(given.filter(([, value]) => !isLater(value)));
  let isRefused = false;
  const compare = (): void => {
    if (isRefused || !known.has("service")) return;
    const { service: of, ...inputs } = Object.fromEntries(known);
    const ofService = ofProgram.get(of) ?? new DuplicateDeclarations();
    ofProgram.set(of, ofService);
    const conflict = ofService.add(declarer, exclusive, inputs);
    if (conflict === undefined) return;
    isRefused = true;
    throw programError(isMocked() ? conflict + IN_UNIT_TEST : conflict);
  };
  compare();
  const compareWith = async (input: string, value: Later<unknown>): Promise<void> => {
    const later = await knownValue(value);
    if (later === undefined) return;
    known.set(input, later.value);
    compare();
  };
  // A failed Output that nobody reads is several unhandled rejections: this way it is one error without a stack.
  for (const [input, value] of given) if (isLater(value)) compareWith(input, value).catch(failProgram);
}
