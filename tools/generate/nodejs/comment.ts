import { identity } from "../../release/owner";
import { typescriptSnippet } from "../snippets";

const WIDTH = 112;

/** What programs import: for the dynamic provider, and for the native plugin. */
export const entries = { dynamic: identity.npmPackage, native: identity.nativeNpmPackage } as const;

/** A doc comment of the given sentences, wrapped, with tags on lines of their own; on one line when it fits. */
export function comment(sentences: readonly string[]): string {
  const isTag = (one: string): boolean => one.startsWith("@");
  const text = sentences.filter((one) => one !== "" && !isTag(one)).join(" ");
  const tags = sentences.filter(isTag).flatMap((one) => (one.includes("\n") ? escaped(one).split("\n") : wrap(one)));
  const lines = [...(text === "" ? [] : wrap(text)), ...tags];
  if (lines.length === 1) return `/** ${lines[0] ?? ""} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** The tag with the default of a property, as editors show it; none when it has no default. */
export function defaultTag(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`@default ${value}`];
}

/** The tag with the example of a resource or function, for those who import `entry`. */
export function exampleTag(name: string, entry: string): string {
  return `@example\n\`\`\`typescript\n${typescriptSnippet(name, entry)}\n\`\`\``;
}

function escaped(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of escaped(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
