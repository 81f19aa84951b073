import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/partial-failure";
import { asStored, fitsValue, matchesDeclared } from "./answer";
import { type KnownVariable, sameScope, scope, type Variable } from "./variable";
import type { DeclaredStep } from "./plan";
import { failureText } from "./report";
import type { Writing } from "./write";

const MISSING =
  "declared with `existing()`, and the environment does not have it: create it there, or declare a value in the program";
const UNCHANGEABLE =
  "its services or visibility cannot be changed, because the service hides its value and the program declares `existing()`: " +
  "change them in the dashboard, or declare a value in the program";

/**
 * Why the names that are new to a resource cannot be written: some exist with something else. All of them are in one error.
 * `undefined` when none is in the way.
 */
export function conflictOf(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): ConflictError | undefined {
  const conflicts = conflictsIn(ctx, environmentId, added, existing);
  if (conflicts.size === 0) return undefined;
  const it = conflicts.size === 1 ? "it" : "them";
  return new ConflictError(
    `${conflictText(ctx, environmentId, conflicts)} Nothing was written. A resource of this program or of this stack may still have ${it}: ` +
      "then run `pulumi up --refresh`, or use the resource option aliases when that resource was only renamed. Another stack or a " +
      `person may have ${it}: to take ${it} over, set onConflict: "overwrite"; to declare ${it} as ${it} ` +
      `${conflicts.size === 1 ? "is" : "are"}, see what \`npx pulumi-previewenv adopt\` writes. Or remove ${it} from the program or from the environment.`,
    [...conflicts.keys()],
  );
}

/** In what a variable that exists differs from the declared one: `another value and other services`. */
export type Conflicts = ReadonlyMap<string, string>;

/** Names that exist with something that the declared value cannot be, and that no state of this stack has. */
export function conflictsIn(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): Conflicts {
  const { variables } = ctx.environment(environmentId);
  return new Map(
    added.flatMap((variable) => {
      const item = existing.get(variable.name);
      const difference = item === undefined || variables.isShown(variable.name) ? "" : differenceOf(item, variable);
      return difference === "" ? [] : [[variable.name, difference] as const];
    }),
  );
}

/** Which variables are in the way, and why: a sentence. */
export function conflictText(ctx: Context, environmentId: string, conflicts: Conflicts): string {
  const variables = conflicts.size === 1 ? "a variable" : "variables";
  const groups = [...new Set(conflicts.values())].map((difference) => {
    const names = [...conflicts].flatMap(([name, one]) => (one === difference ? [name] : []));
    return `with ${difference} than declared: ${nameList(names)}`;
  });
  return `environment ${ctx.client.titleOf(environmentId)} already has ${variables} ${groups.join("; ")}.`;
}

/** "" when there is none that can be seen. */
function differenceOf(item: EnvVar, variable: Variable): string {
  const differences = [
    ["another value", item.hidden === variable.hidden && !fitsValue(item, variable)],
    ["another visibility", item.hidden !== variable.hidden],
    ["other services", !sameScope(item.services, variable.services)],
  ] as const;
  return differences.flatMap(([text, holds]) => (holds ? [text] : [])).join(" and ");
}

/** Names that are new to a resource exist with something else. */
export class ConflictError extends RefusedError {
  readonly names: readonly string[];

  constructor(message: string, names: readonly string[]) {
    super(message);
    this.names = names;
  }
}

/** Takes over what is visibly as declared: it needs no write. What is hidden and fits is written, since nobody can see it. */
export function adopt(
  { ctx, environmentId, outcome }: Pick<Writing, "ctx" | "environmentId" | "outcome">,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): void {
  const { variables } = ctx.environment(environmentId);
  for (const text of takeOverWarnings(ctx, environmentId, added, existing)) ctx.log.warn(text);
  for (const variable of added) {
    const item = existing.get(variable.name);
    // One that another resource has left is written: its new time tells that resource that it has an owner again.
    const isWritten = variable.hidden || variables.isGiven(variable.name);
    if (item === undefined || isWritten || !matchesDeclared(item, variable)) continue;
    outcome.adopted.set(variable.name, asStored(variable, item));
  }
}

/** `updatedAt` of names that were read right before a write. What exists without a time is left out: it tells nothing later. */
export function timesOf(
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): ReadonlyMap<string, string | undefined> {
  const dated = added.filter(({ name }) => !existing.has(name) || existing.get(name)?.updatedAt !== undefined);
  return new Map(dated.map(({ name }) => [name, existing.get(name)?.updatedAt]));
}

/**
 * The warning of hidden variables that exist, that this stack is not known to have, and that the masks allow to be what is
 * declared: nobody can see whether they have the same value.
 */
export function takeOverWarnings(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): readonly string[] {
  const { variables } = ctx.environment(environmentId);
  const taken = added.filter((variable) => {
    const item = existing.get(variable.name);
    return (
      variable.hidden && item?.hidden === true && !variables.isShown(variable.name) && matchesDeclared(item, variable)
    );
  });
  if (taken.length === 0) return [];
  const [it, its] = taken.length === 1 ? ["it", "its value"] : ["them", "their values"];
  return [
    `environment ${ctx.client.titleOf(environmentId)} already has ${nameList(taken.map(({ name }) => name))}: the service masks ${its}, so ` +
      `\`pulumi up\` cannot see whether ${its} ${taken.length === 1 ? "is" : "are"} the declared ${taken.length === 1 ? "one" : "ones"}. It takes ${it} over and writes ${it}.`,
  ];
}

/** What the service has for variables whose value the program leaves to it. */
interface ExistingValues {
  /** What is there, as the service has it, without the value. */
  readonly found: ReadonlyMap<string, KnownVariable>;
  /** Of these, what is as declared: nothing to do. */
  readonly kept: ReadonlySet<string>;
  /** Visible, and to be changed in services or visibility: written with the value just read. */
  readonly written: readonly Variable[];
  /** Reasons by name. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Compares what a program declares with `existing()` with what the service has. */
export function compareExisting(steps: readonly DeclaredStep[], existing: ReadonlyMap<string, EnvVar>): ExistingValues {
  const found = new Map<string, KnownVariable>();
  const kept = new Set<string>();
  const written: Variable[] = [];
  const failed = new Map<string, string>();
  for (const { name, wanted } of steps) {
    const item = existing.get(name);
    if (item === undefined) {
      failed.set(name, MISSING);
      continue;
    }
    const { hidden, updatedAt = "" } = item;
    found.set(name, { ...wanted, hidden, services: scope(item.services), updatedAt, writeFailed: false, source: item });
    if (hidden === wanted.hidden && sameScope(item.services, wanted.services)) kept.add(name);
    else if (hidden) failed.set(name, UNCHANGEABLE);
    else written.push({ ...wanted, value: item.value });
  }
  return { found, kept, written, failed };
}

/** A create is refused as a whole, before any write. */
export function refusalOfExisting(
  ctx: Context,
  environmentId: string,
  failed: ReadonlyMap<string, string>,
): RefusedError | undefined {
  if (failed.size === 0) return undefined;
  return new RefusedError(failureText(`environment ${ctx.client.titleOf(environmentId)}: nothing was written`, failed));
}
