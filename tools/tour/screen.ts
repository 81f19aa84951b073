import { styleText } from "node:util";

const RULE_WIDTH = 100;
const OUTPUT_PREFIX = "  | ";

/** How the tour looks: its own words at the left, what a program prints behind a bar. Plain text unless `isColoured`. */
export class Screen {
  readonly isColoured: boolean;
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void, isColoured: boolean) {
    this.#write = write;
    this.isColoured = isColoured;
  }

  /** A line, or several, of the tour's own. */
  say(text = ""): void {
    this.#write(`${text}\n`);
  }

  /** The beginning of a step, with the line that says what to look at. */
  step(title: string, lookAt: string): void {
    this.say();
    this.say(this.#styled("bold", `== ${title} `.padEnd(RULE_WIDTH, "=")));
    this.say(`look at: ${lookAt}`);
  }

  /** A command as a person would type it. */
  command(words: readonly string[]): void {
    this.say();
    this.say(this.#styled("bold", `$ ${words.map(quoted).join(" ")}`));
  }

  /** Something that a person does, and that no command shows. */
  byHand(text: string): void {
    this.say(`  by hand: ${text}`);
  }

  /** Something that was checked and is so. */
  confirmed(claim: string): void {
    this.say(`  ${this.#styled("green", "ok:")} ${claim}`);
  }

  /** Takes the pieces that a program prints, and shows whole lines of them; call `end` when there are no more. */
  output(): { take(text: string): void; end(): void } {
    let rest = "";
    return {
      take: (text) => {
        const lines = (rest + text).split(/\r?\n/u);
        rest = lines.pop() ?? "";
        for (const line of lines) this.say((OUTPUT_PREFIX + line).trimEnd());
      },
      end: () => {
        if (rest !== "") this.say((OUTPUT_PREFIX + rest).trimEnd());
        rest = "";
      },
    };
  }

  #styled(style: "bold" | "green", text: string): string {
    return this.isColoured ? styleText(style, text, { validateStream: false }) : text;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
