import { forEachConcurrently } from "../client/concurrency";
import { nameList } from "../client/error-text";
import { NotFoundError, PreviewenvError, ResponseShapeError, SkippedError } from "../client/errors";
import { listVariables, readShared, presentOrWarn } from "../environment/variables";
import type { Context } from "../framework/context";
import type { OwnedNames } from "../run/owned-names";
import { isRemoval } from "./plan";
import type { JobOutcome, VariablesJob, Result } from "./variables-job";
import { isWrittenSince, type StoredVariable } from "./variable";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

/**
 * Deletes variables. The client bounds how many at once. It deletes only what this stack has seen: what somebody has written since
 * stays, and a warning names it.
 */
export async function deleteVariables(job: VariablesJob, { steps, results }: JobOutcome): Promise<void> {
  const { ctx, environmentId, operation } = job;
  const removed = steps.filter(isRemoval).map(({ stored }) => stored);
  const environment = ctx.environment(environmentId);
  const { variables } = environment;
  for (const { name } of removed)
    if (variables.mustStay(name, operation)) results.set(name, whyNotDeleted(variables, name));
  await compareWithList(job, results, removed);
  const due = removed.filter(({ name }) => !results.has(name));
  const unclear = new Map<string, string>();
  await forEachConcurrently(due, AT_ONCE, async ({ name }) => {
    environment.haveVariablesChanged = true;
    try {
      // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
      const shouldSend = (): boolean => variables.claimDelete(name, operation);
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal, shouldSend });
      results.set(name, { outcome: "deleted" });
    } catch (error) {
      if (error instanceof SkippedError) results.set(name, whyNotDeleted(variables, name));
      else if (error instanceof NotFoundError || error instanceof ResponseShapeError) unclear.set(name, error.message);
      else if (error instanceof PreviewenvError) results.set(name, { outcome: "failed", reason: error.message });
      else throw error;
    }
  });
  if (unclear.size > 0) for (const [name, result] of await lookAgain(job, unclear)) results.set(name, result);
  sayWhatStays(job, results, removed);
}

/** Another resource has the name, or is going to write it. */
function whyNotDeleted(variables: OwnedNames, name: string): Result {
  if (variables.resultOf(name) === "taken") return { outcome: "owned by another" };
  variables.handOver([name]);
  return { outcome: "declared by another" };
}

/**
 * Finds what needs no DELETE: what is not there any more, and what somebody has written since this stack last saw it. One read that all
 * resources of the run share. None when others want all of them.
 */
async function compareWithList(
  { ctx, environmentId, operation }: VariablesJob,
  results: JobOutcome["results"],
  removed: readonly StoredVariable[],
): Promise<void> {
  const candidates = removed.filter(({ name }) => !results.has(name));
  if (candidates.length === 0) return;
  try {
    const read = await readShared(
      ctx,
      environmentId,
      operation === "delete" ? "variableCacheForDeletes" : "variableCache",
    );
    const listed = presentOrWarn(ctx, environmentId, read);
    for (const variable of candidates) {
      const { kind, name } = variable;
      const there = listed?.get(name);
      if (there === undefined) results.set(name, { outcome: "deleted" });
      else if (isWrittenSince(variable, there)) results.set(name, { outcome: "written since" });
      // Its new owner may have taken it over without a write, or in another process.
      else if (operation === "delete" && kind === "handedOver") results.set(name, { outcome: "declared by another" });
    }
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    for (const { name } of candidates) results.set(name, { outcome: "failed", reason: error.message });
  }
}

/** What became of names whose DELETE had an answer that may not be the service's, with the answer as the text for each. */
async function lookAgain(
  { ctx, environmentId }: VariablesJob,
  unclear: ReadonlyMap<string, string>,
): Promise<readonly (readonly [string, Result])[]> {
  const listed = await namesOrError(ctx, environmentId);
  return [...unclear].map(([name, answer]) => {
    if (typeof listed === "string") return [name, { outcome: "failed", reason: `${answer} ${listed}` }];
    return [
      name,
      listed.has(name)
        ? { outcome: "failed", reason: `${answer} The variable is still there.` }
        : { outcome: "deleted" },
    ];
  });
}

/** Names of the variables that are there now, or why they could not be read. */
async function namesOrError(ctx: Context, environmentId: string): Promise<ReadonlySet<string> | string> {
  try {
    const read = await listVariables(ctx, environmentId);
    return new Set(typeof read === "string" ? [] : read.variables.map(({ name }) => name));
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return `The list of variables could not be read to see whether it is gone: ${error.message}`;
  }
}

/** Says what was not deleted, and why. */
function sayWhatStays(
  { ctx, environmentId, operation }: VariablesJob,
  results: JobOutcome["results"],
  removed: readonly StoredVariable[],
): void {
  const place = `environment ${ctx.client.titleOf(environmentId)}`;
  // What an earlier run has given away is no news.
  const own = removed.filter(({ kind }) => kind !== "handedOver");
  const namesOf = (...outcomes: readonly (Result["outcome"] | undefined)[]): readonly string[] =>
    own.flatMap(({ name }) => (outcomes.includes(results.get(name)?.outcome) ? [name] : []));
  const left = namesOf("owned by another", "declared by another");
  if (left.length > 0)
    ctx.log.info(`${place}: ${nameList(left)} not deleted, because another resource of the program declares this now`);
  const written = namesOf("written since");
  if (written.length === 0) return;
  const [it, was] = written.length === 1 ? ["it", "it was"] : ["them", "they were"];
  const advice =
    operation === "delete"
      ? `If nobody needs ${it}, delete ${it} in the dashboard. (The same command with \`--refresh\` would have deleted ${it}.)`
      : `To delete ${it}, run \`pulumi up --refresh\`. To keep ${it}, declare \`existing()\` as the value for one \`pulumi up\`.`;
  ctx.log.warn(
    `${place}: ${nameList(written)} not deleted, because ${was} written by somebody else since this stack last saw ${it}. ${advice}`,
  );
}
