import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Step } from "./guide";

/** The checkout. */
export const ROOT = resolve(__dirname, "..", "..");

/** A block of code on a page. */
interface Block {
  /** The heading above it. */
  readonly section: string;
  /** What stands behind the opening fence. */
  readonly language: string;
  readonly text: string;
}

/** A file of the checkout. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** All blocks of code on a page, in their order. */
function blocksOf(page: string): readonly Block[] {
  let section = "";
  const parts = read(page).matchAll(/^```(?<language>\w*)\n(?<text>.*?)^```$|^##+ (?<heading>[^\n]+)$/gmsu);
  return [...parts].flatMap(({ groups = {} }) => {
    const { heading, language = "", text } = groups;
    if (heading !== undefined) section = heading;
    return text === undefined ? [] : [{ section, language, text }];
  });
}

/** The text of the first block of a language, in a section or anywhere. @throws when there is none. */
export function block(page: string, language: string, section?: string): string {
  const found = blocksOf(page).find((one) => one.language === language && (section ?? one.section) === one.section);
  if (found === undefined) throw new Error(`${page} has no block of ${language} under "${section ?? "any heading"}"`);
  return found.text;
}

/** The commands that a page shows, in their order: all, or those of one section. @throws when there are none. */
export function commands(page: string, section?: string): readonly Step[] {
  const isShell = (one: Block): boolean => one.language === "sh" || one.language === "";
  const shown = blocksOf(page).filter((one) => isShell(one) && (section ?? one.section) === one.section);
  const lines = shown.flatMap(({ text }) => text.split("\n")).map((line) => line.replace(/\s+# .*$/u, "").trim());
  const steps = lines.filter((line) => line !== "").map((run) => ({ run }));
  if (steps.length === 0) throw new Error(`${page} shows no commands under "${section ?? "any heading"}"`);
  return steps;
}

/** The same steps, with more said about some of them, in their order. @throws when one of them is not there. */
export function expecting(steps: readonly Step[], ...more: readonly Step[]): readonly Step[] {
  const left = [...more];
  const all = steps.map((step) => (step.run === left[0]?.run ? { ...step, ...left.shift() } : step));
  if (left[0] !== undefined) throw new Error(`no page shows the command, or not in this order: ${left[0].run}`);
  return all;
}
