import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";
import { namesFound, type VariableStep } from "./steps";

/**
 * Notes the names that a `get` looks at: from now on, no resource of the run deletes them.
 * @throws RefusedError for names that a set before it deletes. Else a preview would find them, and the `up` and each later one would not.
 */
export function noteLook(ctx: Context, environmentId: string, looked: readonly string[]): void {
  const { names, droppedVariables } = ctx.environment(environmentId);
  names.noteLookedUp(looked);
  const dropped = looked.filter((name) => droppedVariables.has(name) && !names.isDeclared(name));
  if (dropped.length === 0) return;
  const [are, them, variables] = dropped.length === 1 ? ["is", "it", "variable"] : ["are", "them", "variables"];
  throw new RefusedError(
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(dropped)} ${are} looked at with \`get\`, and an EnvVarSet of the program ` +
      `deletes ${them}. Remove the \`get\`. Or keep the ${variables}: let the set depend on the \`get\` (option \`dependsOn\`), and not ` +
      `the \`get\` on the set. With \`prune\`, you can also add ${them} to \`keep\`.`,
  );
}

/** Says which variables leave state, and stay on the service because the program looks at them. */
export function lookedUpTexts(ctx: Context, environmentId: string, steps: readonly VariableStep[]): readonly string[] {
  const lookedUp = namesFound(steps, "lookedUp");
  if (lookedUp.length === 0) return [];
  const them = lookedUp.length === 1 ? "it" : "them";
  return [
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(lookedUp)} not deleted, because the program looks at ${them} with \`get\`. ` +
      `State forgets ${them}. What nobody needs, delete in the dashboard.`,
  ];
}
