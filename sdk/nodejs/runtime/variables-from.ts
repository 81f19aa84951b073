import * as pulumi from "@pulumi/pulumi";
import type { GetEnvironmentsEnvironment, GetEnvironmentsEnvironmentProject } from "../generated/get-environments";
import type { PreviewEnvironmentVariableSet } from "../generated/preview-environment";
import type { PreviewEnvironmentsVariableSet } from "../generated/preview-environments";
import { displayableName } from "../../../provider/src/framework/missing-value-text";
import { isPlainMap } from "./checked-arguments";
import { isLater } from "./outputs";
import { programError } from "./program-failure";

type Source = NonNullable<PreviewEnvironmentsVariableSet["variablesFrom"]>[string];

/**
 * A set for one environment, with the values that differ by environment. `project` is the repository that they are of.
 * @throws pulumi.RunError for a value that the environment does not have, and for a variable with two values
 */
export function withValues(
  label: string,
  set: PreviewEnvironmentsVariableSet,
  { id, name, url }: GetEnvironmentsEnvironment,
  { pullRequestNumber, branch }: Partial<GetEnvironmentsEnvironmentProject> = {},
): PreviewEnvironmentVariableSet {
  if (!Object.hasOwn(set, "variablesFrom")) return set;
  const { variablesFrom, ...others } = set;
  const refuse = (text: string): never => {
    throw programError(`${displayableName(label)}${text}`);
  };
  if (!isPlainMap(variablesFrom)) return refuse(".variablesFrom must be a plain object, as each of its values.");
  const values: Readonly<Record<Source, string | number | undefined>> = { id, name, url, pullRequestNumber, branch };
  const byName = new Map<unknown, string | number | undefined>(Object.entries(values));
  const own = Object.entries(variablesFrom).map(([variable, source]) => {
    if (!byName.has(source))
      refuse(
        `.variablesFrom.${displayableName(variable)} must be one of ${[...byName.keys()].join(", ")}, as plain text.`,
      );
    const value =
      byName.get(source) ?? refuse(`.variablesFrom.${displayableName(variable)}: the environment has no ${source}.`);
    return [variable, String(value)] as const;
  });
  // The set itself refuses a value that is no map.
  const withOwn = <T>(variables: T): T => {
    if (!isPlainMap(variables)) return variables;
    const [twice] = own.find(([variable]) => Object.hasOwn(variables, variable)) ?? [];
    if (twice !== undefined)
      refuse(`: ${JSON.stringify(twice)} is in variables and in variablesFrom. Leave one of them out.`);
    return { ...variables, ...Object.fromEntries(own) };
  };
  const { variables } = { variables: {}, ...others };
  return { ...others, variables: isLater(variables) ? pulumi.output(variables).apply(withOwn) : withOwn(variables) };
}
