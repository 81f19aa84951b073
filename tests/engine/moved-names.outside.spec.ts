import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** As many as the engine has on most machines. */
const WORKERS = "16";
/** More than there are workers. */
const MANY = 20;

const ENTRIES = { dynamic: "pulumi-previewenv", native: "pulumi-previewenv/native" } as const;
type Kind = keyof typeof ENTRIES;
const KINDS: readonly Kind[] = ["dynamic", "native"];

const header = (kind: Kind): string => `const previewenv = require("${ENTRIES[kind]}");\n`;

/**
 * Two sets for each environment, in the order of their declaration. X, S and Y belong to the one or to the other. X and S get new values, Z and
 * W change places.
 */
const fleet = (kind: Kind, ids: readonly string[], order: readonly ("giver" | "taker")[], isMoved: boolean): string => {
  const sets = {
    giver: isMoved
      ? '{ environmentId, variables: { G: "g", W: "w2" } }'
      : '{ environmentId, variables: { G: "g", X: "old", Y: "y", Z: "z" }, secrets: { S: "secret-old-1234" } }',
    taker: isMoved
      ? '{ environmentId, variables: { T: "t", X: "new", Y: "y", Z: "z2" }, secrets: { S: "secret-new-1234" } }'
      : '{ environmentId, variables: { T: "t", W: "w" } }',
  };
  const declared = order.map((name) => `new previewenv.EnvVarSet("${name}-" + environmentId, ${sets[name]});`);
  return `${header(kind)}for (const environmentId of ${JSON.stringify(ids)}) {\n${declared.join("\n")}\n}`;
};
const MOVED = { G: "g", T: "t", X: "new", Y: "y", Z: "z2", W: "w2", S: "secret-new-1234" };

/** Worth its CLI calls: in which order the engine shows, creates, updates and deletes resources is its own choice. */
describe("engine: names that move", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  const write = (project: Project, text: string): void => writeFileSync(join(project.folder, "index.js"), text);

  for (const [kind, count, order, args] of [
    ["dynamic", MANY, ["giver", "taker"], ["--parallel", WORKERS]],
    ["native", MANY, ["taker", "giver"], ["--parallel", WORKERS, "--refresh"]],
    ["dynamic", 3, ["taker", "giver"], ["--parallel", "1", "--refresh"]],
    ["native", 3, ["giver", "taker"], ["--parallel", "1"]],
  ] as const)
    it(`${count} environments, ${order.join(" before ")}, up ${args.join(" ")} (${kind})`, async () => {
      const project = await engine.project({ language: javascript(kind) });
      const ids = Array.from({ length: count }, () => engine.environment());
      write(project, fleet(kind, ids, order, false));
      await project.up();
      write(project, fleet(kind, ids, order, true));
      // Two that change places need the state of the later one: without a refresh it is one error, whose advice moves them.
      const moved = await project.run("up", "--yes", "--skip-preview", ...args);
      if (moved.code !== 0) {
        expect(args).not.to.include("--refresh");
        expect(moved.text).to.contain("already has").and.to.contain("`pulumi up --refresh`");
        await project.up("--refresh");
      }
      for (const id of ids) expect(engine.values(id)).to.deep.equal(MOVED);
      await project.preview("--expect-no-changes");
      const [first = "", second = ""] = ids;
      await project.destroy("--target", project.resource(`giver-${first}`).urn);
      expect(engine.values(first)).to.deep.equal({ T: "t", X: "new", Y: "y", Z: "z2", S: "secret-new-1234" });
      await project.destroy("--target", project.resource(`taker-${second}`).urn);
      expect(engine.values(second)).to.deep.equal({ G: "g", W: "w2" });
    });

  for (const kind of KINDS)
    it(`renames, and replacements with and without deleteBeforeReplace whose PUT is refused once (${kind})`, async () => {
      const project = await engine.project({ language: javascript(kind) });
      const id = engine.environment();
      const program = (name: string, value: string, options: string): string =>
        `${header(kind)}const environmentId = "${id}", options = ${options};
new previewenv.EnvVarSet("set-${name}", { environmentId, variables: { A: "a" }, secrets: { S: "secret-${value}" } }, options);
new previewenv.EnvVar("one-${name}", { environmentId, name: "E", value: "single-${value}" }, options);`;
      const values = (value: string) => ({ A: "a", S: `secret-${value}`, E: `single-${value}` });
      write(project, program("a", "1111111111", "{}"));
      await project.up();
      write(project, program("b", "1111111111", "{}"));
      await project.up();
      expect(engine.values(id), "renamed").to.deep.equal(values("1111111111"));
      write(project, program("c", "2222222222", "{}"));
      await project.up("--refresh");
      expect(engine.values(id), "renamed, with another value").to.deep.equal(values("2222222222"));
      for (const [value, options] of [
        ["3333333333", '{ replaceOnChanges: ["*"] }'],
        ["4444444444", '{ replaceOnChanges: ["*"], deleteBeforeReplace: true }'],
      ] as const) {
        write(project, program("c", value, options));
        const refusal = engine.sandbox.faults.add({ refuse: { S: "no room", E: "no room" }, times: 2 });
        await project.failedUp();
        expect(refusal.hits).to.be.greaterThan(0);
        engine.sandbox.faults.clear();
        await project.up("--refresh");
        expect(engine.values(id), options).to.deep.equal(values(value));
        await project.preview("--expect-no-changes");
      }
      await project.destroy();
      expect(engine.values(id)).to.deep.equal({});
    });

  it("three sets become one by the option import", async () => {
    const project = await engine.project({ language: javascript("native") });
    const id = engine.environment({ variables: [{ name: "THEIRS", value: "theirs", hidden: false }] });
    const three = ["a", "b", "c"].map(
      (name) =>
        `new previewenv.EnvVarSet("${name}", { environmentId: "${id}", variables: { ${name}: "1", left_${name}: "1" }, secrets: { S_${name}: "secret-of-${name}" } });`,
    );
    write(project, `${header("native")}${three.join("\n")}`);
    await project.up();
    const secrets = { S_a: "secret-of-a", S_b: "secret-of-b", S_c: "secret-of-c" };
    const inputs = { environmentId: id, variables: { a: "1", b: "2", c: "1" }, secrets };
    write(
      project,
      `${header("native")}new previewenv.EnvVarSet("all", ${JSON.stringify(inputs)}, { import: "${id}" });`,
    );
    const preview = await project.preview("--diff");
    expect(preview.text).not.to.match(/-\s+THEIRS/u);
    await project.up();
    expect(engine.values(id)).to.deep.equal({ THEIRS: "theirs", a: "1", b: "2", c: "1", ...secrets });
    await project.preview("--expect-no-changes");
    await project.destroy();
    expect(engine.values(id)).to.deep.equal({ THEIRS: "theirs" });
  });

  for (const kind of KINDS)
    it(`two sets that get one name through \`transforms\` are refused in a preview (${kind})`, async () => {
      const project = await engine.project({ language: javascript(kind) });
      const transform = "({ props, opts }) => ({ props: { ...props, variables: { A: 'same' } }, opts })";
      const sets = ["one", "two"].map(
        (name) =>
          `new previewenv.EnvVarSet("${name}", { environmentId, variables: { ${name}: "1" } }, { transforms: [${transform}] });`,
      );
      write(project, `${header(kind)}const environmentId = "${engine.environment()}";\n${sets.join("\n")}`);
      const { text } = await project.end(1, "preview");
      expect(text).to.match(/EnvVarSet "(?:one|two)" and EnvVarSet "(?:one|two)" both declare the variable "A"/u);
    });
});

/** Looks at all that the environment has: plainly, and with a state argument that reads like the inputs of a declared resource. */
const LOOKS = `
previewenv.EnvVarSet.get("looked-at", environmentId);
previewenv.EnvVarSet.get("looked-at-as", environmentId, { environmentId, variables: { F: "f" }, secrets: { H: "any" }, onConflict: "fail" });
previewenv.EnvVar.get("looked-at-one", environmentId + "/F");
previewenv.EnvVar.get("looked-at-one-as", environmentId + "/F", { environmentId, name: "F", value: "f", hidden: false, onConflict: "fail" });
`;

const BEFORE = `
new previewenv.EnvVarSet("gone", { environmentId, variables: { A: "a" }, secrets: { S: "secret-of-the-set" } });
new previewenv.EnvVar("single", { environmentId, name: "E", value: "secret-of-one" });
new previewenv.EnvVarSet("kept", { environmentId, variables: { K: "k", D: "d" } });
new previewenv.EnvVarSet("giver", { environmentId, variables: { G: "g", M: "old" }, secrets: { N: "secret-that-moves-1" } });
`;

/** Two sets and a single variable have gone, and one name of another set. */
const REMOVED = `
new previewenv.EnvVarSet("kept", { environmentId, variables: { K: "k" } });
new previewenv.EnvVarSet("giver", { environmentId, variables: { G: "g", M: "old" }, secrets: { N: "secret-that-moves-1" } });
`;

/** The taker is declared before the giver: only a refresh shows in time whose the names are. */
const MOVED_TO_TAKER = `
new previewenv.EnvVarSet("taker", { environmentId, variables: { M: "new" }, secrets: { N: "secret-that-moves-2" } });
new previewenv.EnvVarSet("kept", { environmentId, variables: { K: "k" } });
new previewenv.EnvVarSet("giver", { environmentId, variables: { G: "g" } });
`;

const DECLARED_TOO = `${MOVED_TO_TAKER}
new previewenv.EnvVarSet("conflict", { environmentId, variables: { F: "mine" }, secrets: { H: "mine-too" } });
`;

/** Worth its 14 CLI calls: only the engine tells how it reads what a program looks at, and what it stores of that. */
describe("engine: resources that a program only looks at", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const kind of KINDS)
    it(`own nothing, and change nothing for others (${kind})`, async () => {
      const foreign = [
        { name: "F", value: "f", hidden: false },
        { name: "H", value: "somebody else's secret" },
      ];
      const id = engine.environment({ variables: foreign });
      const project: Project = await engine.project({ language: javascript(kind) });
      const write = (resources: string): void =>
        writeFileSync(
          join(project.folder, "index.js"),
          `${header(kind)}const environmentId = "${id}";\n${LOOKS}${resources}`,
        );
      const others = { F: "f", H: "somebody else's secret" };

      write(BEFORE);
      await project.up();
      write(REMOVED);
      const removed = await engine.requests(() => project.up());
      expect(removed).to.have.property("DELETE /env-vars", 4);
      expect(engine.values(id)).to.deep.equal({ ...others, K: "k", G: "g", M: "old", N: "secret-that-moves-1" });

      // Afterwards the engine has inputs of what is looked at, too.
      await project.refresh();
      write(MOVED_TO_TAKER);
      await project.up("--refresh");
      const managed = { K: "k", G: "g", M: "new", N: "secret-that-moves-2" };
      expect(engine.values(id)).to.deep.equal({ ...others, ...managed });

      write(DECLARED_TOO);
      const refused = await project.failedUp("--refresh");
      expect(refused.text).to.match(/already has variables? .*F.*H/su);
      expect(engine.values(id)).to.deep.equal({ ...others, ...managed });

      write(MOVED_TO_TAKER);
      await project.up("--refresh");
      await project.destroy();
      expect(engine.values(id)).to.deep.equal(others);
      const printed = project.runs
        .flatMap(({ text }) => text.split("\n"))
        .filter((line) => /the import declares|which the program declares/u.test(line));
      expect(printed).to.deep.equal([]);
    });
});
