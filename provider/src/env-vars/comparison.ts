import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import type { OwnedNames } from "../run/owned-names";
import { RefusedError } from "../framework/errors";
import type { OnConflict } from "./on-conflict";
import { isAddition, type Step } from "./plan";
import type { Result } from "./variables-job";
import { fitsValue, toOwnVariable } from "./upsert-answer";
import { type OwnVariable, sameScope, scope, type Variable } from "./variable";

const MISSING =
  "declared with `existing()`, and the environment does not have it: create it there, or declare a value in the program";
/** Why a variable cannot be sent although it is declared. */
const UNKNOWN_VALUE =
  "not sent, because its value is not known (a refresh or an import left a placeholder in its place): " +
  "declare the value in the program, and take the name out of ignoreChanges";
const UNCHANGEABLE =
  "its services or visibility cannot be changed, because the service hides its value and the program declares `existing()`: " +
  "change them in the dashboard, or declare a value in the program";

/** What the service's list says about the steps of a plan. A write and a preview decide by it. */
export interface Comparison {
  /** In what a variable that exists differs from the declared one, by name: `another value and other services`. */
  readonly conflicts: ReadonlyMap<string, string>;
  /** Hidden variables that exist, that this stack is not known to have, and whose masks fit the declared values. */
  readonly takenOverUnseen: readonly string[];
  /** Names for which no request is needed: what is as declared already, and what cannot be written. */
  readonly withoutRequest: ReadonlyMap<string, Result>;
  readonly writes: readonly Variable[];
  /** Variables with `existing()` whose services or visibility change: they are written with the value that was just read. */
  readonly rewrites: readonly Rewrite[];
}

/** A variable whose value is the service's, before and after its services or visibility are changed. */
export interface Rewrite {
  readonly before: OwnVariable;
  readonly wanted: Variable;
}

/** Whether the service's list decides: names may be somebody else's, or values the service's. */
export function needsList(steps: readonly Step[], onConflict: OnConflict): boolean {
  return steps.some((step) => step.action === "compare" || (onConflict === "fail" && isAddition(step)));
}

/** Compares what a plan writes with the service's list. The list is empty where it is not needed. */
export function compare(
  steps: readonly Step[],
  onConflict: OnConflict,
  listed: ReadonlyMap<string, EnvVar>,
  ownership: Pick<OwnedNames, "isOfThisStack" | "isHandedOver">,
): Comparison {
  const conflicts = new Map<string, string>();
  const takenOverUnseen: string[] = [];
  const withoutRequest = new Map<string, Result>();
  const writes: Variable[] = [];
  const rewrites: Rewrite[] = [];
  for (const step of steps) {
    const { name, action, wanted } = step;
    const there = listed.get(name);
    if (action === "blocked") withoutRequest.set(name, { outcome: "failed", reason: UNKNOWN_VALUE });
    else if (action === "compare") {
      const existing = compareExisting(wanted, there);
      if ("outcome" in existing) withoutRequest.set(name, existing);
      else rewrites.push(existing);
    } else if (action === "write") {
      const isGuarded = onConflict === "fail" && isAddition(step) && there !== undefined;
      const difference = isGuarded ? differenceOf(there, wanted) : "";
      if (difference !== "" && !ownership.isOfThisStack(name)) conflicts.set(name, difference);
      // One that another resource has left is written: its new time tells that resource that it has an owner again. What is hidden is
      // written, since nobody can see its value.
      else if (isGuarded && difference === "" && !wanted.hidden && !ownership.isHandedOver(name))
        withoutRequest.set(name, { outcome: "taken over", now: toOwnVariable(wanted, there), listed: there });
      else writes.push(wanted);
      if (isGuarded && difference === "" && wanted.hidden && !ownership.isOfThisStack(name)) takenOverUnseen.push(name);
    }
  }
  return { conflicts, takenOverUnseen, withoutRequest, writes, rewrites };
}

/** What becomes of a variable whose value is the service's. */
function compareExisting(wanted: Variable, there: EnvVar | undefined): Result | Rewrite {
  if (there === undefined) return { outcome: "failed", reason: MISSING };
  const { hidden, updatedAt = "" } = there;
  const before: OwnVariable = { ...wanted, hidden, services: scope(there.services), updatedAt };
  if (hidden === wanted.hidden && sameScope(before.services, wanted.services))
    return { outcome: "taken over", now: before, listed: there };
  if (hidden) return { outcome: "failed", reason: UNCHANGEABLE, now: before };
  return { before, wanted: { ...wanted, kind: "value", value: there.value } };
}

/** "" when there is none that can be seen. */
function differenceOf(there: EnvVar, wanted: Variable): string {
  const differences = [
    ["another value", there.hidden === wanted.hidden && !fitsValue(there, wanted)],
    ["another visibility", there.hidden !== wanted.hidden],
    ["other services", !sameScope(there.services, wanted.services)],
  ] as const;
  return differences.flatMap(([text, holds]) => (holds ? [text] : [])).join(" and ");
}

/** Names that are new to a resource exist with something else. */
export class ConflictError extends RefusedError {}

/** Which variables are in the way of names that are new to a resource, why, and what to do. */
export function conflictText(
  ctx: Context,
  environmentId: string,
  conflicts: Comparison["conflicts"],
  when: "preview" | "up",
): string {
  const [variables, it, is] = conflicts.size === 1 ? ["a variable", "it", "is"] : ["variables", "them", "are"];
  const groups = [...new Set(conflicts.values())].map((difference) => {
    const names = [...conflicts].flatMap(([name, its]) => (its === difference ? [name] : []));
    return `with ${difference} than declared: ${nameList(names)}`;
  });
  const outcome =
    when === "up"
      ? "Nothing was written."
      : `Unless a resource of this stack has ${it}, \`pulumi up\` fails and writes nothing of this resource.`;
  return (
    `environment ${ctx.client.titleOf(environmentId)} already has ${variables} ${groups.join(", and ")}. ${outcome} ` +
    `A resource of this program or of this stack may still have ${it}: then run \`pulumi up --refresh\`, or use the resource option aliases ` +
    `when that resource was only renamed. Another stack or a person may have ${it}: to take ${it} over, set onConflict: "overwrite". ` +
    `To declare ${it} as ${it} ${is}, see what \`npx pulumi-previewenv adopt\` writes. Or remove ${it} from the program or from the environment.`
  );
}

/** The warning of hidden variables that are taken over: nobody can see whether they have the declared value. */
export function takeOverWarnings(
  ctx: Context,
  environmentId: string,
  { takenOverUnseen }: Comparison,
): readonly string[] {
  if (takenOverUnseen.length === 0) return [];
  const [it, its] = takenOverUnseen.length === 1 ? ["it", "its value"] : ["them", "their values"];
  const isDeclared = takenOverUnseen.length === 1 ? "is the declared one" : "are the declared ones";
  return [
    `environment ${ctx.client.titleOf(environmentId)} already has ${nameList(takenOverUnseen)}: the service masks ${its}, so ` +
      `\`pulumi up\` cannot see whether ${its} ${isDeclared}. It takes ${it} over and writes ${it}.`,
  ];
}
