import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutation } from "./mutation";
import { type Token, tokensOfFile, tokensOfPiece } from "./token";

/** The service that tests and users try the provider against: no bug of the provider is there. */
const LEFT_OUT = /^sandbox[\\/]/;
const HINTS = 3;

/** A source file; `path` starts below the folder of the sources. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Where a mutation applies, and its text in the names that the place has now. */
export interface Place {
  readonly source: Source;
  readonly line: number;
  readonly broken: string;
}

interface Fit {
  readonly source: Source;
  readonly first: Token;
  readonly last: Token;
  readonly renamed: ReadonlyMap<string, string>;
  /** How many names are spelled as the mutation spells them. */
  readonly kept: number;
}

export function readSources(folder: string): readonly Source[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(".ts") && !LEFT_OUT.test(path))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      return { path, text, tokens: tokensOfFile(path, text) };
    });
}

/**
 * The one place whose tokens are those of the mutation, but for names: whoever moves a file, renames an identifier or formats a line has nothing
 * to do here. Of several such places it is the one that has kept the most names; half of them is the least.
 *
 * @throws Error When there is no such place or more than one: it says which mutation needs a new `from`, and where its names are.
 */
export function findPlace(sources: readonly Source[], { title, from, to }: Mutation): Place {
  const piece = tokensOfPiece(from);
  const names = piece.filter(({ isName }) => isName).length;
  const fits = sources.flatMap((source) => fitsIn(source, piece)).filter(({ kept }) => kept * 2 >= names);
  const most = Math.max(...fits.map(({ kept }) => kept));
  const [best, ...others] = fits.filter(({ kept }) => kept === most);
  if (best === undefined || others.length > 0) {
    const seen =
      others.length > 0 ? fits.map(({ source, first }) => lineAt(source, first.start)) : hints(sources, piece);
    throw new Error(
      `The mutation "${title}" is found in ${fits.length === 0 ? "no place" : `${fits.length} places`} of provider/src. ` +
        `Give it a new "from", longer or in today's words.\n  from: ${from}\n  see: ${seen.join("\n       ")}`,
    );
  }
  const { source, first, last, renamed } = best;
  const broken = source.text.slice(0, first.start) + rename(to, renamed) + source.text.slice(last.end);
  return { source, line: lineNumber(source.text, first.start), broken };
}

function fitsIn(source: Source, piece: readonly Token[]): Fit[] {
  return source.tokens.flatMap((first, start) => {
    const last = source.tokens[start + piece.length - 1];
    const renamed = renamedAt(source.tokens, start, piece);
    if (renamed === undefined || last === undefined) return [];
    const kept = piece.filter(({ isName, text }) => isName && renamed.get(text) === text).length;
    return [{ source, first, last, renamed, kept }];
  });
}

/** What each name of the piece is called from a token on; undefined when something else than a name differs there. */
function renamedAt(tokens: readonly Token[], start: number, piece: readonly Token[]): Map<string, string> | undefined {
  const renamed = new Map<string, string>();
  for (const [index, { text, isName }] of piece.entries()) {
    const found = tokens[start + index];
    if (found === undefined || found.isName !== isName) return undefined;
    if (!isName && found.text !== text) return undefined;
    if (isName && (renamed.get(text) ?? found.text) !== found.text) return undefined;
    if (isName) renamed.set(text, found.text);
  }
  return renamed;
}

function rename(piece: string, renamed: ReadonlyMap<string, string>): string {
  const tokens = tokensOfPiece(piece).filter(({ isName }) => isName);
  return tokens.reduceRight(
    (text, { start, end, text: name }) => text.slice(0, start) + (renamed.get(name) ?? name) + text.slice(end),
    piece,
  );
}

/** The lines that have the most of a piece's names. */
function hints(sources: readonly Source[], piece: readonly Token[]): string[] {
  const names = new Set(piece.flatMap(({ isName, text }) => (isName ? [text] : [])));
  const lines = sources.flatMap((source) => {
    const found = new Map<number, Set<string>>();
    for (const { text, start } of source.tokens)
      if (names.has(text)) {
        const line = lineNumber(source.text, start);
        found.set(line, (found.get(line) ?? new Set()).add(text));
      }
    return [...found].map(([line, { size }]) => ({ size, text: lineText(source, line) }));
  });
  return lines
    .toSorted((one, other) => other.size - one.size)
    .slice(0, HINTS)
    .map(({ text }) => text);
}

function lineAt(source: Source, position: number): string {
  return lineText(source, lineNumber(source.text, position));
}

function lineText({ path, text }: Source, line: number): string {
  return `${path}:${line}: ${text.split("\n")[line - 1]?.trim() ?? ""}`;
}

function lineNumber(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
