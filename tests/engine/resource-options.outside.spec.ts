import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { firstCells } from "../outside/fences";
import { useEngine } from "./harness/suite";
import { javascript } from "./harness/languages";
import { type ResourceEntry, set } from "./harness/program";
import type { Project } from "./harness/project";

/** Of customTimeouts and import, tests/contract/differences.spec.ts shows both sides. */
const ELSEWHERE = ["customTimeouts", "import"];
const NAMES = firstCells("docs/hosts.md", "| option ")
  .map((cell) => cell.replaceAll("`", ""))
  .filter((name) => !ELSEWHERE.includes(name));
/** The resource of each other option. */
const ENTRIES: Readonly<Record<string, ResourceEntry["options"]>> = {
  aliases: {},
  deleteBeforeReplace: { replaceOnChanges: ["variables.LEVEL"], deleteBeforeReplace: true },
  deletedWith: { deletedWith: "other" },
  hooks: { hooks: ["afterCreate", "afterUpdate", "afterDelete"] },
  ignoreChanges: { ignoreChanges: ["variables.LEVEL"] },
  protect: { protect: true },
  replaceOnChanges: { replaceOnChanges: ["variables.LEVEL"] },
  retainOnDelete: { retainOnDelete: true },
};

// Only the engine applies resource options.
for (const host of ["dynamic", "native"] as const)
  describe(`engine: the resource options of docs/hosts.md, ${host}`, function () {
    const engine = useEngine(this);
    let project: Project;
    /** Each option has an environment of its own. */
    let environments: Readonly<Record<string, string>>;
    let mark = 0;

    /** Writes the program: with a value for all, without some resources. The second value comes with another name for one. */
    const write = (value: "1" | "2", without: readonly string[] = []): void => {
      const sets = NAMES.filter((name) => !without.includes(name)).map((name) => {
        const args = { environmentId: environments[name] ?? "", variables: { LEVEL: value, OTHER: value } };
        return name === "aliases" && value === "2"
          ? set("renamed", args, { aliases: [{ name }] })
          : set(name, args, ENTRIES[name]);
      });
      const args = { environmentId: environments["deletedWith"] ?? "", state: "running" };
      const other: ResourceEntry = { type: "EnvironmentState", name: "other", args };
      project.write({ resources: [...(without.includes("deletedWith") ? [] : [other]), ...sets] });
      mark = engine.sandbox.journal.mark();
    };
    /** The writes of the environment of an option since then, in their order, each with the names that it sent. */
    const writes = (name: string): readonly string[] =>
      engine.sandbox.journal
        .since(mark)
        .filter(({ method, environmentId }) => method !== "GET" && environmentId === environments[name])
        .map(({ label, names = [] }) => [label, ...names.toSorted()].join(" "));
    const hooks = (): string => readFileSync(join(project.folder, "hooks.log"), "utf8");

    before(async () => {
      environments = Object.fromEntries(NAMES.map((name) => [name, engine.environment()]));
      project = await engine.project({ language: javascript(host) });
      write("1");
      await project.up();
    });

    it("are those of the table", () => expect(Object.keys(ENTRIES).toSorted()).to.deep.equal(NAMES.toSorted()));

    it("do what it says in an update: hooks, aliases, ignoreChanges, protect and both kinds of replacement", async () => {
      expect(hooks()).to.equal("hooks afterCreate\n");
      write("2");
      await project.up();
      expect(writes("ignoreChanges")).to.deep.equal(["PUT /env-vars OTHER"]);
      for (const name of ["protect", "replaceOnChanges", "aliases"])
        expect(writes(name), name).to.deep.equal(["PUT /env-vars LEVEL OTHER"]);
      const [last, ...deletes] = writes("deleteBeforeReplace").toReversed();
      expect(last).to.equal("PUT /env-vars LEVEL OTHER");
      expect(deletes).to.have.lengthOf(2);
      expect(hooks()).to.equal("hooks afterCreate\nhooks afterUpdate\n");
    });

    it("do what it says when a resource goes: protect, retainOnDelete and deletedWith", async () => {
      write("2", ["protect"]);
      const { text } = await project.failedUp();
      expect(text).to.match(/protect/u);
      expect(writes("protect")).to.deep.equal([]);

      write("2", ["retainOnDelete", "deletedWith"]);
      await project.up();
      for (const name of ["retainOnDelete", "deletedWith"]) {
        expect(writes(name), name).to.deep.equal([]);
        expect(engine.values(environments[name] ?? ""), name).to.deep.equal({ LEVEL: "2", OTHER: "2" });
      }
    });

    // It is the engine that misses the hook, after the same delete.
    if (host === "native") return;

    it("do what it says when a resource goes whose hook the program has no more", async () => {
      write("2", ["hooks", "retainOnDelete", "deletedWith"]);
      const { text } = await project.failedUp();
      expect(text).to.contain('hook "hooks afterDelete" was not registered');
      expect(writes("hooks").toSorted()).to.deep.equal(["DELETE /env-vars LEVEL", "DELETE /env-vars OTHER"]);
    });
  });
