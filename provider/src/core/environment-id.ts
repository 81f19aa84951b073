import * as z from "zod";

/** The environment that a resource or function is about. The specification: identifiers are UUID strings, of any version. */
export const environmentIdField = z.guid().describe("The environment, by its UUID.");
