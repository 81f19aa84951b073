import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import { identity } from "../../tools/release/owner";
import { installSdk, PYTHON_FOLDER_VARIABLE, pythonOf } from "../support/python";
import { readSchema, root, programFolders, temporaryFolder } from "./package-schema";

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
