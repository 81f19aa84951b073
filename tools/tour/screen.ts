import { styleText } from "node:util";

const RULE_WIDTH = 100;

/** A line, or several, of the tour's own. */
export function say(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** The beginning of a step, with the line that says what to look at. */
export function showStep(title: string, lookAt: string): void {
  say(`\n${styleText("bold", `== ${title} `.padEnd(RULE_WIDTH, "="))}\nlook at: ${lookAt}`);
}

/** A command as a person would type it. */
export function showCommand(words: readonly string[]): void {
  say(`\n${styleText("bold", `$ ${words.map(quoted).join(" ")}`)}`);
}

/** A line that a program prints. */
export function showOutput(line: string): void {
  say(`  | ${line}`.trimEnd());
}

/** Something that a person does, and that no command shows. */
export function showByHand(text: string): void {
  say(`  by hand: ${text}`);
}

/** Something that was checked and is so. */
export function showConfirmed(claim: string): void {
  say(`  ${styleText("green", "ok:")} ${claim}`);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
