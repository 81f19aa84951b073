import type { Resource } from "../core/resource";
import { envVar } from "./env-var";
import { envVarSet } from "./env-var-set";
import { environmentBranches } from "./environment-branches";

/** Every resource type, in the order of the reference. */
export const resources: readonly Resource[] = [envVarSet, envVar, environmentBranches];

/** The resource of a type name such as `EnvVarSet`. */
export function findResource(type: string): Resource {
  const found = resources.find((resource) => resource.type === type);
  if (found === undefined)
    throw new Error(
      `this version of pulumi-previewenv has no resource type ${JSON.stringify(type)}: install a newer one`,
    );
  return found;
}
