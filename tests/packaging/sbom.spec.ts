import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import pinned from "../../tools/package/nodes.json";
import { type Bundled, bundleInto, load, PROGRAM, Scratch } from "./plugin-folder";

const ROOT = resolve(__dirname, "..", "..");
const PLUGIN = { name: PROGRAM, version: "1.2.3" };
interface Sbom {
  sbomOf: (root: string, plugin: typeof PLUGIN, packages: readonly Bundled[]) => Promise<string>;
}

/** As CycloneDX 1.5 has it. https://cyclonedx.org/docs/1.5/json */
const Component = z.looseObject({
  "bom-ref": z.string(),
  type: z.enum(["library", "platform"]),
  name: z.string(),
  version: z.string(),
  purl: z.string().regex(/^pkg:npm\//u),
  hashes: z.tuple([z.object({ alg: z.literal("SHA-512"), content: z.string().regex(/^[\da-f]{128}$/u) })]),
  licenses: z.array(z.unknown()).min(1),
});
const Bom = z.strictObject({
  $schema: z.string(),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  version: z.literal(1),
  metadata: z.looseObject({ component: z.looseObject({ type: z.literal("application"), name: z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

describe("the bill of materials of the plugin's archives", () => {
  let scratch: Scratch;
  let packages: readonly Bundled[];
  let text: string;
  let sbomOf: Sbom["sbomOf"];

  before(async () => {
    scratch = new Scratch();
    ({ sbomOf } = await load<Sbom>("sbom.mjs"));
    packages = await bundleInto(scratch.folder);
    text = await sbomOf(ROOT, PLUGIN, packages);
  });
  after(() => scratch[Symbol.dispose]());

  it("has every package whose licence is in NOTICES.txt, and Node for every platform", () => {
    const { components, dependencies, metadata } = Bom.parse(JSON.parse(text));
    const notices = readFileSync(join(scratch.folder, "NOTICES.txt"), "utf8");
    const named = [...notices.matchAll(/^={80}\n(\S+) (\d\S*) \(/gmu)].map(([, name, version]) => `${name}@${version}`);
    const nodes = Object.values(pinned.platforms).map((one) => `${one.package}@${pinned.version}`);
    const refs = components.map((one) => one["bom-ref"]);
    expect(refs.toSorted()).to.deep.equal([...named, ...nodes].toSorted());
    expect(metadata.component).to.deep.include({ ...PLUGIN, "bom-ref": `${PROGRAM}@1.2.3` });
    expect(dependencies[0]).to.deep.equal({ ref: `${PROGRAM}@1.2.3`, dependsOn: refs });
    const known = new Set(refs);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).to.deep.equal([]);
  });

  it("is the same text when it is made again", async () => {
    expect(await sbomOf(ROOT, PLUGIN, packages)).to.equal(text);
  });

  it("cannot be made when the lock file does not have what is in the bundle", async () => {
    const other = [...packages, { name: "zod", version: "0.0.1" }];
    const refused = await sbomOf(ROOT, PLUGIN, other).catch((error: unknown) => String(error));
    expect(refused).to.contain("package-lock.json does not have");
  });
});
