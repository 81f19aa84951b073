import { readFileSync } from "node:fs";
import * as path from "node:path";

/** Where the TypeScript SDK has what somebody wrote. */
export const RUNTIME = "sdk/nodejs/runtime";

/** A declaration that somebody wrote in TypeScript. */
export interface Written {
  readonly name: string;
  /** The text of its doc comment before the tags. A link is the name that it links to. */
  readonly description: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Of a type or an interface: the declaration as the file has it, with its comment. */
  readonly source: string;
}

/** An exported declaration of a file of the TypeScript SDK, with its doc comment. */
export function declarationOf(file: string, name: string): Written {
  const declaration = `(?:class ${name}|function ${name}|type ${name}\\b.*|interface ${name}\\b[^]*?^\\})`;
  const text = readFileSync(path.join(RUNTIME, file), "utf8");
  const [source, comment = ""] =
    new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport ${declaration}`, "mu").exec(text) ?? [];
  if (source === undefined) throw new Error(`${file} does not declare ${name} with a comment`);
  const [description = "", ...tags] = comment.replaceAll(/^ *\* ?/gmu, "").split(/^@/mu);
  return { name, source, description: unwrapped(description), tags: new Map(tags.map(tagOf)) };
}

function tagOf(text: string): readonly [name: string, text: string] {
  const [name = ""] = /^\w+/u.exec(text) ?? [];
  return [name, text.slice(name.length).trim()];
}

/** A line of a comment ends where it was wrapped, so that only an empty line is kept. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replaceAll(/\{@link (\w+)\}/gu, "`$1`")
    .replaceAll(/(?<!\n)\n(?!\n)/gu, " ");
}
