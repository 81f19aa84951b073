import type { Properties } from "../../provider/src/framework/properties";
import type { Operation, Stored } from "./engine-steps";

/** Who looks on. */
export interface Witness {
  /** The provider has been shown what the program declares of a resource. */
  checked(name: string): void;
  /** The provider has said what is to be done with a resource. */
  decided(name: string): void;
  /** An operation of a resource begins. */
  begins(name: string, operation: Operation, before: Stored | undefined): OperationWitness;
}

/** Who looks on at one operation. */
export interface OperationWitness {
  /** It ended, and this is stored. The engine encrypts an output when the input of the same place in `marked` is secret. */
  ended(after: Stored | undefined, marked: Properties): void;
  /** It failed, and state stays as it was. */
  failed(): void;
}

/** Nobody looks on. */
export const NOBODY: Witness = {
  checked: () => undefined,
  decided: () => undefined,
  begins: () => ({ ended: () => undefined, failed: () => undefined }),
};
