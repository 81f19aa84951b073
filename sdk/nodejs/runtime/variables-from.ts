import * as pulumi from "@pulumi/pulumi";
import type { GetEnvironmentsEnvironment, GetEnvironmentsEnvironmentProject } from "../generated/get-environments";
import type { PreviewEnvironmentVariableSet } from "../generated/preview-environment";
import type { PreviewEnvironmentsVariableSet } from "../generated/preview-environments";
import { type Given, isPlainMap } from "./inputs";
import { isLater } from "./outputs";

type Source = NonNullable<PreviewEnvironmentsVariableSet["variablesFrom"]>[string];

const sources: readonly unknown[] = ["id", "name", "url", "pullRequestNumber", "branch"] satisfies readonly Source[];

/** Refuses what names no value of an environment, and a variable with two values. */
export function checkVariablesFrom(label: string, { variables, variablesFrom = {} }: Given): void {
  if (!isPlainMap(variablesFrom))
    throw new pulumi.RunError(`${label}.variablesFrom must be a plain object, as each of its values.`);
  for (const [name, source] of Object.entries(variablesFrom))
    if (!sources.includes(source))
      throw new pulumi.RunError(`${label}.variablesFrom.${name} must be one of ${sources.join(", ")}, as plain text.`);
  if (isPlainMap(variables)) refuseTwoValues(label, variables, variablesFrom);
}

function refuseTwoValues(label: string, variables: Given, variablesFrom: Given): void {
  const name = Object.keys(variablesFrom).find((one) => Object.hasOwn(variables, one));
  if (name !== undefined)
    throw new pulumi.RunError(
      `${label}: ${JSON.stringify(name)} is in variables and in variablesFrom. Leave one of them out.`,
    );
}

/**
 * A set for one environment, with the values that differ by environment. `project` is the repository that they are of.
 * @throws pulumi.RunError for a value that the environment does not have
 */
export function withValues(
  label: string,
  { variablesFrom = {}, ...set }: PreviewEnvironmentsVariableSet,
  environment: GetEnvironmentsEnvironment,
  project: GetEnvironmentsEnvironmentProject | undefined,
): PreviewEnvironmentVariableSet {
  const values = { ...project, ...environment };
  const own = Object.entries(variablesFrom).map(([name, source]) => {
    const value = values[source];
    if (value !== undefined) return [name, String(value)] as const;
    throw new pulumi.RunError(`${label}.variablesFrom.${name}: the environment has no ${source}.`);
  });
  if (own.length === 0) return set;
  const { variables = {} } = set;
  const added = <T>(others: Readonly<Record<string, T>>): Record<string, T | string> => ({
    ...others,
    ...Object.fromEntries(own),
  });
  if (!isLater(variables)) return { ...set, variables: added(variables) };
  const all = pulumi.output(variables).apply((others) => {
    refuseTwoValues(label, others, variablesFrom);
    return added(others);
  });
  return { ...set, variables: all };
}
