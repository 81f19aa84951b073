import { EXISTING } from "../../../provider/src/framework/existing-text";

/**
 * Leaves the value of a variable to the service, in `variables` or `secrets` of an EnvVarSet, or as `value` of an
 * EnvVar. The variable must exist. It keeps its value, no change of that value is drift, and the resource never deletes it. If it is
 * hidden, the provider never writes it, so you cannot change its visibility or scope. If it is visible, the provider
 * writes it only if these differ, with the value that it has.
 * @returns the text `previewenv:existing:v1`, which programs in other languages write themselves
 */
export function existing(): string {
  return EXISTING;
}
