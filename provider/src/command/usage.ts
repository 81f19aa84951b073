/** One option of a command: `parseArgs` reads it, `--help` and docs/command-line.md show it. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  readonly default?: string;
  /** What stands for its value in texts, such as `FILE`. A switch has none. */
  readonly value?: string;
  /** What it does: whole sentences in Markdown. A default and a repetition are added. */
  readonly text: string;
}

/** Everything that a command says about itself. */
export interface Usage {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What follows the name: `[options]`. */
  readonly calls: readonly string[];
  /** Options by the heading above them. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, Option>>>>;
  /** Paragraphs below the options. */
  readonly notes: readonly string[];
  readonly exitCodes: readonly (readonly [code: number, text: string])[];
}

const WIDTH = 80;

/** The options that every command has. */
const COMMON_OPTIONS = {
  help: { type: "boolean", text: "Shows this text." },
  version: { type: "boolean", text: "Shows the version of the package." },
} as const satisfies Readonly<Record<string, Option>>;

/** What `--help` prints: plain text, at most 80 characters wide. */
export function helpOf({ name, summary, calls, groups, notes, exitCodes }: Usage): string {
  const all = [...Object.values(groups), COMMON_OPTIONS].flatMap((options) => Object.entries(options));
  const width = Math.max(...all.map(([option, { value }]) => formOf(option, value).length)) + 4;
  const lines = (options: Readonly<Record<string, Option>>): readonly string[] =>
    Object.entries(options).flatMap(([option, declared]) =>
      wrap(sentencesOf(declared), WIDTH - width).map(
        (line, at) => (at === 0 ? `  ${formOf(option, declared.value)}` : "").padEnd(width) + line,
      ),
    );
  const sections = Object.entries(groups).map(([heading, options]) => [
    ...wrap(`${heading}:`, WIDTH),
    ...lines(options),
  ]);
  const codes = exitCodes.map(([code, text]) =>
    wrap(`${code}  ${text}`, WIDTH - 5).map((line, at) => `${at === 0 ? "  " : "     "}${line}`),
  );
  const calling = calls.map((call, at) => `${at === 0 ? "Usage: " : "       "}${name} ${call}`);
  const paragraphs = [
    wrap(`${name}: ${summary}`, WIDTH),
    calling,
    ...sections.map((section, at) => (at === sections.length - 1 ? [...section, ...lines(COMMON_OPTIONS)] : section)),
    ...notes.map((note) => wrap(note, WIDTH)),
    ["Exit codes:", ...codes.flat()],
  ];
  return `${paragraphs
    .map((one) => one.join("\n"))
    .join("\n\n")
    .replaceAll("`", "")}\n`;
}

/** An option as somebody writes it: `--stack NAME`. */
export function formOf(option: string, value?: string): string {
  return value === undefined ? `--${option}` : `--${option} ${value}`;
}

/** What an option does, with its default and whether it may be repeated. */
export function sentencesOf({ text, default: fallback, multiple }: Option): string {
  return [text, fallback === undefined ? "" : `Default: \`${fallback}\`.`, multiple === true ? "May be repeated." : ""]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Lines of whole words. Backticks are not counted: they are not printed. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && longer.replaceAll("`", "").length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
