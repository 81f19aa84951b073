import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import { variablesForPreview } from "../environment/preview-reads";
import type { Context } from "../framework/context";
import { hasUnknown, isUnknown, type Properties } from "../framework/properties";
import { conflictText, type OnConflict, overwriteWarnings } from "./conflict";
import { MAPS } from "./env-var-set-state";
import { isOwn, type Variable } from "./variable";
import { keptTexts, lookedUpTexts, prunedLaterTexts } from "./staying-variables";
import { failureText } from "./results";
import { decideWrites, namesFound, needsList, type VariableStep, whyOf } from "./steps";

/** The plan of a resource for the variables of an environment, as far as a preview knows. */
interface PlannedVariables {
  readonly inputs: Properties & {
    readonly environmentId?: string | undefined;
    readonly onConflict?: OnConflict | undefined;
  };
  readonly steps: readonly VariableStep[];
  /** Inputs that are not known yet. Of these nothing is compared. */
  readonly unknowns: ReadonlySet<string>;
  readonly isCreate: boolean;
}

/**
 * Warnings of what an `up` would stumble over: names that exist with something else, values that are left to the service and
 * are not there. One GET of the environment's variables for all resources of a preview. No GET when no name is new, and no `existing()`
 * is changed.
 * @throws RefusedError when the environment is gone
 */
export async function variableWarnings(ctx: Context, planned: PlannedVariables): Promise<readonly string[]> {
  const { inputs, steps, unknowns, isCreate } = planned;
  const { environmentId = "", onConflict = "overwrite" } = inputs;
  const mayAdd = isCreate && MAPS.some((input) => unknowns.has(input));
  // Also with "overwrite", when the `up` reads no list: the answer tells whether the environment is gone or deleted.
  const needsRead = mayAdd || needsList(steps, "fail");
  const answer = needsRead ? await variablesForPreview(ctx, environmentId) : undefined;
  if (answer === "deleted")
    return [
      `environment ${ctx.client.titleOf(environmentId)} is deleted: \`pulumi up\` fails unless an EnvironmentState of this program starts it ` +
        "before, or somebody revives it in the dashboard.",
    ];
  const list = answer?.variables;
  const likely = steps.map((step) =>
    step.declared === undefined
      ? step
      : { ...step, declared: asFarAsKnown(step.declared, list?.get(step.name), unknowns) },
  );
  const decided = decideWrites(likely, onConflict, list, ctx.environment(environmentId).names);
  const [conflicts, refused] = [whyOf(decided, "conflict"), whyOf(decided, "refuse")];
  return [
    ...(unknowns.has("value") || unknowns.has("hidden") ? [] : emptyTexts(ctx, environmentId, steps)),
    // A map that is not known yet may still declare them.
    ...(MAPS.some((map) => unknowns.has(map))
      ? []
      : [
          ...keptTexts(ctx, environmentId, steps),
          ...lookedUpTexts(ctx, environmentId, steps),
          // A glob that is not known yet may match them.
          ...(unknowns.has("keep") || hasUnknown(inputs["keep"])
            ? []
            : prunedLaterTexts(ctx, environmentId, steps, inputs)),
        ]),
    ...(conflicts.size > 0 ? [conflictText(ctx, environmentId, conflicts, "preview")] : []),
    ...overwriteWarnings(ctx, environmentId, namesFound(decided, "masked")),
    ...(refused.size > 0
      ? [failureText(`environment ${ctx.client.titleOf(environmentId)}: \`pulumi up\` fails`, refused)]
      : []),
  ];
}

/**
 * Says which values become empty: a CI job without a variable mostly has an empty text in its place, and a mask hides that. Pulumi draws a
 * visible one like a variable that is deleted.
 */
function emptyTexts(ctx: Context, environmentId: string, steps: readonly VariableStep[]): readonly string[] {
  const { names } = ctx.environment(environmentId);
  const empty = steps.flatMap(({ name, declared, stored }) => {
    if (declared?.value !== "") return [];
    // Of a name that moves here from another resource, nobody knows the value.
    const isNew = stored === undefined && declared.hidden && !names.isSeen(name);
    return isNew || (stored !== undefined && isOwn(stored) && stored.value !== "") ? [name] : [];
  });
  if (empty.length === 0) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)}: the value becomes an empty text: ${nameList(empty)}. If it comes from a variable of ` +
      "the CI job, check that the job has it.",
  ];
}

const SCOPES = ["services", "scopes"];

/** The variable as it may turn out to be: what is not known yet may be what is there. */
function asFarAsKnown(variable: Variable, listed: EnvVar | undefined, unknowns: ReadonlySet<string>): Variable {
  if (listed === undefined) return variable;
  const { value, services, hidden } = listed;
  const hasUnknownScope = SCOPES.some((input) => unknowns.has(input)) || variable.services.some(isUnknown);
  return {
    ...variable,
    ...((isUnknown(variable.value) || unknowns.has("value")) && { value }),
    ...(hasUnknownScope && { services }),
    ...(unknowns.has("hidden") && { hidden, value }),
  };
}
