import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import manifest from "../package.json";
import { resources } from "../provider/src/resources";
import * as dynamic from "../sdk/nodejs";
import * as native from "../sdk/nodejs/native";
import { identity } from "../tools/release/owner";
import { linkInstalled, pack, type PackedPackage, ROOT, unpack } from "./support/packed";

/** A quarter of it is the bundle of the dynamic provider, see docs/decisions/0022-loading.md. */
const MAX_BYTES = 850_000;
/** The most files of the package that a program may load, by the file of the entry. A count and not a time: it is the same on each machine. */
const MAX_FILES = { index: 52, native: 61 };
/** What users read, and copy from, beside the code. */
const PAGES = ["docs/README.md", "docs/reference.md", "provider/schema.json", "examples/quickstart/index.ts"];
const LINK = /\]\(([^)#\s]+)(?:#[^)\s]*)?\)/gu;
const IN_REPOSITORY = `${identity.repositoryUrl}/`;
const entries = [manifest.name, `${manifest.name}/native`] as const;
const environmentId = "11111111-1111-4111-8111-111111111142";
const types = JSON.stringify(resources.map(({ type }) => type));

function resolves(path: string): boolean {
  return [path, `${path}.js`, join(path, "index.js")].some((file) => existsSync(file));
}

/** The links of a packed page that lead nowhere: beside the package's files, or into the repository where it has nothing. */
function deadLinks(own: string, page: string): readonly string[] {
  const links = Array.from(readFileSync(join(own, page), "utf8").matchAll(LINK), ([, to = ""]) => to);
  const dead = links.filter((to) => {
    if (to.startsWith(IN_REPOSITORY)) {
      const [, path] = /^(?:blob|tree)\/HEAD\/(.+)$/u.exec(to.slice(IN_REPOSITORY.length)) ?? [];
      return path !== undefined && !existsSync(join(ROOT, path));
    }
    return !/^https?:/u.test(to) && !existsSync(join(own, dirname(page), to));
  });
  return dead.map((to) => `${page}: ${to}`);
}

describe("the published package", function () {
  let folder: string;
  let packed: PackedPackage;
  let own: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-package-"));
    const program = join(folder, "program");
    packed = pack(".", folder);
    own = unpack(packed, program);
    linkInstalled(program);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const pages = (): readonly string[] => packed.paths.filter((path) => path.endsWith(".md"));

  const run = (code: string, ...options: readonly string[]): string =>
    execFileSync(process.execPath, [...options, "-e", code], {
      cwd: join(folder, "program"),
      encoding: "utf8",
    }).trim();

  it("holds what users need and nothing else", () => {
    expect(packed.paths).to.include.members(["CHANGELOG.md", "LICENSE", "README.md", "package.json", ...PAGES]);
    const folders = new Set(packed.paths.map((path) => path.split("/").slice(0, -1).slice(0, 2).join("/")));
    expect([...folders].filter((one) => !one.startsWith("examples"))).to.have.members([
      "",
      "dist/dynamic",
      "dist/provider",
      "dist/sdk",
      "docs",
      "docs/guides",
      "provider",
    ]);
    expect(run('console.log(require("pulumi-previewenv/drift-report.v1.schema.json").title)')).to.include("drift");
    expect(packed.paths.filter((path) => /\.spec\.|tsbuildinfo|hosts\/plugin/u.test(path))).to.deep.equal([]);
    expect(packed.size).to.be.below(MAX_BYTES);
  });

  it("holds nothing that lies about in a checkout, such as a stack of an example", function () {
    if (!existsSync(join(ROOT, ".git"))) this.skip();
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: ROOT,
    });
    const files = new Set(listed.toString().split("\0"));
    const more = packed.paths.filter((path) => !path.startsWith("dist/") && !files.has(path));
    expect(more).to.deep.equal([]);
  });

  it("says for each example what keeps packages out of git: npm packs no .gitignore", () => {
    const examples = packed.paths.flatMap(
      (path) => /^examples\/(?!snippets\/)[^/]+(?=\/package\.json$)/u.exec(path) ?? [],
    );
    expect(examples.length).to.be.above(3);
    for (const example of examples)
      expect(readFileSync(join(own, example, "README.md"), "utf8"), example).to.match(
        /<!-- file: (?:policy\/)?\.gitignore -->\n```text\nnode_modules\/\n/u,
      );
  });

  it("lacks no file that it asks for", () => {
    const scripts = packed.paths.filter((path) => path.endsWith(".js"));
    const asked = scripts.flatMap((path) =>
      [...readFileSync(join(own, path), "utf8").matchAll(/require\("(\.[^"]*)"\)/gu)].map(([, to = ""]) =>
        join(dirname(join(own, path)), to),
      ),
    );
    expect(asked.length).to.be.above(scripts.length);
    expect(asked.filter((path) => !resolves(path))).to.deep.equal([]);
  });

  it("gives the provider process every resource type, by the line that state files hold", () => {
    const code = `for (const type of ${types}) console.log(typeof require("pulumi-previewenv/dynamic").provider(type).create)`;
    expect(run(code).split("\n")).to.deep.equal(resources.map(() => "function"));
  });

  it("brings one command, of its own name, so that `npx` needs no --package", () => {
    const { bin } = manifest;
    expect(Object.keys(bin)).to.deep.equal([manifest.name]);
    const file = join(own, bin["pulumi-previewenv"]);
    expect(readFileSync(file, "utf8")).to.match(/^#!\/usr\/bin\/env node\n/u);
    const version = execFileSync(process.execPath, [file, "--version"], { encoding: "utf8" });
    expect(version).to.equal(`${manifest.version}\n`);
  });

  it("does not make the CLI fetch a plugin, which programs with the dynamic provider do not need: no package.json has `pulumi`", () => {
    const manifests = packed.paths.filter((path) => /(?:^|\/)package\.json$/u.test(path));
    expect(manifests).to.include("package.json");
    const asking = manifests.filter((path) => "pulumi" in JSON.parse(readFileSync(join(own, path), "utf8")));
    expect(asking).to.deep.equal([]);
  });

  it("says who owns it, in the words of tools/release/identity.json", () => {
    const { npmPackage: name, homepage, publisher: author, repositoryUrl } = identity;
    // npm takes a package with provenance only when `repository` is where it was built.
    const repository = { type: "git", url: `git+${repositoryUrl}.git` };
    expect(manifest).to.deep.include({ name, homepage, author, repository, bugs: { url: `${repositoryUrl}/issues` } });
  });

  it("has only links that lead somewhere: to a file of the package, or of the repository", () => {
    expect(pages().length).to.be.above(20);
    expect(pages().flatMap((page) => deadLinks(own, page))).to.deep.equal([]);
  });

  it("names a TypeScript that Pulumi accepts wherever a page installs Pulumi", () => {
    const installs = pages().flatMap(
      (page) => readFileSync(join(own, page), "utf8").match(/^npm install .*@pulumi\/pulumi\b.*$/gmu) ?? [],
    );
    expect(installs.length).to.be.above(0);
    expect(installs.filter((line) => !line.includes(" typescript@6"))).to.deep.equal([]);
  });

  it("gives a program that is an ECMAScript module every name, as a namespace and one by one", () => {
    const imports = entries.map((entry, index) => `import * as all${index} from "${entry}"; `).join("");
    const namesOf = `(all) => Object.keys(all).filter((name) => !["__esModule", "default", "module.exports"].includes(name) && all[name] !== undefined)`;
    const listed = entries.map((_, index) => `namesOf(all${index}).toSorted()`);
    const oneByOne = `import { ${Object.keys(native).join(", ")} } from "${entries[1]}"; import { existing as other } from "${manifest.name}"; `;
    const code = `${imports}${oneByOne}const namesOf = ${namesOf}; console.log(JSON.stringify([${listed.join(", ")}]))`;
    const names = [dynamic, native].map((entry) => Object.keys(entry).toSorted());
    expect(JSON.parse(run(code, "--input-type=module"))).to.deep.equal(names);
  });

  it("is CommonJS in all that a program or a test loads: Jest requires no ES module. Commands may have one", () => {
    const commands = /\/(?:adopt|command|drift)\/|\/sandbox\/run\.js$|\/main\.js$/u;
    const files = packed.paths.filter((path) => /^dist\/.*\.js$/u.test(path) && !commands.test(path));
    expect(files).to.include.members(["dist/sdk/nodejs/index.js", "dist/provider/src/sandbox/index.js"]);
    const code = `for (const file of ${JSON.stringify(files.map((file) => join(own, file)))}) require(file); console.log("loaded")`;
    expect(run(code, "--no-experimental-require-module")).to.equal("loaded");
  });

  for (const entry of entries) {
    it(`gives a program its classes from ${entry}, and loads few files, and nothing that only handlers and functions need`, () => {
      // In a preview, where a program looks for texts that read like secrets.
      const code = `const pulumi = require("@pulumi/pulumi"); const before = new Set(Object.keys(require.cache)); const previewenv = require("${entry}");
        pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }) }, "project", "stack", true);
        new previewenv.EnvVarSet("vars", { environmentId: "${environmentId}", variables: { PORT: "8080" } }).id.apply(() => {
          const loaded = Object.keys(require.cache).filter((file) => !before.has(file)).map((file) => file.split("node_modules/").at(-1));
          console.log([${types}.filter((type) => typeof previewenv[type] !== "function").length, ...loaded].join("\\n"));
        });`;
      const [missing, ...loaded] = run(code).split("\n");
      expect(missing).to.equal("0");
      const sdk = `${manifest.name}/dist/sdk/nodejs/`;
      const file = entry === manifest.name ? "index" : "native";
      expect(loaded).to.have.lengthOf.at.most(MAX_FILES[file]).and.include(`${sdk}${file}.js`);
      expect(loaded.filter((one) => /^(?:zod|undici|@grpc)\/|\/dist\/(?:dynamic|plugin)\//u.test(one))).to.deep.equal(
        [],
      );
    });
  }
});
