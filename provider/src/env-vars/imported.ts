import type { EnvVar } from "../client/env-vars";
import type { Context } from "../framework/context";
import { nameList } from "../client/error-text";
import { EXISTING } from "./existing";
import { type KnownVariable, scope } from "./variable";

/** A variable as it is on the service, as one of the resource that imports it. A hidden value is left to the service. */
export function imported(found: EnvVar): KnownVariable {
  const { name, hidden, updatedAt = "" } = found;
  const value = hidden ? EXISTING : found.value;
  return { name, hidden, value, services: scope(found.services), updatedAt, writeFailed: false, source: found };
}

/** Says which of the imported values are not known, and what to do to manage them. */
export function warnOfHidden(ctx: Context, environmentId: string, found: readonly EnvVar[]): void {
  const names = found.filter(({ hidden }) => hidden).map(({ name }) => name);
  if (names.length === 0) return;
  ctx.log.warn(
    `environment ${environmentId}: the service hides the ${names.length === 1 ? "value" : "values"} of ` +
      `${nameList(names)}, so the import declares \`existing()\` for ${names.length === 1 ? "it" : "them"}. ` +
      `To manage the ${names.length === 1 ? "value" : "values"} in the program, declare ${names.length === 1 ? "it" : "them"} there: ` +
      `the next \`pulumi up\` writes what you declare.`,
  );
}
