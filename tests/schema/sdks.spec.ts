import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import * as z from "zod";
import { generateSdk, languages } from "../../tools/generate/sdks/generator";
import { findOnPath } from "../../tools/setup/command.mjs";
import { snippetsOf } from "../../tools/generate/snippets";
import { identity } from "../../tools/release/owner";
import { installCommands } from "../release/rehearsal/steps";
import { installSdk, PYTHON_FOLDER_VARIABLE, pythonOf } from "../support/languages";
import { programFolders, readSchema, root, schemaFile, temporaryFolder } from "./package-schema";

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
  const pulumi = findOnPath("pulumi");
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
    const host = `pulumi-language-${language.name}`;
    if (findOnPath(host) === undefined) it.skip(`${title} (there is no ${host} on PATH)`);
    else
      it(title, async () => {
        await generateSdk(language, schemaFile, folder.path());

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

const run = promisify(execFile);
/** Pulumi's own SDK has to be compiled once on a machine. Later it takes seconds. */
const FIRST_MS = 900_000;

// Only the compiler tells whether generated code has two things of one name, and whether the examples fit it.
describe("the Go SDK", () => {
  const folder = temporaryFolder();
  const go = findOnPath("go");
  const title = "compiles without a finding of `go vet`, and so does each example";
  if (go === undefined) it.skip(`${title} (there is no go on PATH)`);
  else
    it(title, async () => {
      const quickstart = join(root, "examples", "quickstart-go");
      cpSync(join(quickstart, "go.sum"), join(folder.path(), "go.sum"));
      // The SDK of the checkout, instead of a published one.
      const module = readFileSync(join(quickstart, "go.mod"), "utf8");
      const replace = `replace ${identity.goModule} => ${join(root, "sdk", "go")}`;
      writeFileSync(join(folder.path(), "go.mod"), `${module}\n${replace}\n`);
      for (const program of programFolders("go")) {
        const target = join(folder.path(), basename(program));
        mkdirSync(target);
        cpSync(join(program, "main.go"), join(target, "main.go"));
      }

      // With the flags of the set-up's own builds, whose results it then finds in Go's cache.
      const vet = await run(go, ["vet", "-mod=readonly", "-trimpath", "./...", `${identity.goModule}/...`], {
        cwd: folder.path(),
        env: { ...process.env, GOWORK: "off", GOFLAGS: "-buildvcs=false" },
      });

      expect(vet.stdout + vet.stderr.replaceAll(/^go: downloading .*\n/gmu, "")).to.equal("");
    }).timeout(FIRST_MS);
});

const INSTALL_MS = 900_000;
const RUN_MS = 900_000;
const venv = process.env[PYTHON_FOLDER_VARIABLE];
const python = venv && pythonOf(venv);
const Asked = z.array(z.object({ token: z.string(), inputs: z.record(z.string(), z.unknown()) }));

// Only an interpreter tells whether a generated module can be loaded, and whether the examples call it as it is.
if (python === undefined || !existsSync(python))
  describe.skip("the Python SDK (the set-up has no virtual environment with Pulumi)", () => {
    it("installs, and the examples run with it");
  });
else
  describe("the Python SDK", () => {
    const schema = readSchema();
    const folder = temporaryFolder();
    let asked: z.output<typeof Asked>;
    let target: string;

    before(function () {
      this.timeout(INSTALL_MS + RUN_MS);
      target = installSdk(folder.path());
      const programs = programFolders("python").map((one) => join(one, "__main__.py"));
      const said = execFileSync(python, [join(__dirname, "python", "run_programs.py"), ...programs], {
        env: { ...process.env, PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: "1" },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        timeout: RUN_MS,
      });
      asked = Asked.parse(JSON.parse(said));
    });

    it("installs, and the examples reach every resource and every function with it", () => {
      const tokens = new Set(asked.map(({ token }) => token).filter((token) => token.startsWith("previewenv:")));
      expect([...tokens].toSorted()).to.deep.equal(
        [...Object.keys(schema.resources), ...Object.keys(schema.functions)].toSorted(),
      );
    });

    it("can load every module, also the one that reads stack config", () => {
      const load =
        "import importlib, pkgutil, pulumi_previewenv as sdk\n" +
        'for one in pkgutil.walk_packages(sdk.__path__, sdk.__name__ + "."): importlib.import_module(one.name)\n' +
        "print(sdk.config.base_url)";
      const env = { ...process.env, PYTHONPATH: target, PREVIEWENV_BASE_URL: "https://api.example" };
      const said = execFileSync(python, ["-B", "-c", load], { env, encoding: "utf8", stdio: "pipe" });
      expect(said.trim()).to.equal("https://api.example");
    });

    it("brings along its page for PyPI, the licence, and where the plugin is", () => {
      const about = join(target, readdirSync(target).find((name) => name.endsWith(".dist-info")) ?? "");
      const page = readFileSync(join(root, "sdk", "python", "README.md"), "utf8");
      const metadata = readFileSync(join(about, "METADATA"), "utf8");
      expect(metadata)
        .to.contain(page.trim())
        .and.to.match(/^License: Apache-2\.0$/mu);
      expect(readFileSync(join(about, "licenses", "LICENSE"), "utf8")).to.equal(
        readFileSync(join(root, "LICENSE"), "utf8"),
      );
      const plugin: unknown = JSON.parse(
        readFileSync(join(target, identity.pythonPackage, "pulumi-plugin.json"), "utf8"),
      );
      const { version } = schema;
      const server = identity.pluginDownloadUrl;
      expect(plugin).to.deep.equal({ resource: true, name: "previewenv", version, server });
    });

    it("sends inputs by their names in the schema, with its defaults", () => {
      const branches = asked.filter(({ token }) => token === "previewenv:index:EnvironmentBranches");
      expect(branches.length).to.be.above(0);
      for (const { inputs } of branches)
        expect(inputs).to.deep.include({ waitForBuild: true, buildTimeoutSeconds: 1800, onDestroy: "retain" });
      for (const { token, inputs } of asked.filter((one) => one.token in schema.resources))
        expect(Object.keys(schema.resources[token]?.inputProperties ?? {})).to.include.members(Object.keys(inputs));
    });
  });
