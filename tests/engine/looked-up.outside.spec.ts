import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const ENTRIES = { dynamic: "pulumi-previewenv", native: "pulumi-previewenv/native" } as const;
const KINDS = ["dynamic", "native"] as const;

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
const MOVED = `
new previewenv.EnvVarSet("taker", { environmentId, variables: { M: "new" }, secrets: { N: "secret-that-moves-2" } });
new previewenv.EnvVarSet("kept", { environmentId, variables: { K: "k" } });
new previewenv.EnvVarSet("giver", { environmentId, variables: { G: "g" } });
`;

const DECLARED_TOO = `${MOVED}
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
          `const previewenv = require("${ENTRIES[kind]}");\nconst environmentId = "${id}";\n${LOOKS}${resources}`,
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
      write(MOVED);
      await project.up("--refresh");
      const managed = { K: "k", G: "g", M: "new", N: "secret-that-moves-2" };
      expect(engine.values(id)).to.deep.equal({ ...others, ...managed });

      write(DECLARED_TOO);
      const refused = await project.failedUp("--refresh");
      expect(refused.text).to.match(/already has variables? .*F.*H/su);
      expect(engine.values(id)).to.deep.equal({ ...others, ...managed });

      write(MOVED);
      await project.up("--refresh");
      await project.destroy();
      expect(engine.values(id)).to.deep.equal(others);
      const printed = project.runs
        .flatMap(({ text }) => text.split("\n"))
        .filter((line) => /the import declares|which the program declares/u.test(line));
      expect(printed).to.deep.equal([]);
    });
});
