import { nameList } from "../client/error-text";
import type { Properties } from "./properties";
import { type ResourceFacts, visibleInputOf } from "./resource-facts";

const LIKE_A_SECRET = /_(?:key|token|secret|password)$/iu;
const PUBLIC = /public|publishable/iu;
const URL_WITH_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#]*:[^\s/?#]+@/iu;

/** What a warning about plain texts needs. */
export interface Subject {
  /** Such as `EnvVarSet "vars"`. */
  readonly label: string;
  readonly facts: ResourceFacts;
  /** Whether a value, of an entry or of the input itself, stands in the program as plain text, and is no marker. */
  readonly isPlain: (value: string, entry?: string) => boolean;
  /** How a program says of one value that it is no secret, where its language has a way. */
  readonly exception?: string;
}

/**
 * The warning of plain texts that read like secrets, in an input that the service shows: by their names, or because they are URLs
 * with a password. `undefined` when there are none. No value is in it.
 */
export function secretHint({ label, facts, isPlain, exception }: Subject, inputs: Properties): string | undefined {
  const visible = visibleInputOf(facts, inputs);
  if (visible === undefined) return undefined;
  const { name: property, advice } = visible;
  const value = inputs[property];
  const paths =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, entry]) =>
          readsLikeSecret(name, entry) && isPlain(entry, name) ? [`${property}.${name}`] : [],
        )
      : readsLikeSecret(inputs["name"], value) && isPlain(value)
        ? [property]
        : [];
  if (paths.length === 0) return undefined;
  const [reads, is, them] =
    paths.length === 1 ? ["reads like a secret", "is", "it"] : ["read like secrets", "are", "them"];
  return (
    `${label}: ${nameList(paths)} ${reads}, and ${is} plain text: the program, diffs and the service's dashboard show ` +
    `${them}; ${advice}, with a value from \`config.requireSecret(...)\`. ` +
    `For what is none: ${exception === undefined ? "" : `${exception}, or `}set previewenv:secretHints to false.`
  );
}

function readsLikeSecret(name: unknown, value: unknown): value is string {
  if (typeof value !== "string" || value === "") return false;
  const text = typeof name === "string" ? name : "";
  return !PUBLIC.test(text) && (LIKE_A_SECRET.test(text) || URL_WITH_PASSWORD.test(value));
}
