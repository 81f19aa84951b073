import { readFileSync } from "node:fs";
import * as path from "node:path";
import * as z from "zod";

const needs = z.record(z.string(), z.string()).default({});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dependencies: needs, optionalDependencies: needs, peerDependencies: needs }),
  ),
});
const Manifest = z.object({ name: z.string(), license: z.string() });

/** A package that is installed with this one, or beside it. */
export interface Installed {
  readonly name: string;
  /** What its package.json says: mostly an SPDX expression. */
  readonly license: string;
}

/** What the package brings along, and what the Pulumi SDK beside it does, which every program has anyway. */
export interface ProductionTree {
  readonly own: readonly Installed[];
  readonly peer: readonly Installed[];
}

/** Reads the lock file for what needs what, and the installed packages for their licences. Throws when one is not installed. */
export function productionTree(root: string): ProductionTree {
  const { packages } = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  const self = packages[""];
  if (self === undefined) throw new Error("package-lock.json has no root");
  const own = closure(packages, Object.keys(self.dependencies));
  const peer = closure(packages, Object.keys(self.peerDependencies));
  return { own: read(root, own), peer: read(root, new Set([...peer].filter((place) => !own.has(place)))) };
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

function read(root: string, places: ReadonlySet<string>): readonly Installed[] {
  const all = [...places].map((at) =>
    Manifest.parse(JSON.parse(readFileSync(path.join(root, at, "package.json"), "utf8"))),
  );
  const byText = new Map(all.map((one) => [`${one.name} ${one.license}`, one]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, installed]) => installed);
}
