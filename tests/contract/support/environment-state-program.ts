import type { Properties } from "../../../provider/src/framework/properties";
import type { Stage } from "../../support/stage";

/** A program of one EnvironmentState called `state`. */
export function program(environmentId: string, state: string, inputs: Properties = {}) {
  return { state: { type: "EnvironmentState", inputs: { environmentId, state, ...inputs } } } as const;
}

/** The actions that were sent since the last look. */
export function actions({ requests }: Stage): readonly string[] {
  return requests().flatMap((label) => (label.startsWith("POST /") ? [label.slice("POST /".length)] : []));
}
