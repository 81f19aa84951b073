import { environmentTitle } from "../client/error-text";
import type { FunctionContext } from "../framework/function";
import { type Adoption, adoptionOf, type NameRule } from "./adoption";
import type { Wanted } from "./arguments";
import type { Language } from "./usage";
import { writeTypeScript } from "./typescript";
import { whyNotInYaml, writeYaml } from "./yaml";
import type { Environment } from "../client";
import type { EnvironmentFilters } from "../client/environments";
import { RefusedError } from "../framework/errors";
import { allMatches, describeFilters, listEnvironments, suggestion } from "../functions/matches";

/** How a language declares an environment. */
interface Writer {
  readonly rule: NameRule;
  readonly write: (adoption: Adoption, wanted: Wanted) => string;
}

const WRITERS: Readonly<Record<Language, Writer>> = {
  typescript: { rule: () => undefined, write: writeTypeScript },
  yaml: { rule: whyNotInYaml, write: writeYaml },
};

/**
 * Reads an environment and its variables, and writes the program that declares them as they are. A warning names what it
 * cannot declare.
 * @throws PreviewenvError when they cannot be read or declared, or the environment is deleted
 */
export async function adopt(context: FunctionContext, wanted: Wanted, language: Language): Promise<string> {
  const { client, signal } = context;
  const environment =
    "id" in wanted ? await client.environments.get(wanted.id, { signal }) : await onlyMatch(context, wanted.filters);
  // It is not specified whether a deleted environment has variables, and no resource could be created for it.
  if (environment.deleted)
    throw new RefusedError(
      `environment ${environmentTitle(environment)} is deleted. Revive it first, for example in the dashboard.`,
    );
  const { variables } = await client.envVars.list(environment.id, { signal });
  const { rule, write } = WRITERS[language];
  const adoption = adoptionOf(environment, variables, rule);
  for (const { what, reason } of adoption.leftOut) context.log.warn(`not declared: ${what}, because it ${reason}`);
  return write(adoption, wanted);
}

/** @throws RefusedError when no environment matches the filters, or several do */
async function onlyMatch(context: FunctionContext, filters: EnvironmentFilters): Promise<Environment> {
  const [environment, ...others] = await allMatches(context, filters);
  const asked = describeFilters(filters);
  if (environment === undefined)
    throw new RefusedError(
      `No environment matches ${asked}. Check the filters, and that the token belongs to the organization.` +
        (await suggestion(context, filters)),
    );
  if (others.length === 0) return environment;
  const all = [environment, ...others];
  throw new RefusedError(
    `${all.length} environments match ${asked}:\n${listEnvironments(all)}\nGive more filters, or the id.`,
  );
}
