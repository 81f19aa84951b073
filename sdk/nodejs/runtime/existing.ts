import type * as Source from "../../../provider/src/env-vars/placeholder";

/**
 * A value for `variables` and `secrets` of an EnvVarSet, and for `value` of an EnvVar: the variable must exist, and keeps whatever
 * value the service has. No drift of that value is shown, and nothing deletes the variable. A hidden one is never written, so that
 * its visibility and services cannot be changed; a visible one is sent with the value just read when these have to change.
 *
 * @returns the text `previewenv:existing:v1`, which programs in other languages write themselves
 */
export function existing(): string {
  // Loaded when it is called: a program that only declares resources loads nothing of the provider.
  const source: typeof Source = require("../../../provider/src/env-vars/placeholder");
  return source.EXISTING;
}
