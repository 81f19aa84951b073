import { nameList } from "../client/error-text";
import type { Properties } from "./properties";
import type { ResourceFacts, VisibleInput } from "./resource-facts";

// What the service shows as plain text, and what is said of it. A program loads this file: it imports nothing that is heavy.

const LIKE_A_SECRET = /_(?:key|token|secret|password)$/iu;
const PUBLIC = /public|publishable/iu;
const URL_WITH_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#]*:[^\s/?#]+@/iu;

/** The input of these inputs that the service shows as plain text. `undefined` when it shows none. */
export function visibleInputOf(
  { visibleInput, secrets, secretUnlessFalse = "" }: ResourceFacts,
  inputs: Readonly<Record<string, unknown>>,
): VisibleInput | undefined {
  if (visibleInput === undefined || !secrets.includes(visibleInput.name)) return visibleInput;
  return inputs[secretUnlessFalse] === false ? visibleInput : undefined;
}

/** The warning about Pulumi secrets in such an input. `what` is like `EnvVarSet "vars": variables.TOKEN`. */
export function visibleSecretWarning(what: string, advice: string, count: number = 1): string {
  const [are, them] = count === 1 ? ["is a Pulumi secret", "it"] : ["are Pulumi secrets", "them"];
  return `${what} ${are}, and the service shows ${them} to everybody who can open the dashboard: ${advice}.`;
}

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
    `${them}. To hide ${them}, ${advice}, with a value from \`config.requireSecret(...)\`. ` +
    `For a value that is no secret: ${exception === undefined ? "" : `${exception}, or `}set previewenv:secretHints to false.`
  );
}

function readsLikeSecret(name: unknown, value: unknown): value is string {
  if (typeof value !== "string" || value === "") return false;
  const text = typeof name === "string" ? name : "";
  return !PUBLIC.test(text) && (LIKE_A_SECRET.test(text) || URL_WITH_PASSWORD.test(value));
}
