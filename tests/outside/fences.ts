import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Step } from "./guide";

export const ROOT = resolve(__dirname, "..", "..");

/**
 * What a fence is for. The comment in the line above it says so:
 * - `<!-- file: NAME -->`: a file that the reader writes. `<!-- file: NAME = PATH -->`: the same as that file of the project;
 * - `<!-- part of PATH -->`: lines of that file of the project;
 * - `<!-- not run: WHY -->`: nothing to follow.
 *
 * Without a comment, `sh` or no language are commands. `<!-- fences run by PATH -->` says that this test runs what has no comment, from there to the
 * next heading.
 */
export type Use = "commands" | "file" | "part" | "not run" | "elsewhere" | "unknown";

/** A block of code on a page. */
export interface Fence {
  readonly page: string;
  /** The heading above it. */
  readonly section: string;
  /** The number of its first line of text. */
  readonly line: number;
  readonly lines: readonly string[];
  readonly use: Use;
  /** NAME, PATH or WHY of its comment. */
  readonly about: string;
  /** The file of the project that is the same. */
  readonly same?: string | undefined;
}

const COMMENT = /^ *<!-- (?<use>file|part|not run)(?::| of) (?<about>.+?)(?: = (?<same>\S+))? -->$/u;
const ELSEWHERE = /^<!-- fences run by (\S+) -->$/u;
const OPENS = /^ *```(?<language>\w*)$/u;
const END = "END OF FILE";

export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The first cell of each row of the table on a page whose head begins like this. */
export function firstCells(page: string, head: string): readonly string[] {
  const lines = read(page).split("\n");
  const rows = lines.slice(lines.findIndex((line) => line.startsWith(head)) + 2);
  return rows.slice(0, rows.indexOf("")).map((row) => row.split(" | ")[0]?.slice(2) ?? "");
}

/** All blocks of code on a page, in their order. */
export function fencesOf(page: string): readonly Fence[] {
  const text = read(page);
  const lines = text.split("\n");
  let elsewhere: string | undefined;
  const fences: Fence[] = [];
  let section = "";
  for (let at = 0; at < lines.length; at++) {
    const [line = "", before = ""] = [lines[at], lines[at - 1]];
    const heading = /^##+ (.+)$/u.exec(line)?.[1];
    if (heading !== undefined) [section, elsewhere] = [heading, undefined];
    elsewhere = ELSEWHERE.exec(line)?.[1] ?? elsewhere;
    const { language } = OPENS.exec(line)?.groups ?? {};
    if (language === undefined) continue;
    const end = lines.findIndex((one, index) => index > at && one.trim() === "```");
    const inside = lines.slice(at + 1, end);
    fences.push({ page, section, line: at + 2, lines: inside, ...useOf(before, language, elsewhere) });
    at = end;
  }
  return fences;
}

function useOf(
  comment: string,
  language: string,
  elsewhere: string | undefined,
): Pick<Fence, "use" | "about" | "same"> {
  const { use, about = "", same } = COMMENT.exec(comment)?.groups ?? {};
  if (use === "file" || use === "part" || use === "not run") return { use, about, same };
  if (elsewhere !== undefined) return { use: "elsewhere", about: elsewhere };
  return { use: ["", "sh"].includes(language) ? "commands" : "unknown", about: "" };
}

/** What a reader of a page does, in its order: of the whole page, or of one section. @throws when there is nothing to do. */
export function follow(page: string, section?: string): readonly Step[] {
  const steps = fencesOf(page)
    .filter((fence) => (section ?? fence.section) === fence.section)
    .flatMap(stepsOf);
  if (steps.length === 0) throw new Error(`${page} shows nothing to do under "${section ?? "any heading"}"`);
  return steps;
}

/** What a reader does with a fence. A file is written as its first step, as in an editor. */
export function stepsOf({ page, line, lines, use, about }: Fence): readonly Step[] {
  if (use === "file") {
    const folder = dirname(about);
    const made = folder === "." ? [] : [`mkdir -p ${folder}`];
    const run = [...made, `cat > ${about} <<'${END}'`, ...lines, END].join("\n");
    return [{ run, at: `${page}:${line}` }];
  }
  if (use !== "commands") return [];
  // What stands in one line after `&&` is a command of its own.
  const commands = lines.flatMap((one, index) => {
    const parts = one.replace(/\s+# .*$/u, "").split(" && ");
    return parts.map((part) => ({ run: part.trim(), at: `${page}:${line + index}` }));
  });
  return commands.filter(({ run }) => run !== "");
}

/** A step that no page shows, for `expecting`. */
export function also(step: Step): Step {
  return { ...step, at: undefined, isAdded: true };
}

/**
 * The same steps, with more said about some of them, in their order. Those made with `also` are done in between.
 * @throws when the page does not show one of the others.
 */
export function expecting(steps: readonly Step[], ...more: readonly Step[]): readonly Step[] {
  const left = [...steps];
  const all: Step[] = [];
  for (const { isAdded, ...step } of more) {
    if (isAdded) {
      all.push(step);
      continue;
    }
    const place = left.findIndex(({ run }) => run === step.run);
    if (place < 0) throw new Error(`no page shows the command, or not in this order: ${step.run}`);
    all.push(...left.splice(0, place), ...left.splice(0, 1).map((shown) => ({ ...shown, ...step })));
  }
  return [...all, ...left];
}

/** Every page at the top of the project, and below docs and examples. */
export function pages(): readonly string[] {
  const top = readdirSync(ROOT).filter((file) => file.endsWith(".md"));
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  return [...top, ...below];
}
