import type { EnvVar } from "../client/env-vars";
import type { Context } from "../framework/context";
import { nameList } from "../framework/names";
import { placeholder } from "./placeholder";
import { type KnownVariable, scope } from "./variable";

/** A variable as it is on the service, as one of the resource that imports it. A hidden value is a placeholder. */
export function imported(found: EnvVar): KnownVariable {
  const { name, hidden, updatedAt = "" } = found;
  const value = hidden ? placeholder(updatedAt, found.value) : found.value;
  return { name, hidden, value, services: scope(found.services), updatedAt, writeFailed: false, source: found };
}

/** Says which of the imported values are not known, and what to do: a program that was made from them holds placeholders. */
export function warnOfHidden(ctx: Context, environmentId: string, found: readonly EnvVar[]): void {
  const names = found.filter(({ hidden }) => hidden).map(({ name }) => name);
  if (names.length === 0) return;
  ctx.log.warn(
    `environment ${environmentId}: the service hides the ${names.length === 1 ? "value" : "values"} of ` +
      `${nameList(names)}, so state holds a placeholder, which is never sent. Declare the real ` +
      `${names.length === 1 ? "value" : "values"} in the program to manage ${names.length === 1 ? "it" : "them"} there: ` +
      `the next \`pulumi up\` then writes what you declare.`,
  );
}
