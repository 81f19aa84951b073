import { execFileSync } from "node:child_process";
import * as z from "zod";
import manifest from "../../../package.json";

const Licence = z.union([
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
  z
    .object({ license: z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]) })
    .transform(({ license }) => ("id" in license ? license.id : license.name)),
]);

/** What `npm sbom` says about a checkout, as far as licences go. */
const Sbom = z.object({
  metadata: z.object({ component: z.object({ "bom-ref": z.string() }) }),
  components: z.array(z.object({ "bom-ref": z.string(), name: z.string(), licenses: z.array(Licence).default([]) })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
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

/** Asks npm what needs what, and the licence of each, as the lock file has it. */
export function productionTree(root: string): ProductionTree {
  const { metadata, components, dependencies } = readSbom(root);
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const direct = needs.get(metadata.component["bom-ref"]) ?? [];
  const among = (names: object): readonly string[] =>
    direct.filter((ref) => Object.hasOwn(names, ref.slice(0, ref.lastIndexOf("@"))));
  const own = closure(needs, among(manifest.dependencies));
  const peer = closure(needs, among(manifest.peerDependencies));
  const inventory = (fits: (ref: string) => boolean): readonly Installed[] => {
    const found = components.filter((one) => fits(one["bom-ref"]));
    const texts = found.map(({ name, licenses }) => ({ name, license: licenses.join(", ") }));
    const byText = new Map(texts.map((one) => [`${one.name} ${one.license}`, one]));
    return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, installed]) => installed);
  };
  return { own: inventory((ref) => own.has(ref)), peer: inventory((ref) => peer.has(ref) && !own.has(ref)) };
}

function readSbom(root: string): z.output<typeof Sbom> {
  const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const options = { cwd: root, encoding: "utf8", stdio: "pipe", shell: process.platform === "win32" } as const;
  return Sbom.parse(JSON.parse(execFileSync("npm", args, options)));
}

/** Some packages, and all that they need. */
function closure(needs: ReadonlyMap<string, readonly string[]>, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set(roots);
  // A set that grows while it is walked is walked to its end.
  for (const ref of found) for (const next of needs.get(ref) ?? []) found.add(next);
  return found;
}
