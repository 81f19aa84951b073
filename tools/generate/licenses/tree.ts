import { readFileSync } from "node:fs";
import * as path from "node:path";
import * as z from "zod";

const needs = z.record(z.string(), z.string()).default({});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().default(""),
      dependencies: needs,
      optionalDependencies: needs,
      peerDependencies: needs,
    }),
  ),
});

/** A package that is installed with this one, or beside it. */
export interface Installed {
  readonly name: string;
  /** What its package.json says: mostly an SPDX expression; empty when it says nothing. */
  readonly license: string;
}

/** What the package brings along, and what the Pulumi SDK beside it does, which every program has anyway. */
export interface ProductionTree {
  readonly own: readonly Installed[];
  readonly peer: readonly Installed[];
}

/** Reads the lock file: what needs what, and the licence of each. */
export function productionTree(root: string): ProductionTree {
  const { packages } = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  const self = packages[""];
  if (self === undefined) throw new Error("package-lock.json has no root");
  const own = closure(packages, Object.keys(self.dependencies));
  const peer = closure(packages, Object.keys(self.peerDependencies));
  return {
    own: inventory(packages, [...own]),
    peer: inventory(
      packages,
      [...peer].filter((place) => !own.has(place)),
    ),
  };
}

type Packages = z.output<typeof Lock>["packages"];

/** Places of packages, as the lock file names them, and of all that they need. */
function closure(packages: Packages, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const at = placeOf(packages, from, name);
      const entry = at === undefined ? undefined : packages[at];
      if (at === undefined || entry === undefined || found.has(at)) continue;
      found.add(at);
      visit(at, Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }));
    }
  };
  visit("", roots);
  return found;
}

/** Where Node finds a package: in the nearest `node_modules`, from the one that needs it upwards. */
function placeOf(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const candidate = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, candidate)) return candidate;
    if (folder === "") return undefined;
  }
}

/** The packages in these places, by name; one that is there twice with the same licence counts once. */
function inventory(packages: Packages, places: readonly string[]): readonly Installed[] {
  const all = places.map((at) => ({
    name: at.split("node_modules/").at(-1) ?? at,
    license: packages[at]?.license ?? "",
  }));
  const byText = new Map(all.map((one) => [`${one.name} ${one.license}`, one]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, installed]) => installed);
}
