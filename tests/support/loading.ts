import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import * as z from "zod";

const ROOT = resolve(__dirname, "..", "..");
const PROGRAM = join(__dirname, "loading.cjs");

/** The moments up to which it is counted what was loaded. */
export const moments = ["program", "firstResource", "dynamicCheck", "dynamicRequest", "pluginPort"] as const;
export type Moment = (typeof moments)[number];

const Files = z.record(z.enum(moments), z.array(z.string()));

/** Of the built package: files that were loaded, relative to the checkout, beyond those of `@pulumi/pulumi`. */
export type Loading = Readonly<Record<Moment, readonly string[]>>;

/** The most that may be loaded. A count and not a time: it is the same on each machine. */
export const most: Readonly<Record<Moment, number>> = {
  program: 52,
  firstResource: 52,
  dynamicCheck: 1,
  dynamicRequest: 1,
  pluginPort: 2,
};

/** Loads what the build has made, each host in a process of its own. Takes two seconds. */
export function loading(): Loading {
  const run = (part: string): unknown => {
    // Of the caller's environment nothing: a loader or coverage would be counted.
    const env = { PATH: process.env["PATH"], NODE_DISABLE_COMPILE_CACHE: "1" };
    return JSON.parse(execFileSync(process.execPath, [PROGRAM, part, ROOT], { encoding: "utf8", env }));
  };
  const found = Files.parse(Object.assign({}, run("program"), run("dynamic"), run("plugin")));
  const fromRoot = (files: readonly string[]): readonly string[] =>
    files.map((file) => relative(ROOT, file).split(sep).join("/"));
  return {
    program: fromRoot(found.program),
    firstResource: fromRoot(found.firstResource),
    dynamicCheck: fromRoot(found.dynamicCheck),
    dynamicRequest: fromRoot(found.dynamicRequest),
    pluginPort: fromRoot(found.pluginPort),
  };
}

/** The most that the bundles may have, in bytes: what they hold is no file of its own. */
export const mostBytes: Readonly<Record<string, number>> = {
  "dist/dynamic/index.js": 850_000,
  "dist/plugin/plugin.cjs": 2_600_000,
};

/** One line for each moment at which more was loaded than may be, and for each bundle that is too large. None when all is well. */
export function excess(found: Loading): readonly string[] {
  const loaded = moments
    .filter((moment) => found[moment].length > most[moment])
    .map(
      (moment) => `${moment}: ${found[moment].length} files instead of ${most[moment]}: ${found[moment].join(", ")}`,
    );
  const large = Object.entries(mostBytes)
    .map(([file, bytes]) => ({ file, bytes, found: statSync(join(ROOT, file)).size }))
    .filter((bundle) => bundle.found > bundle.bytes)
    .map((bundle) => `${bundle.file}: ${bundle.found} bytes instead of ${bundle.bytes}`);
  return [...loaded, ...large];
}
