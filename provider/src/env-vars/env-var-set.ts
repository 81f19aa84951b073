import * as z from "zod";
import type { EnvironmentInRun } from "../run/environment-in-run";
import type { Context } from "../framework/context";
import type { CheckFailure } from "../framework/input-checks";
import { diffInputs, type PropertyChange } from "../framework/diff";
import { environmentIdField, fieldFacts, lineField } from "../framework/fields";
import { fitsIntoError } from "../framework/resource-errors";
import { GLOB_SYNTAX, globProblem } from "../framework/globs";
import { nameProblem } from "../framework/name-rules";
import { didYouMean } from "../command/did-you-mean";
import type { PlannedResource } from "../framework/preview-looks";
import { hasUnknown, isUnknown, pick, type Properties } from "../framework/properties";
import { defineResource, type Known } from "../framework/resource";
import { byName, listVariables, presentOrWarn } from "../environment/variables";
import { staysWhenDropped } from "../environment/dropped";
import { applySet } from "./apply-set";
import { onConflictField } from "./conflict";
import { deleteAllOf } from "./delete-variables";
import { importSet, readSelection, type Selection } from "./import";
import { noteLook } from "./get-looks";
import { EXISTING_IN_PROGRAMS } from "./placeholder";
import { hasWork, plan, type VariableStep } from "./steps";
import { variableWarnings } from "./variable-warnings";
import { mayEscapeNextUpdate, refreshVariable, unmanaged, warnOfMissing } from "./refreshed-variable";
import {
  MAPS,
  observedSchema,
  prunes,
  setShape,
  storedAndDeclared,
  storedVariables,
  toState,
} from "./env-var-set-state";
import { declaredScope, declaredScopes, isFromGet, isOwn, type Variable } from "./variable";

const EXISTING_VALUE = `To keep the service's value of a variable, declare ${EXISTING_IN_PROGRAMS}.`;

const inputs = z.strictObject({
  environmentId: environmentIdField,
  variables: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Visible variables (`hidden: false`): a map of names to values, such as `LOG_LEVEL` to `debug`. The service's dashboard shows " +
        "the values. If you remove a name, the next `up` deletes that variable on the service. " +
        EXISTING_VALUE,
    )
    .register(fieldFacts, { secretsGoInto: "secrets" }),
  secrets: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Hidden variables (`hidden: true`): a map of names to values. The service masks the values. If you remove a name, the next " +
        "`up` deletes that variable on the service. " +
        EXISTING_VALUE,
    )
    .register(fieldFacts, { secret: true }),
  services: z
    .array(lineField.min(1))
    .optional()
    .describe(
      "Services that see the variables of this set, such as `web`, in any order. Without any, every service sees them.",
    )
    .register(fieldFacts, { shownInMessages: true }),
  scopes: z
    .record(z.string(), z.array(lineField.min(1)))
    .optional()
    .describe(
      "Services that see single variables, if they differ from `services`: a map of names of variables to lists of services. An " +
        "empty list means every service. Declare each name in `variables` or `secrets`.",
    )
    .register(fieldFacts, { shownInMessages: true }),
  onConflict: onConflictField,
  prune: z
    .boolean()
    .default(false)
    .describe(
      "`true`: an update also deletes variables of the environment that this set does not declare. It deletes only those that a " +
        "refresh has seen. A create deletes nothing.",
    ),
  keep: z
    .array(lineField.min(1))
    .optional()
    .describe(
      "With `prune`: names of variables to keep, as globs (`SYSTEM_*`). Such a variable also stays if you remove it from the " +
        `program. ${GLOB_SYNTAX} A glob cannot begin with \`!\`.`,
    ),
  triggers: z
    .record(z.string(), z.string())
    .optional()
    .describe("If this map changes, the set writes its own values again."),
});

const state = inputs.extend({
  revision: z
    .string()
    .describe(
      "A text that changes when this set writes, deletes or takes over a variable that already matches, or when a refresh finds a " +
        "deletion, another scope or another visible value. Pass it to `rebuildOn` of an EnvironmentBranches. For a set from `get`, it " +
        "changes when a variable is added, deleted or changed. It reveals nothing about values.",
    ),
  observed: observedSchema
    .describe("Bookkeeping for drift: when the service last changed each variable.")
    .register(fieldFacts, { internal: true }),
});

const TOO_LARGE =
  "has more than 8 MiB together with `variables`: the engine could not store a set of this size when a write fails in part. " +
  "Declare several sets.";
const IMPORT_FORMAT = "<environmentId> or <environmentId>?names=A,B";
const inputNames = Object.keys(inputs.shape);
const inputsBesideMaps = inputNames.filter((name) => !MAPS.some((map) => map === name));

export const envVarSet = defineResource({
  type: "EnvVarSet",
  description:
    "Many environment variables of one environment, as one resource. A write sends one request for each batch of variables, and a " +
    "refresh sends one request. If you remove a name from `variables` or `secrets`, the next `up` deletes that variable on the " +
    "service. A destroy deletes its variables, except those with `existing()` or changed by somebody else. Only an update with " +
    "`prune` deletes others.",
  inputs,
  state,
  exclusive: { kind: "variables", nameInputs: MAPS, deletesOthers: "prune" },
  stateShape: setShape,
  alwaysStored: ["environmentId", "revision", "observed"],
  importFormat: IMPORT_FORMAT,
  importDescription:
    "The import adds all of the environment's own variables, or those that `names` lists (percent-encoded), but no inherited ones. " +
    "The id in state is `<environmentId>`. A hidden value is imported as `existing()`, and a warning names the variable. Declare the " +
    "real value, and the next `pulumi up` writes it. `services` becomes the most common list, or the first of several in " +
    "alphabetical order. `scopes` gets the other lists.",
  // Maps are always there, so that a diff names the variable that is deleted, also when it is the last one.
  check: (news, unknowns) => ({
    inputs: {
      ...news,
      variables: news.variables ?? {},
      secrets: news.secrets ?? {},
      services: declaredScope(news.services),
      scopes: declaredScopes(news.scopes ?? {}, unknowns.has("services") ? undefined : (news.services ?? [])),
    },
    failures: rules(news, unknowns),
  }),
  diff,

  owned(old) {
    if (isFromGet(old)) return [];
    return [...storedVariables(old).values()].flatMap((variable) => (isOwn(variable) ? [variable.name] : []));
  },

  apply: applySet,

  async read(ctx, id, old) {
    const answer = presentOrWarn(ctx, id, await listVariables(ctx, id));
    if (answer === undefined) return undefined;
    const stored = storedVariables(old);
    const shown = answer.variables.flatMap((listed) => {
      const variable = stored.get(listed.name);
      if (variable !== undefined && isOwn(variable)) return [refreshVariable(variable, listed)];
      return prunes(old, listed.name) ? [unmanaged(listed)] : [];
    });
    const list = byName(answer.variables);
    if (!isFromGet(old)) warnOfMissing(ctx, id, stored.values(), list);
    const revision = !isFromGet(old) && mayEscapeNextUpdate(stored.values(), shown) ? ctx.randomId() : old["revision"];
    return { id, state: toState({ ...pick(old, inputNames), environmentId: id }, shown, revision) };
  },

  // A revision of its own tells the state of this import from every other one.
  async import(ctx, id) {
    const found = await importSet(ctx, readSelection(id, IMPORT_FORMAT));
    return found && { ...found, state: { ...found.state, revision: ctx.randomId() } };
  },
  lookUp(ctx, id, given) {
    const selection = selected(id, given);
    noteLook(ctx, selection.environmentId, selection.names ?? []);
    return importSet(ctx, selection);
  },
  plannedOutputs: plannedRevision,
  previewCheck,

  async delete(ctx, id, old) {
    if (await staysWhenDropped(ctx, id, old)) return;
    const stored = [...storedVariables(old)].filter(([, variable]) => isOwn(variable));
    await deleteAllOf(ctx, id, new Map(stored));
  },
});

/** The steps of an update of a set, or of a create when there is no state. @throws UnreadableStateError */
function stepsOfSet(old: Properties, news: Properties, inRun: EnvironmentInRun | undefined): readonly VariableStep[] {
  return plan(storedAndDeclared(old, news, inRun), inRun?.names);
}

/** The revision stays when nothing has to be written or deleted: what is forgotten stays on the service. */
function plannedRevision(news: Properties, old?: Properties, inRun?: EnvironmentInRun): Properties {
  const { revision } = old ?? {};
  if (old === undefined || revision === undefined || hasUnknown(news)) return {};
  return stepsOfSet(old, news, inRun).every((step) => !hasWork(step) || step.action === "forget") ? { revision } : {};
}

function previewCheck(
  ctx: Context,
  { inputs: news, unknowns, state: old }: PlannedResource<Known<typeof inputs>>,
): Promise<readonly string[]> {
  const steps = stepsOfSet(old ?? {}, news, ctx.environment(news.environmentId ?? ""));
  return variableWarnings(ctx, { inputs: news, steps, unknowns, isCreate: old === undefined });
}

/** The variables that a program selects in a `get`: by the id, or by naming them. All of them when it does neither. */
function selected(id: string, given: Properties): Selection {
  const { environmentId, names: inId } = readSelection(id, IMPORT_FORMAT);
  const declared = [...storedVariables(given).keys()];
  return { environmentId, names: inId ?? (declared.length > 0 ? declared : undefined) };
}

function diff(old: Properties, news: Properties, inRun?: EnvironmentInRun): readonly PropertyChange[] {
  // A map that a preview does not know yet tells nothing about its names.
  const unknown = MAPS.filter((map) => isUnknown(news[map]));
  const isTold = (map: string | undefined): boolean => !unknown.some((name) => name === map);
  const ofVariables = stepsOfSet(old, news, inRun)
    .flatMap(shownChanges)
    .filter(({ path: [map] }) => isTold(map));
  const ofMaps = unknown.map((map): PropertyChange => ({ path: [map], kind: "update" }));
  return [...diffInputs(old, news, inputsBesideMaps), ...ofMaps, ...ofVariables];
}

/** A change that no diff shows: state has a name that the program does not declare, and that stays on the service. */
const FORGOTTEN: PropertyChange = { path: ["__forgotten"], kind: "delete" };

/** The changes that a diff shows of a step. */
function shownChanges(step: VariableStep): readonly PropertyChange[] {
  const { declared, stored, facts } = step;
  if (!hasWork(step)) return [];
  if (declared === undefined) {
    if (stored === undefined) return [];
    // A preview does not show these as deleted: they stay on the service. The update that forgets them is due all the same.
    if (facts.inState === "imported" || facts.inState === "kept" || facts.found === "lookedUp") return [FORGOTTEN];
    return [{ path: pathOf(stored), kind: "delete" }];
  }
  const path = pathOf(declared);
  if (stored === undefined) return [{ path, kind: "add" }];
  const deleted = facts.inState === "deleted" && { deletedInRun: true };
  if (stored.hidden !== declared.hidden)
    return [
      { path: pathOf(stored), kind: "delete" },
      { path, kind: "add", ...deleted },
    ];
  const isSameValue = stored.value === declared.value;
  // The diff shows the input that changed: services, scopes or triggers.
  if (isOwn(stored) && isSameValue && !deleted) return [];
  return [{ path, kind: "update", ...deleted, mustReport: isSameValue }];
}

function pathOf({ hidden, name }: Pick<Variable, "hidden" | "name">): readonly string[] {
  return [hidden ? "secrets" : "variables", name];
}

function rules(news: Known<typeof inputs>, unknowns: ReadonlySet<string>): readonly CheckFailure[] {
  const { variables = {}, secrets = {}, scopes = {}, keep = [], prune } = news;
  const failures: CheckFailure[] = [];
  const refuse = (path: string, reason: string | undefined): void => {
    if (reason !== undefined) failures.push({ path, reason });
  };
  for (const [map, values] of Object.entries({ variables, secrets }))
    for (const name of Object.keys(values)) refuse(`${map}.${JSON.stringify(name)}`, nameProblem(name));
  for (const name of Object.keys(variables))
    if (Object.hasOwn(secrets, name)) refuse(`variables.${name}`, "is declared in `secrets` too");
  const all = Object.keys({ ...variables, ...secrets });
  const isWhole = !unknowns.has("variables") && !unknowns.has("secrets");
  for (const name of isWhole ? Object.keys(scopes) : [])
    if (!Object.hasOwn(variables, name) && !Object.hasOwn(secrets, name))
      refuse(`scopes.${name}`, `is not declared in \`variables\` or \`secrets\`.${didYouMean(name, all)}`);
  if (!fitsIntoError({ variables, secrets })) refuse("secrets", TOO_LARGE);
  for (const [index, glob] of keep.entries()) refuse(`keep.${index}`, globProblem(glob));
  if (keep.length > 0 && prune !== true && !unknowns.has("prune"))
    refuse("keep", "has no effect without `prune: true`");
  return failures;
}
