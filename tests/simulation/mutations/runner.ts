import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { Mutation } from "./mutation";
import { mutations } from "./table";

const ROOT = resolve(__dirname, "..", "..", "..");
const COPIED = ["provider/src", "tests/simulation", "tests/support", "package.json", "tsconfig.json"];
const PROBE = join("tests", "simulation", "mutations", "probe.ts");

const outcome = z.object({ histories: z.int(), message: z.string().optional() });

/**
 * Breaks a private copy of the sources in one way after the other, those whose title has a text, and lets the simulation
 * find it, by the promise that it breaks, with the budget of CI. Returns 1 when one was not found.
 */
export function runMutations(filter: string): number {
  const copy = mkdtempSync(join(tmpdir(), "previewenv-mutations-"));
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "junction");
    const chosen = mutations.filter(({ title }) => title.includes(filter));
    const missed = chosen.filter((mutation) => !isFound(copy, mutation));
    process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} mutations found\n`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function isFound(copy: string, { title, file, from, to, breaks }: Mutation): boolean {
  const path = join(copy, "provider", "src", file);
  const source = readFileSync(path, "utf8");
  if (source.split(from).length !== 2) throw new Error(`${file} does not have once what "${title}" replaces`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const startedMs = Date.now();
  const arguments_ = ["-r", "ts-node/register/transpile-only", PROBE, breaks];
  const { stdout, stderr } = spawnSync(process.execPath, arguments_, { cwd: copy, encoding: "utf8" });
  writeFileSync(path, source);
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  const result = stdout === "" ? undefined : outcome.parse(JSON.parse(stdout));
  const text =
    result === undefined
      ? `the simulation itself failed: ${stderr.trim().split("\n").slice(0, 8).join(" / ")}`
      : result.message === undefined
        ? `NOT FOUND in ${result.histories} histories, by "${breaks}"`
        : `found after ${result.histories} histories: ${result.message.split("\n")[0]?.slice(0, 160)}`;
  process.stdout.write(`${title} (${seconds} s)\n    ${text}\n`);
  return result?.message !== undefined;
}
