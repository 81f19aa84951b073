import type { Environment } from "../client";
import type { EnvironmentFilters } from "../client/environments";
import { RefusedError } from "../framework/partial-failure";
import type { FunctionContext } from "../framework/function";
import { allMatches, describeFilters, listEnvironments, suggestion } from "../functions/matches";
import type { Wanted } from "./arguments";

/** Finds the one environment that is meant. @throws RefusedError when no environment matches the filters, or several do. */
export async function findEnvironment(context: FunctionContext, wanted: Wanted): Promise<Environment> {
  const { client, signal } = context;
  return "id" in wanted ? client.environments.get(wanted.id, { signal }) : onlyMatch(context, wanted.filters);
}

async function onlyMatch(context: FunctionContext, filters: EnvironmentFilters): Promise<Environment> {
  const [environment, ...others] = await allMatches(context, filters);
  const asked = describeFilters(filters);
  if (environment === undefined)
    throw new RefusedError(
      `No environment matches ${asked}. Check the filters, and that the token belongs to the organization.` +
        (await suggestion(context, filters)),
    );
  if (others.length === 0) return environment;
  const all = [environment, ...others];
  throw new RefusedError(
    `${all.length} environments match ${asked}:\n${listEnvironments(all)}\nGive more filters, or the id.`,
  );
}
