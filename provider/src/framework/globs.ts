import picomatch from "picomatch";

/** The syntax, for descriptions. */
export const GLOB_SYNTAX =
  "A pattern must match the whole name; upper and lower case differ. `*` matches any characters or none, `?` one character, " +
  "`[abc]` or `[a-z]` one of these, `{A,B}` either text. After a backslash, a character stands for itself.";

// Names are not paths: `*` must also match "/" (picomatch's option `bash`) and line breaks (flag `s`).
const OPTIONS = { bash: true, dot: true, flags: "s" };

/** Whether a name matches one of the globs. */
export function matchesAny(name: string, globs: readonly string[]): boolean {
  return globs.some((glob) => picomatch.isMatch(name, glob, OPTIONS));
}

/** Why a glob is refused. A negated glob matches everything else, and so makes the other globs of a list useless. */
export function globProblem(glob: string): string | undefined {
  return glob.startsWith("!")
    ? "cannot begin with `!`, because a pattern cannot be negated: list the names that are meant"
    : undefined;
}
