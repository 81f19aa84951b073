const WIDTH = 112;

/** A doc comment of the given sentences, wrapped, with tags on lines of their own; on one line when it fits. */
export function comment(sentences: readonly string[]): string {
  const isTag = (one: string): boolean => one.startsWith("@");
  const text = sentences.filter((one) => one !== "" && !isTag(one)).join(" ");
  const lines = [...(text === "" ? [] : wrap(text)), ...sentences.filter(isTag)];
  if (lines.length === 1) return `/** ${lines[0] ?? ""} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`), " */"].join("\n");
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll("*/", "*\\/").split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
