import { environmentTitle } from "../client/error-text";
import { RefusedError } from "../framework/errors";
import type { FunctionContext } from "../framework/function";
import { getEnvironment } from "../functions/get-environment";
import { adoptionOf } from "./adoption";
import type { Wanted } from "./arguments";
import { writeTypeScript } from "./typescript";
import type { Language } from "./usage";
import { whyNotInYaml, writeYaml } from "./yaml";

/**
 * Reads an environment and its variables, and writes the program that declares them as they are. A warning names what it
 * cannot declare.
 * @throws PreviewenvError when they cannot be read or declared, or the environment is deleted
 */
export async function adopt(context: FunctionContext, wanted: Wanted, language: Language): Promise<string> {
  const { client, signal, log } = context;
  const environment = await getEnvironment.invoke(context, "id" in wanted ? wanted : { ...wanted.filters });
  // It is not specified whether a deleted environment has variables, and no resource could be created for it.
  if (environment.deleted)
    throw new RefusedError(
      `environment ${environmentTitle(environment)} is deleted. Revive it first, for example in the dashboard.`,
    );
  const { variables } = await client.envVars.list(environment.id, { signal });
  const isYaml = language === "yaml";
  const adoption = adoptionOf(environment, variables, isYaml ? whyNotInYaml : () => undefined);
  for (const text of adoption.leftOut) log.warn(`not declared: ${text}`);
  return isYaml ? writeYaml(adoption, wanted) : writeTypeScript(adoption, wanted);
}
