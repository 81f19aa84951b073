const PLAIN_STEP = /^[\w-]+$/u;
/** In quotes a backslash escapes a quote and nothing else. */
const STEP = /\.?(?<plain>[^.[\]]+)|\[(?<index>\d+|\*)\]|\["(?<quoted>(?:\\"|[^"])*)"\]/gu;
const WILDCARD = "*";

/** A path as the engine reads it: `secrets.TOKEN`, `variables["with.dot"]` (`sdk/go/common/resource/properties_path.go`). */
export function formatPath([root = "", ...steps]: readonly string[]): string {
  return (
    root + steps.map((step) => (PLAIN_STEP.test(step) ? `.${step}` : `["${step.replaceAll('"', '\\"')}"]`)).join("")
  );
}

/** The steps of a path of the engine, or of one that a program wrote, for example in `ignoreChanges`. */
export function parsePath(path: string): readonly string[] {
  return [...path.matchAll(STEP)].map(({ groups = {} }) => {
    const { plain, index, quoted } = groups;
    return plain ?? index ?? (quoted ?? "").replaceAll('\\"', '"');
  });
}

/** Whether a path is, or lies below, one of the given ones; `*` stands for any step. */
export function isWithin(path: readonly string[], roots: readonly (readonly string[])[]): boolean {
  return roots.some(
    (root) => root.length <= path.length && root.every((step, index) => step === WILDCARD || step === path[index]),
  );
}
