import * as z from "zod";

/** The environment that a resource or function is about. The specification: identifiers are UUID strings, of any version. */
export const environmentIdField = z.guid().describe("The environment, by its UUID.");

/** One key for one environment, however its id is spelled: a UUID is the same in capitals. */
export function environmentKey(environmentId: string): string {
  return environmentId.toLowerCase();
}
