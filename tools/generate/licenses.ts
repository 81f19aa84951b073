import { readFileSync } from "node:fs";
import * as path from "node:path";
import * as z from "zod";
import { table } from "./reference/tables";

const Lock = z.object({
  packages: z.record(z.string(), z.object({ license: z.string().optional(), dev: z.boolean().optional() })),
});

/** Name and licence of each package that is installed with this one, as the lock file has them. */
export function licences(root: string): readonly (readonly [name: string, license: string])[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== "" && dev !== true)
    .map(([place, { license = "" }]) => [place.replace(/^.*node_modules\//u, ""), license] as const);
}

/** The list of licences as a page. Without versions, so that an update does not change it. */
export function licenseDocument(root: string): string {
  return [
    "# Licences of what is installed",
    "",
    "This package itself is under Apache-2.0 (LICENSE). With it are installed:",
    "",
    ...table(["package", "licence"], licences(root)),
  ].join("\n");
}
