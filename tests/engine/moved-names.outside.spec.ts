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
});
