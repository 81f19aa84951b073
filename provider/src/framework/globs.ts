import picomatch from "picomatch";

/** The syntax, for descriptions. */
export const GLOB_SYNTAX =
  "A pattern must match the whole name; upper and lower case differ. `*` matches any characters or none, `?` one character, " +
  "`[abc]` or `[a-z]` one of these, `{A,B}` either text. After a backslash, a character stands for itself.";

// Names are no paths: "/" is a character like any other, so `*` has to match it, which picomatch calls `bash`; so is a
// line break.
const OPTIONS = { bash: true, dot: true, flags: "s" };

/** Whether a name matches one of the globs; no character of a name is special. */
export function matchesAny(name: string, globs: readonly string[]): boolean {
  return globs.some((glob) => picomatch.isMatch(name, glob, OPTIONS));
}

/** Why a glob is refused: among several, one that matches everything else would make the others useless. */
export function globProblem(glob: string): string | undefined {
  return glob.startsWith("!")
    ? "cannot begin with `!`, because a pattern cannot be negated: list the names that are meant"
    : undefined;
}
