import { nameList } from "../client/error-text";
import type { Properties } from "../framework/properties";
import { known, unfinished } from "./set-state";

/**
 * Why a set is not whole: names that its last create or update did not write or delete. State names them; of a create by
 * an older version only what its inputs have and state lacks.
 */
export function incompleteSet(state: Properties, inputs: Properties = {}): readonly string[] {
  if (state["revision"] === undefined) return [];
  const held = known(state);
  const names = [...(unfinished(state)?.keys() ?? [...known(inputs).keys()].filter((name) => !held.has(name)))];
  if (names.length === 0) return [];
  return [
    `environment ${String(state["environmentId"])}: the last \`pulumi up\` did not write or delete ` +
      `${nameList(names)}; run \`pulumi up\` to finish.`,
  ];
}
