import { createHash } from "node:crypto";
import type { EnvVar } from "../client/env-vars";
import { nameList, quotedList } from "../client/error-text";
import { malformedId, quoted, readEnvironmentId } from "../environment/import-id";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";
import type { LiveResource } from "../framework/resource";
import { commonestScope, splitByDeclarable } from "./declarable";
import { byName, listVariables } from "../environment/variables";
import { nameProblem } from "../framework/name-rules";
import { EXISTING } from "../framework/existing-text";
import { EXISTING_IN_PROGRAMS } from "./placeholder";
import { declaredScope, valueKindOf, type OwnVariable, scope } from "./variable";
import { toState } from "./env-var-set-state";

const REVISION_CHARACTERS = 32;

/** An environment, and the names of the variables that a set takes from it. Without names, it takes all that a program can declare. */
export interface Selection {
  readonly environmentId: string;
  readonly names: readonly string[] | undefined;
}

/**
 * The variables of an environment as one set, or those that are selected. Variables that it inherits are not its own,
 * and are left out.
 * @throws RefusedError when a selected name does not exist.
 */
export async function importSet(ctx: Context, { environmentId, names }: Selection): Promise<LiveResource | undefined> {
  const answer = await listVariables(ctx, environmentId);
  if (typeof answer === "string") return undefined;
  const { variables } = answer;
  const { declarable, others } = splitByDeclarable(variables);
  const selected = names === undefined ? declarable : select(ctx, environmentId, variables, names);
  const services = commonestScope(selected);
  const leftOut = names === undefined ? others.map(({ name }) => name) : [];
  const inputs = { environmentId, services: declaredScope(services), variables: {}, secrets: {} };
  return {
    id: environmentId,
    state: toState(inputs, selected.map(imported), revisionOf(ctx.environment(environmentId).key, selected)),
    warnings: [...leftOutWarnings(ctx, environmentId, leftOut), ...hiddenWarnings(ctx, environmentId, selected)],
  };
}

/**
 * The revision of variables that were looked up, and not written: the same at each look, until a variable comes, goes or
 * is changed. Made of names and times only, so that it reveals nothing about values.
 */
function revisionOf(environmentKey: string, variables: readonly EnvVar[]): string {
  const facts = variables.map(({ name, updatedAt = "" }) => JSON.stringify([name, updatedAt])).toSorted();
  const hash = createHash("sha256").update(JSON.stringify([environmentKey, ...facts]));
  return hash.digest("hex").slice(0, REVISION_CHARACTERS);
}

/** Names the variables that no program can declare as they are. */
function leftOutWarnings(ctx: Context, environmentId: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)}: left out, because no program can declare ${names.length === 1 ? "it" : "them"}: ` +
      `${quotedList(names)}.`,
  ];
}

function select(
  ctx: Context,
  environmentId: string,
  variables: readonly EnvVar[],
  names: readonly string[],
): readonly EnvVar[] {
  const found = byName(variables);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0)
    throw new RefusedError(
      `environment ${ctx.client.titleOf(environmentId)} has no ${missing.length === 1 ? "variable" : "variables"} ${nameList(missing)} ` +
        `of its own: take the name out of the id, or create the variable first.`,
    );
  return names.flatMap((name) => found.get(name) ?? []);
}

/** A variable as it is on the service, as one of the resource that imports it. A hidden value is left to the service. */
export function imported({ name, hidden, value, services, updatedAt = "" }: EnvVar): OwnVariable {
  const place = { name, hidden, services: scope(services), updatedAt };
  return hidden ? { ...place, kind: "existing", value: EXISTING } : { ...place, kind: valueKindOf(value), value };
}

/** Says which of the imported values are not known, and what to do to manage them. */
export function hiddenWarnings(ctx: Context, environmentId: string, variables: readonly EnvVar[]): readonly string[] {
  const names = variables.filter(({ hidden }) => hidden).map(({ name }) => name);
  if (names.length === 0) return [];
  const [it, values] = names.length === 1 ? ["it", "value"] : ["them", "values"];
  return [
    `environment ${ctx.client.titleOf(environmentId)}: the service hides the ${values} of ${nameList(names)}, so the import declares ` +
      `${EXISTING_IN_PROGRAMS} for ${it}. To manage the ${values} in the program, declare ${it} there: the next \`pulumi up\` writes what you declare.`,
  ];
}

/** `<environmentId>/<NAME>`: the name as it is, since the id in state has it as it is. @throws RefusedError */
export function readVariableId(id: string, format: string): { readonly environmentId: string; readonly name: string } {
  const { environmentId, name } = splitVariableId(id);
  readEnvironmentId(id, format, environmentId);
  refuseName(id, format, name);
  return { environmentId, name };
}

/** @throws RefusedError for a name in an id that no variable can have */
function refuseName(id: string, format: string, name: string): void {
  if (name === "") throw malformedId(id, format, "the name of a variable is missing");
  const problem = nameProblem(name);
  if (problem !== undefined) throw malformedId(id, format, `it ${problem}`);
}

/** The two parts of the id of a variable: a name may have slashes itself. Without a slash, the name is empty. */
export function splitVariableId(id: string): { readonly environmentId: string; readonly name: string } {
  const [environmentId = "", ...name] = id.split("/");
  return { environmentId, name: name.join("/") };
}

/** The selection of an id: `<environmentId>`, or `<environmentId>?names=A,B`. @throws RefusedError */
export function readSelection(id: string, format: string): Selection {
  const mark = id.indexOf("?");
  const environmentId = readEnvironmentId(id, format, mark === -1 ? id : id.slice(0, mark));
  if (mark === -1) return { environmentId, names: undefined };
  const query = id.slice(mark + 1);
  if (!query.startsWith("names=") || query.includes("&"))
    throw malformedId(id, format, `only "names=" may follow "?", and only once`);
  const names = query
    .slice("names=".length)
    .split(",")
    .map((name) => decoded(id, format, name));
  for (const name of names) refuseName(id, format, name);
  return { environmentId, names: [...new Set(names)] };
}

function decoded(id: string, format: string, name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw malformedId(id, format, `${quoted(name)} is not valid percent-encoding`);
  }
}
