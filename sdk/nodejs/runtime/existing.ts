import type * as Source from "../../../provider/src/env-vars/placeholder";

/**
 * A value for `variables` and `secrets` of an EnvVarSet, and for `value` of an EnvVar: the variable must exist, and keeps whatever
 * value the service has. No drift of that value is shown, and nothing deletes the variable. A hidden one is never written, so that
 * its visibility and services cannot be changed; a visible one is sent with the value just read when these have to change.
 *
 * @returns the text `previewenv:existing:v1`, which programs in other languages write themselves
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug" },
 *   secrets: { SESSION_KEY: previewenv.existing() }, // must be there; its value is the service's
 * });
 * ```
 */
export function existing(): string {
  // Loaded when it is called: a program that only declares resources loads nothing of the provider.
  const source: typeof Source = require("../../../provider/src/env-vars/placeholder");
  return source.EXISTING;
}
