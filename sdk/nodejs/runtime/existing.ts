import { EXISTING } from "../../../provider/src/env-vars/placeholder";

/**
 * Leaves the value of a variable to the service, in `variables` or `secrets` of an EnvVarSet, or as `value` of an
 * EnvVar. The variable must exist. It keeps its value, no change of that value is drift, and nothing deletes it. The
 * provider never writes a hidden variable, so you cannot change its visibility or services. It writes a visible variable
 * only if you change these, with the value that it has.
 * @returns the text `previewenv:existing:v1`, which programs in other languages write themselves
 */
export function existing(): string {
  return EXISTING;
}
