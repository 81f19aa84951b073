import * as z from "zod";
import { ONE_LINE } from "../client/names";

/** The environment that a resource or function is about. */
export const environmentIdField = z.guid().describe("The environment, by its UUID.");

/** @see ONE_LINE */
export const lineField = z.string().regex(ONE_LINE);
