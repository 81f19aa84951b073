import { nameList } from "../client/error-text";
import { see } from "../client/troubleshooting";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { prunes } from "./env-var-set-state";
import { namesFound, type VariableStep } from "./steps";

// For people: the variables that a resource does not declare any more, and that stay on the service.

/** Says which variables leave state, and stay on the service because of `keep`. */
export function keptTexts(ctx: Context, environmentId: string, steps: readonly VariableStep[]): readonly string[] {
  const names = steps.flatMap(({ name, facts: { inState } }) => (inState === "kept" ? [name] : []));
  if (names.length === 0) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)}: not deleted, because \`keep\` matches: ${nameList(names)}`,
  ];
}

/** Says which variables leave state, and stay on the service because the program looks at them. */
export function lookedUpTexts(ctx: Context, environmentId: string, steps: readonly VariableStep[]): readonly string[] {
  const lookedUp = namesFound(steps, "lookedUp");
  if (lookedUp.length === 0) return [];
  const them = lookedUp.length === 1 ? "it" : "them";
  return [
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(lookedUp)} not deleted, because the program looks at ${them} with \`get\`. ` +
      `State forgets ${them}, unless another resource declares ${them}. What nobody needs, delete in the dashboard.`,
  ];
}

/** Why a variable stays on the service at first, although its set prunes, by what state has of it. The text goes on with `it` or `them`. */
const LEFT_AT_FIRST = [
  ["existing", "the program declared `existing()` for"],
  ["imported", "this run has only imported"],
] as const;

/** Says which variables leave state, and stay on the service until a later update with `prune` deletes them. It never deletes what a `get` names. */
export function prunedLaterTexts(
  ctx: Context,
  environmentId: string,
  steps: readonly VariableStep[],
  inputs: Properties,
): readonly string[] {
  const { names } = ctx.environment(environmentId);
  const pruned = steps.filter(({ name }) => prunes(inputs, name) && !names.isLookedUp(name));
  return LEFT_AT_FIRST.flatMap(([inState, reason]) => {
    const left = pruned.flatMap(({ name, facts }) => (facts.inState === inState ? [name] : []));
    if (left.length === 0) return [];
    const them = left.length === 1 ? "it" : "them";
    return [
      `environment ${ctx.client.titleOf(environmentId)}: ${nameList(left)} not deleted yet, because ${reason} ${them}. State forgets ${them}, and ` +
        `\`prune\` ${deletesLater(them)}`,
    ];
  });
}

/** What `prune` does to variables that state forgets. */
function deletesLater(them: string): string {
  return `deletes ${them} after the next refresh, unless you declare ${them} or add ${them} to \`keep\`.`;
}

/** Says what was not deleted, and why. */
export function sayWhatStays(ctx: Context, environmentId: string, steps: readonly VariableStep[]): void {
  const place = `environment ${ctx.client.titleOf(environmentId)}`;
  const inUse = namesFound(steps, "inUse");
  if (inUse.length > 0)
    ctx.log.info(
      `${place}: not deleted, because another resource of the program, or the replacement of this one, declares it now: ${nameList(inUse)}`,
    );
  const changed = namesFound(steps, "changed");
  if (changed.length === 0) return;
  const [it, was] = changed.length === 1 ? ["it", "it was"] : ["them", "they were"];
  ctx.log.warn(
    `${place}: ${nameList(changed)} not deleted, because ${was} written since this stack last saw ${it}, by somebody else or by another ` +
      `resource. State forgets ${it}: if nobody needs ${it}, delete ${it} in the dashboard. A set with \`prune\` ${deletesLater(it)} ` +
      see("not-deleted"),
  );
}

/** The service may have stored the variable under another form of its name. That may also be somebody else's. */
export function sayWhatMayStay(ctx: Context, environmentId: string, steps: readonly VariableStep[]): void {
  const { names } = ctx.environment(environmentId);
  const others = steps
    .flatMap(({ facts: { found }, listed }) => (found === "alike" && listed ? [listed.name] : []))
    .filter((name) => !names.isInUse(name) && !names.isLookedUp(name));
  if (others.length === 0) return;
  const [it, name] = others.length === 1 ? ["it", "its name"] : ["them", "their names"];
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(others)} not deleted. This stack may have written ` +
      `${it} under another form of ${name}: then delete ${it} in the dashboard.`,
  );
}
