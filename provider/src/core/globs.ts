import picomatch from "picomatch";

/** Whether a name matches one of the globs (`*`, `?`, `[abc]`, `{a,b}`); no character of a name is special. */
export function matchesAny(name: string, globs: readonly string[]): boolean {
  // Names are no paths: "/" is a character like any other, so `*` has to match it, which picomatch calls `bash`.
  return globs.some((glob) => picomatch.isMatch(name, glob, { bash: true, dot: true }));
}
