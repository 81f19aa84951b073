import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";

/**
 * Notes the names that a `get` looks at: from now on, no resource of the run deletes them. A warning names those that a set drops: if the set
 * comes before the `get`, the preview finds them, and the `up` and each later one does not.
 * @throws RefusedError for names that the run has deleted
 */
export function noteLook(ctx: Context, environmentId: string, looked: readonly string[]): void {
  const { names, droppedVariables } = ctx.environment(environmentId);
  names.noteLookedUp(looked);
  const deleted = looked.filter((name) => names.isDeleted(name));
  const place = `environment ${ctx.client.titleOf(environmentId)}`;
  if (deleted.length > 0)
    throw new RefusedError(
      `${place}: the program looks at variables with \`get\`, and has deleted them: ${adviceFor(deleted)}`,
    );
  const dropped = looked.filter((name) => droppedVariables.has(name) && !names.isDeclared(name));
  if (dropped.length > 0)
    ctx.log.warn(
      `${place}: the program looks at variables with \`get\` that an EnvVarSet drops. If the set comes first, it deletes them, and the ` +
        `\`get\` fails: ${adviceFor(dropped)}`,
    );
}

function adviceFor(names: readonly string[]): string {
  return (
    `${nameList(names)}. Remove the \`get\`. Or keep the variables: let the set depend on the \`get\` (option \`dependsOn\`), and not the ` +
    "`get` on the set. With `prune`, you can also add them to `keep`."
  );
}
