import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { snippetsOf } from "../../tools/generate/snippets";
import { languages } from "../../tools/generate/sdks/generator";
import { identity } from "../../tools/release/owner";
import { root } from "./package-schema";

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
