import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { generateSdk, generatorOf, languages } from "../../tools/generate/sdks/generator";
import { findProgram } from "../../tools/generate/sdks/programs";
import { snippetsOf } from "../../tools/generate/snippets";
import { identity } from "../../tools/release/owner";
import { installCommands } from "../release/rehearsal/install-commands";
import { root, schemaFile, temporaryFolder } from "./package-schema";

const GENERATE_MS = 900_000;
/** What pip and Maven leave behind in the checkout. */
const LEFT_BY_BUILDS = /^target\/|__pycache__|\.egg-info|^build/u;

/** Every file below a folder with its text, except those named. */
function contents(folder: string, except: readonly string[]): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = entries.map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
  return new Map(
    files
      .filter((file) => !except.includes(file) && !LEFT_BY_BUILDS.test(file))
      .toSorted()
      .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
}

describe("provider/schema.json", () => {
  const pulumi = findProgram("pulumi");
  const title = "passes `pulumi schema check`: Pulumi's metaschema, and every reference";
  if (pulumi === undefined) it.skip(`${title} (there is no pulumi on PATH)`);
  else
    it(title, () => {
      // Exit code 1, and so an error here, for anything wrong.
      const said = execFileSync(pulumi, ["schema", "check", schemaFile], { encoding: "utf8", stdio: "pipe" });
      expect(said).not.to.match(/error|warning/iu);
    });
});

describe("the SDKs of other languages", () => {
  const folder = temporaryFolder();

  for (const language of languages) {
    const title = `sdk/${language.name} is what the Pulumi CLI makes of provider/schema.json: \`npm run generate:sdks\` changes nothing`;
    const found = generatorOf(language);
    if ("reason" in found) it.skip(`${title} (${found.reason})`);
    else
      it(title, async () => {
        await generateSdk(found.pulumi, language, schemaFile, folder.path());

        const made = contents(join(folder.path(), language.name), language.written);
        const committed = contents(join(root, "sdk", language.name), language.written);
        expect([...committed.keys()]).to.deep.equal([...made.keys()]);
        expect([...made].filter(([file, text]) => committed.get(file) !== text).map(([file]) => file)).to.deep.equal(
          [],
        );
      }).timeout(GENERATE_MS);
  }
});

/** The languages by the names that examples and pages have for them. */
const LANGUAGES = { python: "python", go: "go", dotnet: "csharp", java: "java" } as const;

describe("the pages of the SDKs in their registries", () => {
  for (const { name } of languages)
    it(`sdk/${name}/README.md says how to install it, shows a program that is tested, and links to pages that are there`, () => {
      const page = readFileSync(join(root, "sdk", name, "README.md"), "utf8");
      expect(page).to.contain(new Map(installCommands()).get(LANGUAGES[name]));
      const program = snippetsOf("EnvVarSet").find(({ language }) => language === LANGUAGES[name]);
      expect(page).to.contain(program?.text);
      const prefix = `${identity.repositoryUrl}/blob/HEAD/`;
      const linked = [...page.matchAll(/\]\((.+?)\)/gu)].map(([, target = ""]) => target);
      const files = linked.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
      expect(files).to.have.length(4);
      expect(files.filter((file) => !existsSync(join(root, file)))).to.deep.equal([]);
    });

  it("is packed for .NET where NuGet looks for it", () => {
    const props = readFileSync(join(root, "sdk", "dotnet", "Directory.Build.props"), "utf8");
    expect(props).to.contain("<PackageReadmeFile>README.md<").and.to.contain('<None Include="README.md" Pack="true"');
  });
});
