import * as z from "zod";
import { environmentIdField } from "../framework/environment-id";
import type { EnvVar } from "../client/env-vars";
import { displayableName } from "../client/error-text";
import type { CheckFailure } from "../framework/check";
import type { Context } from "../framework/context";
import { IncompleteError, PartialFailureError } from "../framework/partial-failure";
import { hasUnknown } from "../framework/planned-outputs";
import { withoutNil, type Properties } from "../framework/properties";
import { defineResource, type Known } from "../framework/resource";
import { readStored } from "../framework/stored-state";
import { readVariableId } from "./import-id";
import { carriedOne } from "./carried";
import { deskOf } from "./desk";
import { observe } from "./drift";
import { imported, warnOfHidden } from "./imported";
import { isStandIn, standIn } from "./placeholder";
import { declaredScope, isAsDeclared, type KnownVariable, nameProblem, scope, type Variable } from "./variable";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  name: z.string().describe("Name of the variable."),
  value: z.string().describe("Its value; a secret unless `hidden` is `false`."),
  hidden: z.boolean().default(true).describe("Whether the service masks the value."),
  services: z
    .array(z.string().min(1))
    .optional()
    .describe("Services that see the variable, in any order. Left out or empty: every service."),
  onConflict: z
    .enum(["fail", "overwrite"])
    .default("fail")
    .describe(
      "What happens when the environment already has the name with something else: `fail` refuses before any write, " +
        "`overwrite` takes it over. A variable that already is as declared is taken over.",
    ),
});

const state = inputs.extend({
  variableId: z.string().optional().describe("The service's id of the variable."),
  createdAt: z.string().optional().describe("When it was created: `YYYY-MM-DDTHH:MM:SS`, without zone."),
  updatedAt: z.string().optional().describe("When it was last changed: `YYYY-MM-DDTHH:MM:SS`, without zone."),
});

const IMPORT_FORMAT = "<environmentId>/<NAME>";

type Inputs = z.output<typeof inputs>;

const storedSchema = z.looseObject({
  environmentId: z.string().default(""),
  name: z.string().default(""),
  value: z.string().default(""),
  hidden: z.boolean().default(true),
  services: z.array(z.string()).default([]),
  updatedAt: z.string().default(""),
  variableId: z.string().optional(),
  createdAt: z.string().optional(),
});

function stored(bag: Properties): z.output<typeof storedSchema> {
  return readStored("EnvVar", storedSchema, bag);
}

/** One variable of an environment. */
export const envVar = defineResource({
  type: "EnvVar",
  description:
    "One environment variable of one environment. Many of them share requests: refreshing N costs one read, and writes " +
    "that are asked for while one is in flight go out together. For many variables, EnvVarSet is cheaper still.",
  inputs,
  state,
  secrets: ["value"],
  secretUnlessFalse: "hidden",
  exclusive: { kind: "variables", names: ["name"] },
  visibleInput: { name: "value", advice: "leave out `hidden`" },
  replaceOnChanges: ["environmentId", "name"],
  stored: storedSchema,
  readsId: (id) => environmentIdField.safeParse(parseId(id).environmentId).success,
  importFormat: IMPORT_FORMAT,
  importDescription:
    "One variable of the environment's own list; `NAME` stands as it is, not percent-encoded. A hidden value is imported " +
    "as a stand-in, and a warning names the variable: declare the real value, and the next `pulumi up` writes it.",
  rules,
  normalize: (given) => ({ ...given, services: declaredScope(given.services) }),

  owns: (old) => {
    const { name } = stored(old);
    return {
      kind: "variables",
      names: [name],
      path: () => ["value"],
      isDeclared: (news) => news["name"] === name,
    };
  },

  async create(ctx, input) {
    return { id: idOf(input), state: await write(ctx, input, undefined) };
  },

  async read(ctx, id, old) {
    const { environmentId, name } = parseId(id);
    const found = (await deskOf(ctx, environmentId).read(ctx, environmentId))?.get(name);
    return found && toState({ ...old, environmentId, name }, observeOne(known({ ...old, name }), found), found);
  },

  async import(ctx, id) {
    const { environmentId, name } = readVariableId(id, IMPORT_FORMAT);
    const found = (await deskOf(ctx, environmentId).read(ctx, environmentId))?.get(name);
    if (found === undefined) return undefined;
    warnOfHidden(ctx, environmentId, [found]);
    const services = declaredScope(found.services);
    return { id, state: toState({ environmentId, name, services }, imported(found), found) };
  },

  /** State has a stand-in where the last `up` declared a value: that write got no answer. */
  incomplete(old, last) {
    const { environmentId, name, value } = stored(old);
    const declared = stored(last ?? {}).value;
    if (!isStandIn(value) || declared === "" || isStandIn(declared)) return [];
    return [
      `environment ${environmentId}: it is not known whether the last \`pulumi up\` wrote ${name}; ` +
        "run `pulumi up` to finish.",
    ];
  },

  plannedOutputs(news, old) {
    // A write may find that somebody deleted the variable and made it anew: then even its id is another one.
    if (old === undefined || hasUnknown(news) || !isAsDeclared(known(old), known(news))) return {};
    const { variableId, createdAt, updatedAt } = old;
    return { variableId, createdAt, updatedAt };
  },

  async update(ctx, _id, input, old) {
    const { environmentId, name } = input;
    const before = { ...known(old), owed: ctx.environment(environmentId).variables.isDeleted(name) };
    if (isAsDeclared(before, toVariable(input))) return { ...withoutNil(old), ...input };
    // An answer does not have to list what it stored, and neither changes with a value.
    const { variableId, createdAt } = old;
    return withoutNil({ variableId, createdAt, ...(await write(ctx, input, before, { variableId, createdAt })) });
  },

  async delete(ctx, id) {
    const { environmentId, name } = parseId(id);
    await deskOf(ctx, environmentId).remove(ctx, environmentId, name);
  },
});

/** `kept` outputs stay in state when it is not known whether the write has reached the service. */
async function write(
  ctx: Context,
  input: Inputs,
  before: KnownVariable | undefined,
  kept: Properties = {},
): Promise<Properties> {
  const { environmentId, onConflict } = input;
  const variable = toVariable(input);
  if (isStandIn(variable.value))
    throw new IncompleteError(
      `variable ${displayableName(variable.name)} of environment ${environmentId} was not sent, because its value is not known (a ` +
        "refresh or an import left a stand-in in its place): declare the value in the program, and take `value` out " +
        "of ignoreChanges",
    );
  const result = await deskOf(ctx, environmentId).write({ ctx, environmentId, variable, known: before, onConflict });
  if ("stored" in result) return toState(input, result.stored, result.stored.source);
  const { error, uncertain } = result;
  if (uncertain === undefined) throw error;
  const text =
    `${error.message} It is not known whether the service has stored it. State holds the name without its value, and ` +
    "the next `pulumi up` writes it.";
  const left = withoutNil({ ...kept, ...toState(input, uncertain, uncertain.source) });
  throw new PartialFailureError(idOf(input), carriedOne(left), [text]);
}

/** A single variable has no bookkeeping: a hidden value is not known once its scope has been changed. */
function observeOne(before: KnownVariable, found: EnvVar): KnownVariable {
  const seen = observe(before, found);
  return seen.scopeChangedAt === undefined ? seen : { ...seen, value: standIn(seen.scopeChangedAt, found.value) };
}

function toVariable({ name, value, hidden, services }: Inputs): Variable {
  return { name, value, hidden, services: scope(services) };
}

function known(old: Properties): KnownVariable {
  const { name, value, hidden, services, updatedAt } = stored(old);
  return { name, value, hidden, services: scope(services), updatedAt, owed: false };
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

function parseId(id: string): { readonly environmentId: string; readonly name: string } {
  const [environmentId = "", ...rest] = id.split("/");
  return { environmentId, name: rest.join("/") };
}

function rules({ name }: Known<typeof inputs>): readonly CheckFailure[] {
  const reason = name === undefined ? undefined : nameProblem(name);
  return reason === undefined ? [] : [{ path: "name", reason }];
}
