import * as z from "zod";
import type { EnvVar } from "../client/env-vars";
import { displayableName } from "../client/error-text";
import { CancelledError } from "../client/errors";
import type { CheckFailure } from "../framework/input-checks";
import type { Context } from "../framework/context";
import { diffInputs } from "../framework/diff";
import { environmentIdField, fieldFacts, lineField } from "../framework/fields";
import { IncompleteError } from "../framework/resource-errors";
import { hasUnknown, withoutNil, type Properties, StateShape, unreadableState } from "../framework/properties";
import { defineResource, type LiveResource, type Known } from "../framework/resource";
import { byName, readShared, presentOrWarn } from "../environment/variables";
import { isEnvironmentId } from "../client/text-rules";
import { nameProblem } from "../framework/name-rules";
import { changeVariables } from "./change-variables";
import { onConflictField } from "./conflict";
import { deleteAllOf } from "./delete-variables";
import { imported, readVariableId, splitVariableId, hiddenWarnings } from "./import";
import { noteLook } from "./get-looks";
import { EXISTING_IN_PROGRAMS } from "./placeholder";
import { recordAfter, whyNotDone } from "./results";
import { hasWork, plan, type StoredAndDeclared } from "./steps";
import { variableWarnings } from "./variable-warnings";
import { refreshVariable, warnOfMissing } from "./refreshed-variable";
import {
  declaredScope,
  isFromGet,
  isInOtherForm,
  isOwn,
  valueKindOf,
  type OwnVariable,
  scope,
  storedKindOf,
  type Variable,
} from "./variable";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  name: z.string().describe("Name of the variable, such as `LOG_LEVEL`.").register(fieldFacts, { replaces: true }),
  value: z
    .string()
    .describe(
      `Value of the variable. To keep the service's value, declare ${EXISTING_IN_PROGRAMS}: the variable must exist, and a destroy ` +
        "keeps it.",
    )
    .register(fieldFacts, { secretUnlessFalse: "hidden" }),
  hidden: z.boolean().default(true).describe("Whether the service masks the value."),
  services: z
    .array(lineField.min(1))
    .optional()
    .describe("Services that see the variable, such as `web`, in any order. Without any, every service sees it.")
    .register(fieldFacts, { shownInMessages: true }),
  onConflict: onConflictField,
});

const state = inputs.extend({
  variableId: z.string().optional().describe("The service's id of the variable."),
  createdAt: z
    .string()
    .optional()
    .describe("When the variable was created: `YYYY-MM-DDTHH:MM:SS`, without a time zone."),
  updatedAt: z
    .string()
    .optional()
    .describe("When the variable was last changed: `YYYY-MM-DDTHH:MM:SS`, without a time zone."),
  otherForm: z
    .boolean()
    .optional()
    .describe("Bookkeeping: whether the service stores the value in another form than was sent.")
    .register(fieldFacts, { internal: true }),
});

const IMPORT_FORMAT = "<environmentId>/<NAME>";

type Inputs = z.output<typeof inputs>;

const stateShape = new StateShape(
  "EnvVar",
  z.looseObject({
    environmentId: z.string().default(""),
    name: z.string().default(""),
    value: z.string().default(""),
    hidden: z.boolean().default(true),
    services: z.array(z.string()).default([]),
    updatedAt: z.string().default(""),
    variableId: z.string().optional(),
    createdAt: z.string().optional(),
    otherForm: z.boolean().optional(),
  }),
);

/** One variable of an environment. */
export const envVar = defineResource({
  type: "EnvVar",
  description:
    "One environment variable of one environment. If you remove or destroy the resource, Pulumi deletes the variable, unless it is " +
    "`existing()` or somebody else has changed it since. One request refreshes all EnvVars of an environment, but each EnvVar writes " +
    "with its own request. For many variables, use an EnvVarSet.",
  inputs,
  state,
  exclusive: { kind: "variables", nameInputs: ["name"], value: "value" },
  stateShape,
  alwaysStored: ["environmentId", "name", "value"],
  importFormat: IMPORT_FORMAT,
  importDescription:
    "`NAME` is one of the environment's own variables, not percent-encoded. A hidden value is imported as `existing()`, and a warning " +
    "names the variable. Declare the real value, and the next `pulumi up` writes it.",
  check: (news) => ({ inputs: { ...news, services: declaredScope(news.services) }, failures: rules(news) }),

  owned: (old) => (isFromGet(old) ? [] : [stateShape.parse(old).name]),

  diff(old, news, inRun) {
    const changes = diffInputs(old, news, Object.keys(inputs.shape));
    if (inRun?.names.isDeleted(stateShape.parse(news).name) !== true) return changes;
    const others = changes.filter(({ path: [name] }) => name !== "value");
    return [...others, { path: ["value"], kind: "update", deletedInRun: true, mustReport: true }];
  },

  apply,

  read: readVariable,
  import: findVariable,
  // Without `onConflict`: only the state of a resource that the program declares has it.
  lookUp(ctx, id, { onConflict: _onConflict, ...given }) {
    const { environmentId, name } = readVariableId(id, IMPORT_FORMAT);
    noteLook(ctx, environmentId, [name]);
    return Object.keys(given).length > 0 ? readVariable(ctx, id, given) : findVariable(ctx, id);
  },

  plannedOutputs(news, old, inRun) {
    // A write may find that somebody deleted the variable and made it anew: then even its id is another one.
    if (old === undefined || hasUnknown(news) || plan(storedAndDeclared(old, news), inRun?.names).some(hasWork))
      return {};
    const { variableId, createdAt, updatedAt, otherForm } = old;
    return { variableId, createdAt, updatedAt, otherForm };
  },

  previewCheck(ctx, { inputs: news, unknowns, state: old }) {
    const { environmentId = "", name } = news;
    if (name === undefined) return Promise.resolve([]);
    const steps = plan(storedAndDeclared(old, news), ctx.environment(environmentId).names);
    return variableWarnings(ctx, { inputs: news, steps, unknowns, isCreate: old === undefined });
  },

  async delete(ctx, id, old) {
    const { environmentId, name } = partsOf(id, old);
    await deleteAllOf(ctx, environmentId, new Map([[name, storedVariable({ ...old, name })]]));
  },
});

async function readVariable(ctx: Context, id: string, old: Properties): Promise<LiveResource | undefined> {
  const { environmentId, name } = partsOf(id, old);
  const list = presentOrWarn(ctx, environmentId, await readShared(ctx, environmentId));
  const stored = storedVariable({ ...old, name });
  if (list !== undefined && !isFromGet(old)) warnOfMissing(ctx, environmentId, [stored], list);
  const listed = list?.get(name);
  if (listed === undefined) return undefined;
  const variable = refreshVariable(stored, listed);
  const now = toState({ ...old, environmentId, name }, variable, listed);
  // The time of another value is no drift.
  const updatedAt = variable.updatedAt || undefined;
  return { id, state: stored.kind === "existing" ? withoutNil({ ...now, updatedAt }) : now };
}

async function findVariable(ctx: Context, id: string): Promise<LiveResource | undefined> {
  const { environmentId, name } = readVariableId(id, IMPORT_FORMAT);
  const list = await readShared(ctx, environmentId);
  const listed = typeof list === "string" ? undefined : list.get(name);
  if (listed === undefined) return undefined;
  const services = declaredScope(listed.services);
  const warnings = hiddenWarnings(ctx, environmentId, [listed]);
  return { id, state: toState({ environmentId, name, services }, imported(listed), listed), warnings };
}

/** The two parts of an id in state. @throws UnreadableStateError for another id */
function partsOf(id: string, old: Properties): { readonly environmentId: string; readonly name: string } {
  const { environmentId, name } = splitVariableId(id);
  if (name === "" || !isEnvironmentId(environmentId))
    throw unreadableState("EnvVar", `the id, which is not ${IMPORT_FORMAT},`, old);
  return { environmentId, name };
}

/** Its variable in state and in the program. An import forgets nothing: with another name, the engine replaces the resource. */
function storedAndDeclared(old: Properties | undefined, news: Properties): StoredAndDeclared {
  const stored = old === undefined ? [] : [storedVariable(old)];
  const declared = [declaredVariable(news)];
  return { stored: byName(stored), declared, isTriggered: false, isImported: false, kept: new Set() };
}

/** As for a set of one name. @throws whatever ended it, when state stays as it was */
async function apply(ctx: Context, input: Inputs, old?: Properties): Promise<LiveResource> {
  const { environmentId, name, onConflict } = input;
  const both = storedAndDeclared(old, input);
  const change = { environmentId, onConflict, isCreate: old === undefined, ...both };
  const { steps, endedBy } = await changeVariables(ctx, change);
  const [step] = steps;
  const result = step?.result;
  const record = step && recordAfter(step);
  const now = record !== undefined && isOwn(record) ? record : undefined;
  const listed = result?.outcome === "written" ? result.listed : step?.action === "take over" ? step.listed : undefined;
  // An answer does not have to list what it stored, and neither the id nor the time of the creation changes with a value.
  const { variableId, createdAt } = old ?? {};
  const stateNow = now && withoutNil({ variableId, createdAt, ...toState(input, now, listed) });
  const id = `${environmentId}/${name}`;
  const failure = whyNotDone(steps).get(name);
  if (stateNow !== undefined && failure === undefined) return { id, state: stateNow };
  const subject = `variable ${displayableName(name)} of environment ${ctx.client.titleOf(environmentId)}`;
  const text = `${subject}: ${failure ?? "it was not written"}`;
  const error = endedBy instanceof CancelledError ? endedBy : new IncompleteError(text);
  if (stateNow === undefined || now?.kind === "undeclared" || now === both.stored.get(name)) throw error;
  // The next `up` refuses again what is refused.
  const isDue = now?.kind === "placeholder" && result?.outcome !== "written" && step?.action !== "refuse";
  if (!isDue) return { id, state: stateNow, unfinishedReasons: [error.message] };
  const ambiguity = result?.outcome === "uncertain" ? "It is not known whether the service has stored it. " : "";
  const next = "State holds the name without its value, and the next `pulumi up` writes it.";
  return { id, state: stateNow, unfinishedReasons: [`${error.message.replace(/\.$/u, "")}. ${ambiguity}${next}`] };
}

function storedVariable(old: Properties): OwnVariable {
  const { name, value, hidden, services, updatedAt, otherForm } = stateShape.parse(old);
  const variable = { name, kind: storedKindOf(value), value, hidden, services: scope(services), updatedAt };
  return otherForm === true ? { ...variable, isOtherForm: true } : variable;
}

function declaredVariable(news: Properties): Variable {
  const { name, value, hidden, services } = stateShape.parse(news);
  return { name, kind: valueKindOf(value), value, hidden, services: scope(services) };
}

function toState(input: Properties, variable: OwnVariable, listed: EnvVar | undefined): Properties {
  const { value, hidden, services } = variable;
  const { id, createdAt, updatedAt = variable.updatedAt } = listed ?? {};
  return withoutNil({
    ...input,
    value,
    hidden,
    services: declaredScope(services),
    variableId: id,
    createdAt,
    updatedAt,
    otherForm: isInOtherForm(variable) || undefined,
  });
}

function rules({ name }: Known<typeof inputs>): readonly CheckFailure[] {
  const reason = name === undefined ? undefined : nameProblem(name);
  return reason === undefined ? [] : [{ path: "name", reason }];
}
