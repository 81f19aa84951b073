import * as z from "zod";
import { environmentIdField } from "../framework/environment-session";
import type { EnvVar } from "../client/env-vars";
import { displayableName } from "../client/error-text";
import { CancelledError } from "../client/errors";
import type { CheckFailure } from "../framework/check";
import type { Context } from "../framework/context";
import { diffInputs, toDiff } from "../framework/diff";
import { lineField } from "../framework/line-field";
import { IncompleteError } from "../framework/partial-failure";
import { hasUnknown } from "../framework/planned-outputs";
import { withoutNil, type Properties, StoredState } from "../framework/properties";
import { defineResource, type Known, type Written } from "../framework/resource";
import { deleteAll, handOver } from "./hand-over";
import { variableStateForError } from "./report";
import { observe, warnOfMissing } from "./drift";
import { imported, readVariableId, splitVariableId, warnOfHidden } from "./import";
import { onConflictField } from "./on-conflict";
import { EXISTING_IN_PROGRAMS, isExisting, isPlaceholder, placeholder } from "./placeholder";
import { declaredScope, isLookedUp, type KnownVariable, scope } from "./variable";
import { nameProblem, readOrWarn, readShared } from "../environment/variables";
import { previewVariables } from "./preview";
import { isDue, type Ownership, plan, type Step } from "./plan";
import { afterWrite } from "./write";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  name: z.string().describe("Name of the variable."),
  value: z
    .string()
    .describe(
      `Value of the variable. With ${EXISTING_IN_PROGRAMS} it keeps the value that the service has: the variable must ` +
        "exist, and nothing deletes it.",
    ),
  hidden: z.boolean().default(true).describe("Whether the service masks the value."),
  services: z
    .array(lineField.min(1))
    .optional()
    .describe("Services that see the variable, in any order. Left out or empty: every service."),
  onConflict: onConflictField,
});

const state = inputs.extend({
  variableId: z.string().optional().describe("The service's id of the variable."),
  createdAt: z.string().optional().describe("When the variable was created: `YYYY-MM-DDTHH:MM:SS`, without zone."),
  updatedAt: z.string().optional().describe("When the variable was last changed: `YYYY-MM-DDTHH:MM:SS`, without zone."),
});

const IMPORT_FORMAT = "<environmentId>/<NAME>";
const REPLACING = ["environmentId", "name"] as const;

type Inputs = z.output<typeof inputs>;

const shape = z.looseObject({
  environmentId: z.string().default(""),
  name: z.string().default(""),
  value: z.string().default(""),
  hidden: z.boolean().default(true),
  services: z.array(z.string()).default([]),
  updatedAt: z.string().default(""),
  variableId: z.string().optional(),
  createdAt: z.string().optional(),
});

const storedVariable = new StoredState("EnvVar", shape);

function stored(bag: Properties): z.output<typeof shape> {
  return storedVariable.read(bag);
}

/** One variable of an environment. */
export const envVar = defineResource({
  type: "EnvVar",
  description:
    "One environment variable of one environment. Removing the resource from the program deletes the variable on the service, and " +
    "so does a destroy, unless the value is `existing()`. One read refreshes all EnvVars of an environment. Each is written by a request of its own. " +
    "For many variables, an EnvVarSet needs fewer requests.",
  inputs,
  state,
  secrets: ["value"],
  secretUnlessFalse: "hidden",
  exclusive: { kind: "variables", names: ["name"] },
  visibleInput: { name: "value", advice: "leave out `hidden`" },
  replaceOnChanges: REPLACING,
  stored: storedVariable,
  readsId(id) {
    const { environmentId, name } = splitVariableId(id);
    return name !== undefined && environmentIdField.safeParse(environmentId).success;
  },
  importFormat: IMPORT_FORMAT,
  importDescription:
    "Imports one variable of the environment's own list. `NAME` is written as it is, not percent-encoded. A " +
    "hidden value is imported as `existing()`, and a warning names the variable. Declare the real value, and the " +
    "next `pulumi up` writes it.",
  rules,
  normalize: (given) => ({ ...given, services: declaredScope(given.services) }),

  ownership: {
    kind: "variables",
    owned: (old) => (isLookedUp(old) ? [] : [stored(old).name]),
    declared: ({ name }) => (typeof name === "string" && !hasUnknown(name) ? [name] : []),
  },

  diff(old, news, environment) {
    const { changes } = diffInputs(old, news, Object.keys(inputs.shape), []);
    if (!planOne(old, news, environment?.variables).some(({ reasons }) => reasons.includes("taken by another")))
      return toDiff(changes, REPLACING);
    const others = changes.filter(({ path: [name] }) => name !== "value");
    return toDiff([...others, { path: ["value"], kind: "update", takenByOther: true }], REPLACING, true);
  },

  create: (ctx, input) => write(ctx, input),

  async read(ctx, id, old, last) {
    const { environmentId, name = "" } = splitVariableId(id);
    const variables = await readOrWarn(ctx, environmentId);
    const before = known({ ...old, name });
    const found = variables?.get(name);
    if (variables !== undefined) warnOfMissing(ctx, environmentId, [before], variables);
    if (found === undefined) return undefined;
    const now = toState({ ...old, environmentId, name }, observe(before, found), found);
    // Its time is no drift.
    const shown = isExisting(before.value) ? withoutNil({ ...now, updatedAt: old["updatedAt"] }) : now;
    return { state: shown, open: unanswered(ctx, old, last) };
  },

  async import(ctx, id) {
    const { environmentId, name } = readVariableId(id, IMPORT_FORMAT);
    const found = (await readShared(ctx, environmentId))?.get(name);
    if (found === undefined) return undefined;
    warnOfHidden(ctx, environmentId, [found]);
    const services = declaredScope(found.services);
    return { id, state: toState({ environmentId, name, services }, imported(found), found) };
  },

  plannedOutputs(news, old, environment) {
    // A write may find that somebody deleted the variable and made it anew: then even its id is another one.
    if (old === undefined || hasUnknown(news) || planOne(old, news, environment?.variables).some(isDue)) return {};
    const { variableId, createdAt, updatedAt } = old;
    return { variableId, createdAt, updatedAt };
  },

  previewCheck(ctx, { inputs: given, pending, state: old }) {
    const { environmentId = "", name, onConflict } = given;
    if (name === undefined) return Promise.resolve([]);
    const steps = planOne(old, given, ctx.environment(environmentId).variables);
    return previewVariables(ctx, { environmentId, onConflict, steps, pending, isCreate: old === undefined });
  },

  update: (ctx, _id, input, old) => write(ctx, input, old),

  async delete(ctx, id, old) {
    const { environmentId, name = "" } = splitVariableId(id);
    await deleteAll(ctx, environmentId, new Map([[name, known({ ...old, name })]]));
  },
});

/** State has a placeholder where the last `up` declared a value: that write got no answer. */
function unanswered(ctx: Context, old: Properties, last: Properties = {}): readonly string[] {
  const { environmentId, name, value } = stored(old);
  const declared = stored(last).value;
  if (!isPlaceholder(value) || declared === "" || isPlaceholder(declared)) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)}: it is not known whether the last \`pulumi up\` wrote ${name}; ` +
      "run `pulumi up` to finish.",
  ];
}

/** The steps of a set of one name. @throws UnreadableStateError */
function planOne(old: Properties | undefined, news: Properties, ownership: Ownership): readonly Step[] {
  return plan(knownByName(old), { variables: [known(news)] }, ownership);
}

async function write(ctx: Context, input: Inputs, old?: Properties): Promise<Written> {
  const { environmentId, name, onConflict } = input;
  const target = { variables: [known(input)] };
  const isCreate = old === undefined;
  const order = { ctx, environmentId, onConflict, isCreate, by: "update", known: knownByName(old), target } as const;
  const { steps, outcome } = await handOver(order);
  const subject = `variable ${displayableName(name)} of environment ${ctx.client.titleOf(environmentId)}`;
  const step = steps.find((one) => one.wanted !== undefined);
  const id = idOf(input);
  if (step?.what === "keep") return { id, state: { ...withoutNil(old ?? {}), ...input } };
  if (step?.what === "blocked")
    throw new IncompleteError(
      `${subject} was not sent, because its value is not known (a refresh or an import left a placeholder in its place): ` +
        "declare the value in the program, and take `value` out of ignoreChanges",
    );
  // An answer does not have to list what it stored, and neither changes with a value.
  const { variableId, createdAt } = old ?? {};
  const stateOf = (one: KnownVariable): Properties =>
    withoutNil({ variableId, createdAt, ...toState(input, one, one.source) });
  const now = step && afterWrite(step, outcome);
  if (now !== undefined && !outcome.failed.has(name)) return { id, state: stateOf(now) };

  const error =
    outcome.abortedBy instanceof CancelledError
      ? outcome.abortedBy
      : new IncompleteError(`${subject}: ${outcome.failed.get(name) ?? "it was not written"}`);
  const left = now ?? takenAway(step);
  if (left === undefined) throw error;
  const ambiguity = outcome.uncertain.has(name) ? " It is not known whether the service has stored it." : "";
  const text = `${error.message}${ambiguity} State holds the name without its value, and the next \`pulumi up\` writes it.`;
  return { id, state: variableStateForError(stateOf(left)), open: [text] };
}

/** What state holds of a variable that another resource of this run deleted, and that could not be written again. */
function takenAway(step: Step | undefined): KnownVariable | undefined {
  if (step?.known === undefined || !step.reasons.includes("taken by another")) return undefined;
  return { ...step.known, value: placeholder(step.known.updatedAt ?? "", "its write failed") };
}

function knownByName(old: Properties | undefined): ReadonlyMap<string, KnownVariable> {
  const before = old === undefined ? [] : [known(old)];
  return new Map(before.map((one) => [one.name, one]));
}

function known(old: Properties): KnownVariable {
  const { name, value, hidden, services, updatedAt } = stored(old);
  return { name, value, hidden, services: scope(services), updatedAt, writeFailed: false };
}

function toState(
  input: Properties,
  { value, hidden, services }: KnownVariable,
  source: EnvVar | undefined,
): Properties {
  const { id, createdAt, updatedAt } = source ?? {};
  return withoutNil({
    ...input,
    value,
    hidden,
    services: declaredScope(services),
    variableId: id,
    createdAt,
    updatedAt,
  });
}

function idOf({ environmentId, name }: Inputs): string {
  return `${environmentId}/${name}`;
}

function rules({ name }: Known<typeof inputs>): readonly CheckFailure[] {
  const reason = name === undefined ? undefined : nameProblem(name);
  return reason === undefined ? [] : [{ path: "name", reason }];
}
