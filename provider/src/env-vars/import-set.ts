import { createHash } from "node:crypto";
import type { EnvVar } from "../client/env-vars";
import type { Context } from "../framework/context";
import { nameList, quotedList } from "../client/error-text";
import { RefusedError } from "../framework/partial-failure";
import type { Created } from "../framework/resource";
import { readSelection } from "./import-id";
import { listUnlessGone } from "./listing";
import { imported, warnOfHidden } from "./imported";
import { toState } from "./set-state";
import { declaredScope, canBeInState, nameProblem, scope } from "./variable";

const REVISION_CHARACTERS = 32;

/**
 * The variables of an environment as one set, or those that the id selects. Variables that it inherits are not its own,
 * and are left out.
 * @throws RefusedError when a selected name does not exist.
 */
export async function importSet(ctx: Context, id: string, format: string): Promise<Created | undefined> {
  const { environmentId, names } = readSelection(id, format);
  const listed = await listUnlessGone(ctx, environmentId);
  if (listed === undefined) return undefined;
  const found = names === undefined ? declarable(ctx, environmentId, listed) : select(environmentId, listed, names);
  const services = commonestScope(found);
  warnOfHidden(ctx, environmentId, found);
  const inputs = { environmentId, services: declaredScope(services), variables: {}, secrets: {} };
  return {
    id: environmentId,
    state: toState(inputs, found.map(imported), revisionOf(ctx.environment(environmentId).key, found)),
  };
}

/**
 * The revision of variables that were looked up, and not written: the same at each look, until a variable comes, goes or
 * is changed. Made of names and times only, so that it reveals nothing about values.
 */
function revisionOf(environmentKey: string, found: readonly EnvVar[]): string {
  const facts = found.map(({ name, updatedAt = "" }) => JSON.stringify([name, updatedAt])).toSorted();
  const hash = createHash("sha256").update(JSON.stringify([environmentKey, ...facts]));
  return hash.digest("hex").slice(0, REVISION_CHARACTERS);
}

/** The variables whose names a program may declare; a warning names the others. */
function declarable(ctx: Context, environmentId: string, listed: readonly EnvVar[]): readonly EnvVar[] {
  const isDeclarable = ({ name }: EnvVar): boolean => canBeInState(name) && nameProblem(name) === undefined;
  const others = listed.filter((item) => !isDeclarable(item)).map(({ name }) => name);
  if (others.length > 0)
    ctx.log.warn(
      `environment ${environmentId}: left out, because no program can declare ${others.length === 1 ? "this name" : "these names"}: ` +
        `${quotedList(others)}.`,
    );
  return listed.filter(isDeclarable);
}

function select(environmentId: string, listed: readonly EnvVar[], names: readonly string[]): readonly EnvVar[] {
  const byName = new Map(listed.map((item) => [item.name, item]));
  const missing = names.filter((name) => !byName.has(name));
  if (missing.length > 0)
    throw new RefusedError(
      `environment ${environmentId} has no ${missing.length === 1 ? "variable" : "variables"} ${nameList(missing)} ` +
        `of its own: take the name out of the id for the import, or create the variable first.`,
    );
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** The scope that most of them have; of several, the alphabetically first. */
function commonestScope(found: readonly EnvVar[]): readonly string[] {
  const counts = new Map<string, { readonly services: readonly string[]; readonly count: number }>();
  for (const { services } of found) {
    const key = scope(services).join(",");
    counts.set(key, { services, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [first] = [...counts].toSorted(([one, a], [other, b]) => b.count - a.count || (one < other ? -1 : 1));
  return first?.[1].services ?? [];
}
