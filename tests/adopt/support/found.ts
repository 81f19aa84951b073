import type { Environment, EnvVar } from "../../../provider/src/client";
import { adoptionOf } from "../../../provider/src/adopt/adoption";
import type { Selector } from "../../../provider/src/adopt/arguments";
import type { Language } from "../../../provider/src/adopt/usage";
import { writeTypeScript } from "../../../provider/src/adopt/typescript";
import { whyNotInYaml, writeYaml } from "../../../provider/src/adopt/yaml";

export const ID = "11111111-1111-4111-8111-111111111142";

/** An environment of the repositories `web` and `api`. */
export function environment(rest: Partial<Environment> = {}): Environment {
  const projects = ["web", "api"].map((repoName) => ({
    repoName,
    orgName: "acme",
    branch: "main",
    commitHash: "1a2b3c",
  }));
  const flags = { processing: false, ready: true, retired: false, deleted: false, stopped: false };
  return { id: ID, name: "shop", url: "https://shop.example", ...flags, projects, ...rest };
}

/** A visible variable. */
export function visible(name: string, value: string, services: readonly string[] = []): EnvVar {
  return { name, value, hidden: false, services };
}

/** A hidden variable, with a mask that must be seen nowhere. */
export function hidden(name: string, services: readonly string[] = []): EnvVar {
  return { name, value: MASK, hidden: true, services };
}

export const MASK = "pa********rd";

/** The program for what was found, and what it leaves out. */
export function written(
  language: Language,
  variables: readonly EnvVar[],
  { found = environment(), selector = { id: ID } }: { readonly found?: Environment; readonly selector?: Selector } = {},
): { readonly program: string; readonly leftOut: readonly string[] } {
  const isYaml = language === "yaml";
  const adoption = adoptionOf(found, variables, isYaml ? whyNotInYaml : () => undefined);
  return {
    program: isYaml ? writeYaml(adoption, selector) : writeTypeScript(adoption, selector),
    leftOut: adoption.leftOut,
  };
}
