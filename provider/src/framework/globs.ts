import type picomatch from "picomatch";

/** The syntax, for descriptions. */
export const GLOB_SYNTAX =
  "A glob must match the whole name, and is case-sensitive. `*` matches any characters or none, `?` one " +
  "character, `[abc]` or `[a-z]` one of these, `{A,B}` either text. A backslash makes the next character literal.";

// Names are not paths: `*` must also match "/" (picomatch's option `bash`) and line breaks (flag `s`).
const OPTIONS = { bash: true, dot: true, flags: "s" };

/** To read a glob takes a hundred times as long as to match a name. A program has a few of them, and thousands of names. */
const matchers = new Map<string, (name: string) => boolean>();

/** Whether a name matches one of the globs. */
export function matchesAny(name: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matcher(glob)(name));
}

function matcher(glob: string): (name: string) => boolean {
  const known = matchers.get(glob);
  if (known !== undefined) return known;
  // With the first glob: most programs and runs have none, and all of them would wait for it.
  const compile: typeof picomatch = require("picomatch");
  const matches = compile(glob, OPTIONS);
  matchers.set(glob, matches);
  return matches;
}

/**
 * Why a glob is refused. picomatch fails for an empty one. A negated one matches everything else, and so makes the others of a list useless. One
 * with an open bracket or brace, or with a backslash at its end, matches at most the name that is written so.
 */
export function globProblem(glob: string): string | undefined {
  if (glob === "") return "must not be empty";
  if (glob.startsWith("!"))
    return "cannot begin with `!`, because a pattern cannot be negated: list the names that are meant";
  const unescaped = glob.replaceAll(/\\./gsu, "_");
  if (unescaped.endsWith("\\")) return "cannot end with a single backslash: write `\\\\` for the character itself";
  // A `]` right behind the `[` is one of the characters. A brace within brackets is one, too.
  const outside = unescaped.replaceAll(/\[[!^]?[^][^\]]*\]/gu, "_");
  if (outside.includes("[")) return "has a `[` without a `]`: write `\\[` for the character itself";
  return hasOpenBrace(outside) ? "has a `{` without a `}`: write `\\{` for the character itself" : undefined;
}

/** Braces may stand within braces. */
function hasOpenBrace(glob: string): boolean {
  let depth = 0;
  for (const char of glob)
    if (char === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
  return depth > 0;
}
