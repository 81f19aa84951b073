import { RefusedError } from "./framework/resource-errors";
import type { Resource } from "./framework/resource";
import { envVar } from "./env-vars/env-var";
import { envVarSet } from "./env-vars/env-var-set";
import { environmentAction } from "./lifecycle/environment-action";
import { environmentBranches } from "./builds/environment-branches";
import { environmentState } from "./lifecycle/environment-state";
import { snapshotLoad } from "./lifecycle/snapshot-load";

/** Every resource type, in the order of the reference. */
export const resources: readonly Resource[] = [
  envVarSet,
  envVar,
  environmentBranches,
  environmentState,
  environmentAction,
  snapshotLoad,
];

/** The resource of a type name such as `EnvVarSet`. */
export function findResource(type: string): Resource {
  const found = resources.find((resource) => resource.type === type);
  if (found === undefined)
    throw new RefusedError(
      `this version of pulumi-previewenv has no resource type ${JSON.stringify(type)}: install a newer one`,
    );
  return found;
}
