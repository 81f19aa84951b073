import { adoptionOf } from "../../../provider/src/adopt/adoption";
import type { Selector } from "../../../provider/src/adopt/arguments";
import { writeTypeScript } from "../../../provider/src/adopt/typescript";
import type { Language } from "../../../provider/src/adopt/usage";
import { writeYaml } from "../../../provider/src/adopt/yaml";
import type { EnvVar } from "../../../provider/src/client/env-vars";
import type { Environment } from "../../../provider/src/client/environments";
import type { VariableSeed } from "../../../provider/src/sandbox";

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
  const adoption = adoptionOf(found, variables, language);
  return {
    program: language === "yaml" ? writeYaml(adoption, selector) : writeTypeScript(adoption, selector),
    leftOut: adoption.leftOut,
  };
}

/** Names and values that a language, a path or the engine could take for something else. */
const ODD: readonly (readonly [name: string, value: string])[] = [
  ["with.dot", "a.b"],
  ["with/slash", "a/b"],
  ['quo"te', `it's "quoted" 'twice'`],
  ["yes", "no"],
  ["constructor", "toString"],
  ["__internal", "__proto__"],
  ["ÄÖ-東京", "Grüße, 東京, 👩‍👩‍👧, e\u0301, \u200F, \u2028"],
  ["%2F", "%s %2F"],
  ["${name}", "${NOT} $${EXPANDED} $$ $ $HOME `x` ${"],
  ["*/", "*/ // -->"],
  ["EMPTY", ""],
  ["LINES", "first\n second\n\nlast\n"],
  ["CONTROL", "\u0000\u001B[31m\u007f\u0085\ufeff"],
  ["JSON", JSON.stringify({ nested: { list: [1, null, "\u00e9"] } })],
  ["KEY", `-----BEGIN KEY-----\n${"MIIEvQIBADANBg/+\n".repeat(20)}-----END KEY-----\n`],
  ["LARGE", "0123456789abcdef".repeat(4096)],
  ["a\\b", "\\n \\u0041 \\"],
];
const SCOPES = [["web", "worker"], ["web", "worker"], ["web"], [], ["api"]] as const;
const ALL = 60;

/** 60 variables, as people make them in a dashboard over the years: every third hidden, four scopes. */
export const madeByHand: readonly VariableSeed[] = Array.from({ length: ALL }, (_unused, index) => {
  const [name, value] = ODD[index] ?? [`NAME_${index}`, `value number ${index}`];
  const services = SCOPES[index % SCOPES.length] ?? [];
  const isHidden = index % 3 === 0;
  return { name, value: isHidden ? `${value} hidden-0123456789` : value, hidden: isHidden, services: [...services] };
});
