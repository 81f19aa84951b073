import { mkdtempSync, readdirSync, readFileSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { generateSdk, generatorOf, languages } from "../../tools/generate/sdks/generator";
import { root, schemaFile } from "./package-schema";
import { snippetsOf } from "../../tools/generate/snippets";
import { identity } from "../../tools/release/owner";

const GENERATE_MS = 900_000;
/** What pip leaves behind when a program of a user installs from the checkout. */
const LEFT_BY_PIP = /__pycache__|\.egg-info|^build/u;

/** Every file below a folder with its text, except those named. */
function contents(folder: string, except: readonly string[]): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = entries.map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
  return new Map(
    files
      .filter((file) => !except.includes(file) && !LEFT_BY_PIP.test(file))
      .toSorted()
      .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
}

describe("the SDKs of other languages", () => {
  let folder: string;

  before(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-sdks-"))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const language of languages) {
    const title = `sdk/${language.name} is what the Pulumi CLI makes of provider/schema.json: \`npm run generate:sdks\` changes nothing`;
    const found = generatorOf(language);
    if ("reason" in found) it.skip(`${title} (${found.reason})`);
    else
      it(title, async () => {
        await generateSdk(found.pulumi, language, schemaFile, folder);

        const made = contents(join(folder, language.name), language.kept);
        const committed = contents(join(root, "sdk", language.name), language.kept);
        expect([...committed.keys()]).to.deep.equal([...made.keys()]);
        expect([...made].filter(([file, text]) => committed.get(file) !== text).map(([file]) => file)).to.deep.equal(
          [],
        );
      }).timeout(GENERATE_MS);
  }
});

const install = {
  python: `pip install ${identity.pythonPackage}`,
  go: `go get ${identity.goModule}`,
  dotnet: `dotnet add package ${identity.nugetPackage}`,
  java: `<groupId>${identity.mavenGroup}</groupId>`,
};

describe("the pages of the SDKs in their registries", () => {
  for (const { name } of languages)
    it(`sdk/${name}/README.md says how to install it, shows a program that is tested, and links to pages that are there`, () => {
      const page = readFileSync(join(root, "sdk", name, "README.md"), "utf8");
      expect(page).to.contain(install[name]);
      const shown = snippetsOf("EnvVarSet").filter(({ text }) => page.includes(text));
      expect(shown).to.have.length(1);
      const prefix = `${identity.repositoryUrl}/blob/HEAD/`;
      const linked = [...page.matchAll(/\]\((.+?)\)/gu)].map(([, target = ""]) => target);
      const files = linked.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
      expect(files).to.have.length(4);
      expect(files.filter((file) => !existsSync(join(root, file)))).to.deep.equal([]);
    });

  it("are packed where the registries look for them", () => {
    const props = readFileSync(join(root, "sdk", "dotnet", "Directory.Build.props"), "utf8");
    expect(props).to.contain("<PackageReadmeFile>README.md<").and.to.contain('<None Include="README.md" Pack="true"');
    const project = readFileSync(join(root, "sdk", "python", "pyproject.toml"), "utf8");
    expect(project).to.contain('readme = "README.md"').and.to.contain('license-files = ["LICENSE"]');
    expect(readFileSync(join(root, "sdk", "python", "LICENSE"), "utf8")).to.equal(
      readFileSync(join(root, "LICENSE"), "utf8"),
    );
  });
});
