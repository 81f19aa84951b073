import type { PreviewenvFunction } from "./function";
import { getEnvironment } from "./get-environment";

/** Every function, in the order of the reference. */
export const functions: readonly PreviewenvFunction[] = [getEnvironment];
