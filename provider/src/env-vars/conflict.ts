import type * as z from "zod";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { describedEnum } from "../framework/fields";
import { see } from "../client/troubleshooting";
import { EXISTING_IN_PROGRAMS } from "./placeholder";

/** The input `onConflict` of a resource that declares variables. */
export const onConflictField = describedEnum(["fail", "overwrite"], {
  fail: "The error names all such variables, and this resource writes nothing.",
  overwrite: "The `up` writes the variables as the program declares them.",
})
  .default("fail")
  .describe(
    "What happens if a variable that is new to this resource already exists with another value, visibility or scope. In both cases, the " +
      "resource takes over a variable that already matches.",
  );

/** What happens to names that the environment already has with something else. */
export type OnConflict = z.output<typeof onConflictField>;

/** In what a variable that exists differs from the declared one, by name: `another value and other services`. */
type Conflicts = ReadonlyMap<string, string>;

/** Which variables are in the way of names that are new to a resource, why, and what to do. */
export function conflictText(
  ctx: Context,
  environmentId: string,
  conflicts: Conflicts,
  when: "preview" | "up",
): string {
  const [variables, it, itsValue] =
    conflicts.size === 1 ? ["a variable", "it", "its value"] : ["variables", "them", "their values"];
  const groups = [...new Set(conflicts.values())].map((difference) => {
    const names = [...conflicts].flatMap(([name, its]) => (its === difference ? [name] : []));
    return `with ${difference} than declared: ${nameList(names)}`;
  });
  const outcome =
    when === "up"
      ? "Nothing was written."
      : `Unless a resource of this stack has ${it}, \`pulumi up\` fails and writes nothing of this resource.`;
  const lines = [
    `environment ${ctx.client.titleOf(environmentId)} already has ${variables} ${groups.join(", and ")}. ${outcome}`,
    ctx.isRefreshed()
      ? `This run has refreshed: no resource of this stack has ${it}, unless --target, --exclude or --run-program left that resource out.`
      : `If a resource of this stack has ${it}, also this one before a forced replacement: run \`pulumi up --refresh\`, without --target and --run-program. After a change of config, run it twice.`,
    `If somebody else has ${it}, or another Provider, stack or plugin version, or this stack had ${it} before the environment was deleted: remove ${it} there, or set onConflict: "overwrite".`,
    `To leave ${itsValue} to the service: declare ${EXISTING_IN_PROGRAMS}, as \`npx pulumi-previewenv adopt\` does.`,
    see("conflict"),
  ];
  return lines.join("\n");
}

/** The warning of hidden variables that are written over: nobody can see whether they have the declared value. */
export function overwriteWarnings(ctx: Context, environmentId: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const [it, its] = names.length === 1 ? ["it", "its value"] : ["them", "their values"];
  const isDeclared = names.length === 1 ? "is the declared one" : "are the declared ones";
  return [
    `environment ${ctx.client.titleOf(environmentId)} already has ${nameList(names)}: the service masks ${its}, so ` +
      `\`pulumi up\` cannot see whether ${its} ${isDeclared}. It takes ${it} over and writes ${it}. ${see("masked")}`,
  ];
}
