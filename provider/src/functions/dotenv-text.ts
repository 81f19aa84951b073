import { parse } from "dotenv";
import { displayableName, nameList } from "../client/error-text";

// A program loads this file: it imports nothing that is heavy.

/** The content of a `.env` file. */
export interface DotenvText {
  /** Value by name. Of two entries with one name the last counts. */
  readonly entries: ReadonlyMap<string, string>;
  /** Why the text is refused, with the number of a line and nothing of its text. `undefined`: all of it is understood. */
  readonly problem?: string;
  /** Effects of dotenv's rules that a person would not expect. No value is in it. */
  readonly warnings: readonly string[];
}

/** One entry of the text, or a line between entries. */
interface Piece {
  /** The number of its first line. */
  readonly line: number;
  readonly lines: readonly string[];
  /** `undefined` when the line has neither a name nor one of dotenv's two separators. */
  readonly name: string | undefined;
  /** The rest of the first line, without spaces before it. */
  readonly value: string;
  /** Whether the value is closed by the quote that it begins with. */
  readonly isQuoted: boolean;
}

const ENTRY = /^\s*(?:export\s+)?(?<name>[\w.-]+)(?:\s*=|:\s)\s*(?<value>.*)$/su;
const BLANK_OR_COMMENT = /^\s*(?:#.*)?$/su;
/** A value between quotes, as dotenv reads it: a quote within it counts only before a comment or the end of a line. */
const QUOTED = /(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`)[^\S\n]*(?:#[^\n]*)?(?![^\n])/uy;
/** A line within a value that was probably meant as an entry. The last line of a key in PEM ends with `=`. */
const LIKE_AN_ENTRY = /^\s*(?:export\s+)?(?:[A-Za-z_][\w.-]*|[A-Z_][A-Z\d_]*\s+)=(?!=?\s*$)/u;
/** Without its encoding, a file in UTF-16 or Latin-1 becomes a text with these characters. */
const NOT_UTF8 = /[\0\uFFFD]/u;
/** A value after the quote that began it, with what a shell takes for an escape. dotenv leaves the backslash in the value. */
const KEPT_ESCAPE = /^(?:"[^]*\\[$`\\\n\r]|(?<quote>["'`])[^]*\\\k<quote>)/u;
/** What stands in the place of a secret: texts that dotenvx and SOPS write, and references that 1Password, vals and Bank-Vaults replace. */
const STAND_IN = /^(?:encrypted:|ENC\[|(?:\{\{\s*)?op:\/\/|ref\+\w+:\/\/|(?:>>)?vault:(?!\d).*\/)/u;

/**
 * Reads the text of a `.env` file. dotenv skips what it does not understand, and then the variables of those lines would be
 * deleted. So the text is divided into entries here, and dotenv reads one at a time.
 */
export function readDotenv(text: string): DotenvText {
  const whole = text.replace(/^\uFEFF/u, "").replaceAll(/\r\n?/gu, "\n");
  const entries = new Map<string, string>();
  const warnings: string[] = [];
  const refused = (problem: string): DotenvText => ({ entries, warnings, problem });
  if (isJson(whole)) return refused("this is JSON. Parse it as JSON, and pass the map");
  for (const piece of piecesOf(whole)) {
    const { line, lines, name, value, isQuoted } = piece;
    if (BLANK_OR_COMMENT.test(lines.join("\n"))) continue;
    const read = new Map(Object.entries(parse(lines.join("\n"))));
    const problem = problemOf(piece) ?? (read.size === 1 ? undefined : NO_ENTRY);
    if (problem !== undefined) return refused(`line ${line} ${problem}`);
    for (const [readName, entry] of read) {
      entries.set(readName, entry);
      if (isQuoted && KEPT_ESCAPE.test(value.charAt(0) + entry))
        warnings.push(
          `line ${line}: the value of ${displayableName(readName)} keeps the backslashes before quotes, \`$\`, backslashes and line breaks. ` +
            "Write it without escapes, in single quotes or others that it does not contain",
        );
    }
    if (!isQuoted && /(?:^|\S)#/u.test(value))
      warnings.push(
        `line ${line}: the value of ${displayableName(name ?? "")} ends before the "#". When the "#" is part of it, put the value in quotes`,
      );
  }
  if (entries.size === 0) return refused("there is no entry in it. When no variable is meant, leave the file out");
  const unread = [...entries].filter(([, value]) => STAND_IN.test(value)).map(([name]) => name);
  if (unread.length > 0)
    warnings.push(
      `the values of ${nameList(unread)} are encrypted or references to secrets, and the service gets them as they are. Put the secrets into ` +
        "the file first (`dotenvx decrypt`, `sops decrypt`, `op inject`)",
    );
  return { entries, warnings };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function* piecesOf(text: string): Generator<Piece> {
  for (let start = 0, line = 1; start < text.length;) {
    const breakAt = text.indexOf("\n", start);
    const lineEnd = breakAt === -1 ? text.length : breakAt;
    const { name, value = "" } = ENTRY.exec(text.slice(start, lineEnd))?.groups ?? {};
    QUOTED.lastIndex = lineEnd - value.length;
    const isQuoted = value !== "" && QUOTED.test(text);
    const end = isQuoted ? QUOTED.lastIndex : lineEnd;
    const lines = text.slice(start, end).split("\n");
    yield { line, lines, name, value, isQuoted };
    line += lines.length;
    start = end + 1;
  }
}

const NO_ENTRY = "is no entry (`NAME=value`), no comment and not blank";

/** Why an entry is refused, after the number of its line. */
function problemOf({ line, lines: [first = "", ...others], name, value, isQuoted }: Piece): string | undefined {
  if (NOT_UTF8.test(first)) return "has a character that stands for what cannot be read. Save the file as UTF-8";
  if (name === undefined) return NO_ENTRY;
  const meant = others.findIndex((text) => LIKE_AN_ENTRY.test(text));
  if (meant !== -1)
    return (
      `begins a value whose quote closes in line ${line + others.length}, and line ${line + 1 + meant} looks like another entry. Close the ` +
      "quote, or write the value in one line, in double quotes with `\\n` for a line break"
    );
  if (isQuoted) return undefined;
  const content = value.split("#", 1).join("").trimEnd();
  if (/^['"`]/u.test(content))
    return content.length > 1 && content.at(-1) === content[0]
      ? undefined
      : "has a quote that is not closed, or text after it";
  return /\\[nr]/u.test(content)
    ? "has `\\n` or `\\r` in a value without quotes, where it is no line break. Put the value in double quotes for a line break, or in " +
        "single quotes for the two characters. From SOPS, take `sops decrypt --output-type json`, and parse that"
    : undefined;
}
