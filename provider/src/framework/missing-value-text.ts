import { displayableName } from "../client/error-text";

export { displayableName };

/**
 * The kind of an input decides what a missing value means. `default`: a single value that may be left out, so that a plain `undefined`
 * counts as left out. `required`: an input that nobody may leave out. `list`, `map`: what it is. `anything`: a list whose items may be
 * anything. `setting`: a single value that is no empty text. An input that is not named is a single value that must have one.
 */
export type InputKind = "default" | "required" | "list" | "map" | "anything" | "setting";

/** The kinds of a declaration's inputs, by name: `generate` writes them into the classes and functions of a program. */
export type InputKinds = Readonly<Record<string, InputKind>>;

// A program loads this file: it imports nothing that is heavy.

const MAX_LISTED = 10;

/** Why an input is refused that has no value, in every language: what follows its path. */
export const NO_VALUE = `${reason(1)} Leave the name out, or give it a value`;

/** Why parts of an input of a program or a component are refused, with their paths: `variables.API_URL has no value: ...`. */
export function noValueText(input: string, kind: InputKind | undefined, paths: readonly string[]): string {
  const more = paths.length > MAX_LISTED ? ` and ${paths.length - MAX_LISTED} more` : "";
  const [isWhole, isItem] = [paths[0] === input, paths.every((path) => path.endsWith("]"))];
  const left = `Leave the ${isItem ? "item" : "name"} out${isWhole ? spread(input, kind) : ""}, or give it a value${isWhole ? empty(input, kind) : ""}`;
  const advice = isWhole && kind === "required" ? "It is required: give it a value" : left;
  return `${paths.slice(0, MAX_LISTED).map(displayableName).join(", ")}${more} ${reason(paths.length)} ${advice}`;
}

function reason(count: number): string {
  return count === 1
    ? "has no value: an output or a setting that it comes from does not exist."
    : "have no value: outputs or settings that they come from do not exist.";
}

/** How a program leaves out a whole list or map. The plugin makes components for programs of every language, and cannot tell which. */
function spread(input: string, kind: InputKind | undefined): string {
  const name = input.slice(input.lastIndexOf(".") + 1);
  return isSingle(kind) ? "" : ` (in TypeScript: \`...(${name} && { ${name} })\`)`;
}

/** The value that says that there is nothing in it. */
function empty(input: string, kind: InputKind | undefined): string {
  if (isSingle(kind)) return "";
  if (kind === "map") return " (`{}` when no entry is meant)";
  return input.endsWith("services") ? " (`[]` when every service is meant)" : " (`[]` when no item is meant)";
}

function isSingle(kind: InputKind | undefined): boolean {
  return kind === undefined || kind === "default" || kind === "required" || kind === "setting";
}
