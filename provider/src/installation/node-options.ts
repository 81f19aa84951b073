/** They load what belongs to the programs that somebody sets NODE_OPTIONS for, or wait for somebody who looks into these. */
const OF_PROGRAMS =
  /^(?:-r|--(?:require|import|(?:experimental-)?loader|snapshot-blob|experimental-package-map|entry-url|inspect.*|watch.*))$/;

/**
 * Those of NODE_OPTIONS that suit every program, such as `--use-system-ca`.
 * @param isKnown whether the Node that gets them knows an option
 */
export function optionsForAll(nodeOptions: string, isKnown: (option: string) => boolean = () => true): string {
  let isKept = false;
  const kept = wordsOf(nodeOptions).filter((word) => {
    const option = word.replace(/=.*/s, "").replace(/_/g, "-");
    // A word without a dash is the value of the option before it.
    if (word.startsWith("-")) isKept = !OF_PROGRAMS.test(option) && isKnown(option);
    return isKept;
  });
  return kept.map(quoted).join(" ");
}

/** The words as Node reads them: between double quotes a space is a part of the word, and a backslash stands before a character. */
function wordsOf(text: string): readonly string[] {
  const words: readonly string[] = text.match(/(?:"(?:\\.|[^"\\])*"|[^ "])+/g) ?? [];
  return words.map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner: string) => inner.replace(/\\(.)/g, "$1")));
}

function quoted(word: string): string {
  return /[ "]/.test(word) ? `"${word.replace(/["\\]/g, String.raw`\$&`)}"` : word;
}
