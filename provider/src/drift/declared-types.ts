import * as z from "zod";
import { resources } from "../resources";

/** Whether a resource of this type is one variable: it leaves state as soon as the variable does. */
export function isSingleVariable(type: string): boolean {
  return resources.some(
    ({ type: own, exclusive, inputs }) =>
      own === type &&
      exclusive?.kind === "variables" &&
      exclusive.names.some((name) => inputs.shape[name] instanceof z.ZodString),
  );
}

/** Whether a resource of this type deploys branches, and so has builds. */
export function deploysBranches(type: string): boolean {
  return resources.some(({ type: own, exclusive }) => own === type && exclusive?.kind === "branches");
}
