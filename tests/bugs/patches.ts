import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** How many deliberate bugs each part of the provider has. */
export const COUNTS = { client: 20, "env-vars and builds": 20, hosts: 10, drift: 5, adopt: 5 } as const;

const SIMULATION = "simulation";

/** A deliberate bug: a patch of one file in a folder of provider/src. */
export interface Bug {
  /** The folder, and what goes wrong: `client/repeats-a-rebuild`. */
  readonly name: string;
  readonly folder: string;
  readonly patch: string;
  /** The promise by which the simulation has to find it: the folder below `simulation`. Left out: specs have to find it. */
  readonly promise: string | undefined;
}

/** All of them, by name. */
export const bugs: readonly Bug[] = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".patch"))
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted()
  .map((path) => {
    const [folder = "", promise] = path.split("/");
    const name = path.slice(0, -".patch".length);
    return { name, folder, patch: join(__dirname, path), promise: folder === SIMULATION ? promise : undefined };
  });

/** Applies a patch to a checkout. @returns what git says against it. Empty: nothing */
export function apply(checkout: string, { patch }: Bug, ...options: readonly string[]): string {
  const { status, stderr } = spawnSync("git", ["apply", ...options, patch], { cwd: checkout, encoding: "utf8" });
  return status === 0 ? "" : stderr.trim() || "git could not be started";
}
