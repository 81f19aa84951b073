// A program loads this file: it imports nothing.

/** Inputs of which nothing is sent: what counts is that they change. */
const ONLY_COMPARED = /^(?:rebuildOn|triggers)\b/u;

/**
 * Why a resource is refused in the place of one of its outputs. This follows the resource's path. Pulumi would pass the id or the URN of
 * the resource instead, which never change, and are not what the program means.
 */
export function resourceAsValue(path: string): string {
  return `is a resource. Pass ${ONLY_COMPARED.test(path) ? "its `revision`, or another" : "one"} of its outputs`;
}
