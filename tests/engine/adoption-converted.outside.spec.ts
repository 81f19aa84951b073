import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect } from "chai";
import type { VariableSeed } from "../../provider/src/sandbox";
import { identity } from "../../tools/release/owner";
import { madeByHand } from "../adopt/support/by-hand";
import { goEnvironment } from "../support/go";
import { start } from "./harness/cli";
import {
  describeIn,
  type Language,
  OLD_HOST,
  PLUGIN_FOLDER,
  plugins,
  provideConverter,
  usePython,
} from "./harness/languages";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const ROOT = resolve(__dirname, "..", "..");
const MAIN = join(ROOT, "dist", "provider", "src", "main.js");

/** The converter spells accents in the short way. */
const isKept = ({ name, value }: VariableSeed): boolean =>
  [name, value].every((text) => text.normalize("NFC") === text);
/** The Go host of 2025 writes these as they are, within quotes. That of a CLI of today escapes them. */
const isPlain = ({ name, value }: VariableSeed): boolean => /^[^\\"\p{Cc}]*$/u.test(name + value);

/** Go, with the module of the checkout. */
const goProgram: Language = {
  prepare: (folder) => {
    const quickstart = join(ROOT, "examples", "quickstart-go");
    const replace = `\nreplace ${identity.goModule} => ${join(ROOT, "sdk", "go")}\n`;
    writeFileSync(join(folder, "go.mod"), readFileSync(join(quickstart, "go.mod"), "utf8") + replace);
    cpSync(join(quickstart, "go.sum"), join(folder, "go.sum"));
  },
  settings: () => ({ runtime: "go", ...plugins() }),
  env: goEnvironment(),
};

/** Only the converter and the languages tell what becomes of the YAML that is written. */
describe("engine: a program of `pulumi-previewenv adopt` in YAML, after `pulumi convert`", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let folder: string;
  let converters: string;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), "previewenv-converted-"));
    converters = provideConverter(folder) ?? this.skip();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const test = (language: "python" | "go", file: string, host: () => Language, wanted: readonly string[]): Mocha.Test =>
    it("writes nothing and builds nothing in its first up, and nothing differs then", async () => {
      const variables = madeByHand.filter((one) => isKept(one) && (language === "python" || isPlain(one)));
      const id = engine.environment({ name: `in-${language}`, variables });
      const before = [engine.sandbox.world.variables(id), engine.sandbox.world.builds(id)];
      const project = await engine.project({ language: host() });
      const [adopted, converted] = [join(folder, `${language}-adopted`), join(folder, `${language}-converted`)];
      mkdirSync(adopted);
      const place = {
        folder: project.folder,
        env: { ...project.env, PATH: [converters, PLUGIN_FOLDER, project.env["PATH"]].join(delimiter) },
      };
      const run = await start(place, process.execPath, [
        MAIN,
        "adopt",
        ...(wanted.length > 0 ? wanted : [id]),
        "--output",
        join(adopted, "Pulumi.yaml"),
      ]).done;
      expect(run.code, run.text).to.equal(0);
      const options = [
        "--from",
        "yaml",
        "--language",
        language,
        "--out",
        converted,
        "--generate-only",
        "--cwd",
        adopted,
      ];
      const { code, text } = await start(place, "pulumi", ["convert", ...options]).done;
      expect(code === 0 || OLD_HOST.test(text), text).to.equal(true);
      cpSync(join(converted, file), join(project.folder, file));

      const sent = await engine.requests(() => project.up(), id);

      expect(Object.keys(sent).filter((label) => !label.startsWith("GET "))).to.deep.equal([]);
      expect([engine.sandbox.world.variables(id), engine.sandbox.world.builds(id)]).to.deep.equal(before);
      await project.preview("--refresh", "--expect-no-changes");
    });

  describeIn("python", "into Python, which finds the environment by its name", () => {
    const python = usePython();
    test("python", "__main__.py", () => python("every-pull-request"), ["--name", "in-python"]);
  });
  describeIn("go", "into Go, which has the id of the environment", () => test("go", "main.go", () => goProgram, []));
});
