import type { FunctionContext } from "../framework/function";
import { type Adoption, adoptionOf } from "./adoption";
import type { Language, Wanted } from "./arguments";
import { findEnvironment } from "./find";
import type { NameRule } from "./left-out";
import { writeTypeScript } from "./typescript";
import { whyNotInYaml, writeYaml } from "./yaml";

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
 * @throws PreviewenvError when they cannot be read or declared
 */
export async function adopt(context: FunctionContext, wanted: Wanted, language: Language): Promise<string> {
  const environment = await findEnvironment(context, wanted);
  const { variables } = await context.client.envVars.list(environment.id, { signal: context.signal });
  const { rule, write } = WRITERS[language];
  const adoption = adoptionOf(environment, variables, rule);
  for (const { what, reason } of adoption.leftOut) context.log.warn(`not declared: ${what}, because it ${reason}`);
  return write(adoption, wanted);
}
