import * as z from "zod";
import type { CallOptions } from "../client/call";
import { MS_PER_SECOND } from "../client/clock";
import type { Environment, EnvironmentFilters } from "../client/environments";
import { NotFoundError } from "../client/errors";
import { aliveEnvironments } from "../environment/existence";
import type { CheckFailure } from "../framework/input-checks";
import { environmentIdField } from "../framework/fields";
import { environmentAnswer, filterFields } from "./environment-fields";
import { defineFunction, type FunctionContext } from "../framework/function";
import { RefusedError } from "../framework/resource-errors";
import { POLL_CALL, Wait, type WaitLimit } from "../environment/wait";
import { allMatches, ambiguityText, deletedHint, describeFilters, NO_MATCH_ADVICE, suggestion } from "./matches";

const inputs = z.strictObject({
  id: environmentIdField.optional().describe("UUID of the environment. Do not combine it with filters."),
  ...filterFields,
  waitSeconds: z
    .number()
    .min(0)
    .default(0)
    .describe("How many seconds to wait for the environment, because the service may still be creating it."),
});

type Inputs = z.output<typeof inputs>;

/** Finds exactly one environment. */
export const getEnvironment = defineFunction({
  name: "getEnvironment",
  description:
    "Finds exactly one environment, by its id or by filters. Filters about a repository (`orgName`, `repoName`, `branch`, " +
    "`pullRequestNumber`) must all match the same repository. If no environment matches, or more than one, the function fails.",
  inputs,
  outputs: environmentAnswer,
  rules,

  async invoke(context, { id, waitSeconds, ...filters }) {
    const environment =
      id === undefined ? await find(context, filters, waitSeconds) : await get(context, id, waitSeconds);
    return environmentAnswer.parse(environment);
  },
});

function rules(input: Inputs): readonly CheckFailure[] {
  const { id } = input;
  const given = Object.keys(filterFields).filter((name) => Object.hasOwn(input, name));
  const names = Object.keys(filterFields).join(", ");
  if (id === undefined && given.length === 0)
    return [{ path: "", reason: `give \`id\` or at least one filter (${names})` }];
  if (id !== undefined && given.length > 0)
    return [{ path: "id", reason: `cannot be combined with filters: leave it out, or leave out ${given.join(", ")}` }];
  return [];
}

async function get(context: FunctionContext, id: string, waitSeconds: number): Promise<Environment> {
  const { client } = context;
  let missing: NotFoundError | undefined;
  const wait = new Wait(context, limitOf(waitSeconds));
  wait.what = `waiting for environment ${client.titleOf(id)}`;
  do {
    const read = client.environments.get(id, callOf(context, waitSeconds)).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      missing = error;
      return undefined;
    });
    const environment = waitSeconds === 0 ? await read : await wait.poll(read);
    if (environment !== undefined) return environment;
  } while (await wait.pause());
  if (missing !== undefined && wait.lastFailure === "") {
    // Whether this 404 counts. Which environments there are does not matter: it says that this one is gone.
    await aliveEnvironments(context, missing);
    throw missing;
  }
  throw new RefusedError(
    `getEnvironment: environment ${client.titleOf(id)} was not found${within(waitSeconds)}.${wait.lastFailure}`,
  );
}

async function find(context: FunctionContext, filters: EnvironmentFilters, waitSeconds: number): Promise<Environment> {
  const asked = describeFilters(context, filters);
  const wait = new Wait(context, limitOf(waitSeconds));
  wait.what = `waiting for an environment that matches ${asked}`;
  let hasLookedForDeleted = waitSeconds === 0;
  do {
    const read = allMatches(context, filters, callOf(context, waitSeconds));
    const matching = waitSeconds === 0 ? await read : await wait.poll(read);
    if (matching !== undefined && matching.length > 1)
      throw new RefusedError(`getEnvironment: ${ambiguityText(context, filters, matching)}`);
    const environment = matching?.[0];
    if (environment !== undefined) return environment;
    if (matching !== undefined && !hasLookedForDeleted) {
      hasLookedForDeleted = true;
      // The wait goes on: a pull request that was opened again may get this environment back.
      const deleted = await deletedHint(context, filters);
      if (deleted !== "")
        context.log.info(`getEnvironment: waiting for an environment that matches ${asked}.${deleted}`);
    }
  } while (await wait.pause());
  const { lastFailure } = wait;
  const deleted = lastFailure === "" ? await deletedHint(context, filters) : "";
  const hint = deleted || adviceAfter(waitSeconds) + (lastFailure || (await suggestion(context, filters)));
  throw new RefusedError(`getEnvironment: no environment matched ${asked}${within(waitSeconds)}.${hint}`);
}

function limitOf(waitSeconds: number): WaitLimit {
  return { timeoutMs: waitSeconds * MS_PER_SECOND, timeoutName: "waitSeconds" };
}

function callOf({ signal }: FunctionContext, waitSeconds: number): CallOptions {
  return { signal, ...(waitSeconds > 0 && POLL_CALL) };
}

function adviceAfter(waitSeconds: number): string {
  const set = waitSeconds > 0 ? "raise" : "set";
  return ` ${NO_MATCH_ADVICE} If the service is still creating the environment, ${set} \`waitSeconds\`. If it is gone for good, remove it from the program.`;
}

function within(waitSeconds: number): string {
  return waitSeconds > 0 ? ` within ${waitSeconds} s` : "";
}
