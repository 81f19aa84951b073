import { nameList } from "../client/error-text";
import { matchesAny } from "../framework/globs";
import { isUnknown, type Path, type Properties } from "../framework/properties";
import type { Resource } from "../framework/resource";
import { PROVIDER_WITHOUT_CONFIG } from "../framework/settings";
import { visibleInputOf } from "../framework/visible-inputs";
import { valueKindOf } from "./variable";

/** The end of a name. A short word must stand alone: `DB_PASS`, and not `COMPASS`. */
const LIKE_A_SECRET = /(?:password|passwd|apikey|(?:^|[_.-])(?:key|token|secret|pass))$/iu;
const PUBLIC = /(?:^|[_.-])(?:public|publishable)/iu;
/** A switch or a small number: its name tells what is done with secrets, or how many there are. */
const NO_SECRET = /^(?:true|false|yes|no|\d{1,2})$/iu;
/** Also one with words before it, such as `jdbc:`. */
const URL_WITH_PASSWORD = /^[a-z][a-z\d+.:-]*:\/\/[^\s/?#]*:[^\s/?#]+@/iu;
const PRIVATE_KEY = /^\s*-----BEGIN [A-Z ]*PRIVATE KEY/u;

/**
 * The warning of plain texts that read like secrets, in an input that the service shows: by their names, or because they are URLs
 * with a password or private keys. None when there are no such texts. No value is in it.
 * @param secrets the paths of inputs that the program marked as Pulumi secrets
 * @param notSecretNames globs of the names that are none, of the setting `secretHints`
 */
export function secretHints(
  label: string,
  resource: Resource,
  inputs: Properties,
  secrets: readonly Path[],
  notSecretNames: readonly string[],
): readonly string[] {
  const visible = visibleInputOf(resource, inputs);
  if (visible === undefined) return [];
  const { name: property, advice } = visible;
  const value = inputs[property];
  const isOne = typeof value !== "object" || value === null;
  const texts: readonly (readonly [path: string, name: unknown, value: unknown])[] = isOne
    ? [[property, inputs["name"], value]]
    : Object.entries(value).map(([name, entry]) => [`${property}.${name}`, name, entry]);
  const marked = new Set(secrets.map((path) => path.join(".")));
  const paths = texts.flatMap(([path, name, text]) =>
    !marked.has(property) && !marked.has(path) && readsLikeSecret(name, text, notSecretNames) ? [path] : [],
  );
  if (paths.length === 0) return [];
  const [reads, is, them, theyWere] =
    paths.length === 1
      ? ["reads like a secret", "is", "it", "it was"]
      : ["read like secrets", "are", "them", "they were"];
  return [
    `${label}: ${nameList(paths)} ${reads}, and ${is} plain text: the program, diffs and the service's dashboard show ` +
      `${them}. To hide ${them}, ${advice}, with a Pulumi secret, in TypeScript from \`config.requireSecret(...)\`. ` +
      `If ${theyWere} deployed, replace ${them}, too: the next diff and earlier states still show ${them}. ` +
      "For a value that is no secret, name the variable in a setting: `pulumi config set --plaintext previewenv:secretHints " +
      `"SORT_KEY,CACHE_*"\` (\`false\`: no such warnings). ${PROVIDER_WITHOUT_CONFIG}`,
  ];
}

function readsLikeSecret(name: unknown, value: unknown, notSecretNames: readonly string[]): boolean {
  if (typeof value !== "string" || value === "" || isUnknown(value) || valueKindOf(value) !== "value") return false;
  const text = typeof name === "string" ? name : "";
  const isNamedSo = LIKE_A_SECRET.test(text) && !NO_SECRET.test(value);
  const isLike = isNamedSo || URL_WITH_PASSWORD.test(value) || PRIVATE_KEY.test(value);
  if (!isLike || PUBLIC.test(text)) return false;
  return !matchesAny(text, notSecretNames);
}
