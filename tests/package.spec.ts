import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import * as z from "zod";
import manifest from "../package.json";
import { resources } from "../provider/src/resources";

const root = join(__dirname, "..");
const Packed = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);
const MAX_BYTES = 400_000;

function resolves(path: string): boolean {
  return [path, `${path}.js`, join(path, "index.js")].some((file) => existsSync(file));
}

describe("the published package", function () {
  let folder: string;
  let packed: z.output<typeof Packed>[0];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-package-"));
    const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    [packed] = Packed.parse(JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8", stdio: "pipe" })));
    const modules = join(folder, "program", "node_modules");
    mkdirSync(join(modules, manifest.name), { recursive: true });
    execFileSync("tar", [
      "-xzf",
      join(folder, packed.filename),
      "--strip-components=1",
      "-C",
      join(modules, manifest.name),
    ]);
    // What npm would install beside it: its dependencies and the peer, and what these need.
    for (const name of readdirSync(join(root, "node_modules")))
      if (name !== manifest.name && !name.startsWith("."))
        symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (code: string): string =>
    execFileSync(process.execPath, ["-e", code], { cwd: join(folder, "program"), encoding: "utf8" }).trim();

  it("holds what users need and nothing else", () => {
    const tops = new Set(packed.files.map(({ path }) => path.split("/").slice(0, 2).join("/")));
    expect([...tops].toSorted()).to.deep.equal(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "dist/provider",
        "dist/sdk",
        "package.json",
        "provider/drift-report.v1.schema.json",
      ].toSorted(),
    );
    expect(run('console.log(require("pulumi-previewenv/drift-report.v1.schema.json").title)')).to.include("drift");
    expect(packed.files.some(({ path }) => /spec|\/scripts\/|tsbuildinfo/u.test(path))).to.equal(false);
    expect(packed.files.filter(({ path }) => /plugin/u.test(path))).to.deep.equal([]);
    expect(packed.size).to.be.below(MAX_BYTES);
  });

  it("lacks no file that it asks for", () => {
    const own = join(folder, "program", "node_modules", manifest.name);
    const scripts = packed.files.map(({ path }) => path).filter((path) => path.endsWith(".js"));
    const asked = scripts.flatMap((path) =>
      [...readFileSync(join(own, path), "utf8").matchAll(/require\("(\.[^"]*)"\)/gu)].map(([, to = ""]) =>
        join(dirname(join(own, path)), to),
      ),
    );
    expect(asked.length).to.be.above(scripts.length);
    expect(asked.filter((path) => !resolves(path))).to.deep.equal([]);
  });

  for (const entry of ["pulumi-previewenv", "pulumi-previewenv/native"]) {
    it(`gives a program its classes from ${entry}`, () => {
      const code = `for (const type of ${JSON.stringify(resources.map(({ type }) => type))}) console.log(typeof require("${entry}")[type])`;
      expect(run(code).split("\n")).to.deep.equal(resources.map(() => "function"));
    });

    it(`loads nothing heavy for ${entry}: the SDK's files, and Pulumi`, () => {
      const code = `require("@pulumi/pulumi"); const before = new Set(Object.keys(require.cache)); require("${entry}"); console.log(Object.keys(require.cache).filter((file) => !before.has(file)).map((file) => file.split("pulumi-previewenv").at(-1)).join("\\n"))`;
      const loaded = run(code).split("\n");
      expect(loaded).to.include(`/dist/sdk/nodejs/${entry === "pulumi-previewenv" ? "index" : "native"}.js`);
      expect(loaded.filter((file) => !file.startsWith("/dist/sdk/nodejs/"))).to.deep.equal([]);
    });

    for (const kind of ["Node10", "Node16", "Bundler"] as const)
      it(`gives the compiler the types of ${entry} with the module resolution ${kind}`, () => {
        const program = join(folder, "program", "index.ts");
        const options = { moduleResolution: ts.ModuleResolutionKind[kind] };
        const { resolvedModule } = ts.resolveModuleName(entry, program, options, ts.sys);
        expect(resolvedModule?.resolvedFileName).to.match(/dist\/sdk\/nodejs\/(?:index|native)\.d\.ts$/u);
      });
  }

  it("gives the provider process every resource type, by the line that state files hold", () => {
    const code = `for (const type of ${JSON.stringify(resources.map(({ type }) => type))}) console.log(typeof require("pulumi-previewenv/dynamic").provider(type).create)`;
    expect(run(code).split("\n")).to.deep.equal(resources.map(() => "function"));
  });
});
