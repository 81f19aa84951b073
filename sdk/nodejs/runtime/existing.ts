import { EXISTING } from "../../../provider/src/env-vars/placeholder";

/**
 * Leaves the value of a variable to the service, in `variables` or `secrets` of an EnvVarSet, or as `value` of an
 * EnvVar. The variable must exist. It keeps its value, no change of that value is drift, and nothing deletes it. A
 * hidden variable is never written, so its visibility and its services cannot be changed. A visible one is written
 * when these have to change, with the value that it has.
 * @returns the text `previewenv:existing:v1`, which programs in other languages write themselves
 */
export function existing(): string {
  return EXISTING;
}
