import type { EnvVar } from "../client/env-vars";
import { lookAtVariables, deletedWarnings } from "../environment/preview";
import type { PreviewContext } from "../framework/preview";
import { isUnknown } from "../framework/properties";
import {
  blockedIn,
  compare,
  conflictText,
  guardedIn,
  type OnConflict,
  reasonsIn,
  takeOverWarnings,
} from "./comparison";
import { addedIn, isComparison, type Step } from "./plan";
import { failureText } from "./report";
import type { Result } from "./result";
import type { Variable } from "./variable";
import { byName } from "../environment/variables";

/** What a resource is going to do with the variables of an environment, as far as a preview knows. */
export interface PlannedVariables {
  readonly environmentId: string;
  readonly onConflict: OnConflict | undefined;
  readonly steps: readonly Step[];
  /** Inputs that are not known yet. Of these nothing is compared. */
  readonly unknowns: ReadonlySet<string>;
  readonly isCreate: boolean;
}

/**
 * What an `up` would stumble over, as warnings: names that exist with something else, values that are left to the service and
 * are not there. One GET of the environment's variables for all resources of a preview; none when no name is new.
 * @throws MissingError when the environment is gone
 */
export async function previewVariables(ctx: PreviewContext, planned: PlannedVariables): Promise<readonly string[]> {
  const { environmentId, onConflict, steps, unknowns, isCreate } = planned;
  const blocked = blockedIn(steps);
  const mayAdd = isCreate && MAPS.some((input) => unknowns.has(input));
  if (addedIn(steps).length === 0 && !steps.some(isComparison) && !mayAdd)
    return failureWarnings(ctx, environmentId, blocked);
  const found = await lookAtVariables(ctx, environmentId);
  if (found === "deleted")
    return [...failureWarnings(ctx, environmentId, blocked), ...deletedWarnings(ctx, environmentId)];
  const listed = byName(found.variables);
  const likely = steps.map((step) =>
    step.wanted === undefined ? step : { ...step, wanted: asFarAsKnown(step.wanted, listed.get(step.name), unknowns) },
  );
  const guarded = guardedIn(likely, onConflict ?? "overwrite");
  const comparison = compare(likely, guarded, listed, ctx.environment(environmentId).variables);
  const { conflicts } = comparison;
  return [
    ...(conflicts.size > 0 ? [conflictText(ctx, environmentId, conflicts, "preview")] : []),
    ...takeOverWarnings(ctx, environmentId, comparison),
    ...failureWarnings(ctx, environmentId, [...blocked, ...comparison.decided]),
  ];
}

const MAPS = ["variables", "secrets"];
const SCOPES = ["services", "scopes"];

/** The variable as it may turn out to be: what is not known yet may be what is there. */
function asFarAsKnown(variable: Variable, item: EnvVar | undefined, unknowns: ReadonlySet<string>): Variable {
  if (item === undefined) return variable;
  const { value, services, hidden } = item;
  const hasUnknownScope = SCOPES.some((input) => unknowns.has(input)) || variable.services.some(isUnknown);
  return {
    ...variable,
    ...((isUnknown(variable.value) || unknowns.has("value")) && { value }),
    ...(hasUnknownScope && { services }),
    ...(unknowns.has("hidden") && { hidden, value }),
  };
}

function failureWarnings(
  ctx: PreviewContext,
  environmentId: string,
  results: Iterable<readonly [string, Result]>,
): readonly string[] {
  const failed = reasonsIn(results);
  return failed.size === 0
    ? []
    : [failureText(`environment ${ctx.client.titleOf(environmentId)}: \`pulumi up\` fails`, failed)];
}
