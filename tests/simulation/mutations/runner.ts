import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { Mutation } from "./mutation";
import { findPlace, readSources } from "./place";
import { mutations } from "./table";
import { TYPESCRIPT } from "../../support/typescript";

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

function isFound(copy: string, mutation: Mutation): boolean {
  const folder = join(copy, "provider", "src");
  const { source, line, broken } = findPlace(readSources(folder), mutation);
  const path = join(folder, source.path);
  writeFileSync(path, broken);
  const startedMs = Date.now();
  const arguments_ = [...TYPESCRIPT, PROBE, mutation.breaks];
  const { stdout, stderr } = spawnSync(process.execPath, arguments_, { cwd: copy, encoding: "utf8" });
  writeFileSync(path, source.text);
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  const result = stdout === "" ? undefined : outcome.parse(JSON.parse(stdout));
  const text =
    result === undefined
      ? `the simulation itself failed: ${stderr.trim().split("\n").slice(0, 8).join(" / ")}`
      : result.message === undefined
        ? `NOT FOUND in ${result.histories} histories, by "${mutation.breaks}"`
        : `found after ${result.histories} histories: ${result.message.split("\n")[0]?.slice(0, 160)}`;
  process.stdout.write(`${mutation.title} (${source.path}:${line}, ${seconds} s)\n    ${text}\n`);
  return result?.message !== undefined;
}
