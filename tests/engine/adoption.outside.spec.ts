import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { expect } from "chai";
import { configKeys } from "../../provider/src/adopt/config-keys";
import type { VariableSeed } from "../../provider/src/sandbox";
import { identity } from "../../tools/release/owner";
import { madeByHand } from "../adopt/support/environments";
import { takenOver } from "../adopt/support/program";
import { goEnvironment } from "../support/languages";
import { start } from "./harness/cli";
import {
  describeIn,
  type Language,
  OLD_HOST,
  PLUGIN_FOLDER,
  plugins,
  converterFolder,
  usePython,
  yaml,
} from "./harness/languages";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

const ROOT = resolve(__dirname, "..", "..");
const MAIN = join(ROOT, "dist", "provider", "src", "main.js");
/** A project and its stack have this name already, and the program in YAML gets that of the environment. */
const NAME = "engine-specs";
/** Every other one that is hidden: `constructor`, `# name: x`, control characters. */
const isTaken = (_variable: unknown, index: number): boolean => index % 2 === 1;
/** Texts that Pulumi could take for something else, then plain ones. */
const newValue = (index: number): string =>
  ["12345", "1e3", "True", '{"private_key":"a\\nb"}', "[1]", "null", "$${a} ${b"][index] ?? `taken over ${index}`;

/**
 * Worth its CLI calls: that nothing is written depends on what Pulumi's YAML makes of 60 odd texts. TypeScript is plain:
 * tests/adopt/round-trip.spec.ts runs such a program, and a guide of tests/outside deploys one.
 */
describeIn("yaml", "engine: a program of pulumi-previewenv adopt in YAML, over the native plugin", function () {
  const engine = useEngine(this);
  const hidden = madeByHand.filter((one) => one.hidden);
  const taken = hidden.filter(isTaken);
  const keys = configKeys(hidden.map(({ name }) => name).toSorted());
  let project: Project;
  let environmentId: string;
  let program: string;

  before(async () => {
    environmentId = engine.environment({ name: NAME, variables: madeByHand });
    project = await engine.project({ language: yaml() });
    program = join(project.folder, "Pulumi.yaml");
    const adopting = [MAIN, "adopt", environmentId, "--output", program, "--force"];
    const { code, text } = await start(project, process.execPath, adopting).done;
    expect(code, text).to.equal(0);
    for (const { value } of hidden) expect(text).not.to.contain(value);
    for (const [name, setting] of Object.entries(plugins()))
      appendFileSync(program, `${name}: ${JSON.stringify(setting)}\n`);
  });

  it("writes nothing and builds nothing in its first up", async () => {
    const { world } = engine.sandbox;
    const found = [world.variables(environmentId), world.builds(environmentId)];
    expect(await engine.written(() => project.up())).to.deep.equal([]);
    expect([world.variables(environmentId), world.builds(environmentId)]).to.deep.equal(found);
  });

  it("sends the values that are taken over as its comment says, and writes them into no file in plain text", async () => {
    const values = taken.map(({ name }, index) => [keys.get(name) ?? "", newValue(index)] as const);
    const set = values.flatMap(([key, value]) => ["--secret", `secrets.${key}=${value}`]);
    await project.succeed("config", "set-all", "--path", ...set);
    const declared = takenOver("yaml", readFileSync(program, "utf8"), (key) => values.some(([one]) => one === key));
    writeFileSync(program, declared);
    expect(await engine.sent(() => project.up())).to.deep.equal([taken.map(({ name }) => name).toSorted()]);
    expect(engine.values(environmentId)).to.deep.include(
      Object.fromEntries(taken.map(({ name }, index) => [name, newValue(index)])),
    );
    for (const file of readdirSync(project.folder).filter((name) => name.endsWith(".yaml")))
      expect(readFileSync(join(project.folder, file), "utf8"), file).not.to.contain("taken over");
  });

  it("deletes in a destroy what it has values for, and leaves the rest as it was", async () => {
    await project.destroy();
    const left = hidden.filter((one) => !taken.includes(one));
    expect(engine.values(environmentId)).to.deep.equal(
      Object.fromEntries(left.map(({ name, value }) => [name, value])),
    );
  });
});

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
  const engine = useEngine(this);
  let converters: string;
  before(function () {
    converters = converterFolder() ?? this.skip();
  });

  const test = (language: "python" | "go", file: string, host: () => Language, wanted: readonly string[]): Mocha.Test =>
    it("writes nothing and builds nothing in its first up, and nothing differs then", async () => {
      const variables = madeByHand.filter((one) => isKept(one) && (language === "python" || isPlain(one)));
      const id = engine.environment({ name: `in-${language}`, variables });
      const before = [engine.sandbox.world.variables(id), engine.sandbox.world.builds(id)];
      const project = await engine.project({ language: host() });
      const [adopted, converted] = [join(project.folder, "..", "adopted"), join(project.folder, "..", "converted")];
      mkdirSync(adopted);
      const place = {
        folder: project.folder,
        env: { ...project.env, PATH: [converters, PLUGIN_FOLDER, project.env["PATH"]].join(delimiter) },
      };
      const adopting = ["adopt", ...(wanted.length > 0 ? wanted : [id]), "--output", join(adopted, "Pulumi.yaml")];
      const run = await start(place, process.execPath, [MAIN, ...adopting]).done;
      expect(run.code, run.text).to.equal(0);
      const options = ["--from", "yaml", "--language", language, "--out", converted, "--generate-only"];
      const { code, text } = await start(place, "pulumi", ["convert", ...options, "--cwd", adopted]).done;
      expect(code === 0 || OLD_HOST.test(text), text).to.equal(true);
      cpSync(join(converted, file), join(project.folder, file));

      expect(await engine.written(() => project.up(), id)).to.deep.equal([]);
      expect([engine.sandbox.world.variables(id), engine.sandbox.world.builds(id)]).to.deep.equal(before);
      await project.preview("--refresh", "--expect-no-changes");
    });

  describeIn("python", "into Python, which finds the environment by its name", () => {
    const python = usePython();
    test("python", "__main__.py", () => python("every-pull-request"), ["--name", "in-python"]);
  });
  describeIn("go", "into Go, which has the id of the environment", () => test("go", "main.go", () => goProgram, []));
});
