import { builds } from "./builds";
import { dangers } from "./dangers";
import type { Found } from "./found";
import { moves } from "./moves";
import { service } from "./service";

/** Every counterexample that was found, as small as it could be made. */
export const found: readonly Found[] = [...moves, ...service, ...builds, ...dangers];
