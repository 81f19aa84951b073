import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { options } from "../../tools/generate/reference/options";
import { type Engine, ENGINE_TEST_MS, useEngine } from "./harness/suite";
import { javascript } from "./harness/languages";
import { type ResourceEntry, set } from "./harness/program";
import type { Project } from "./harness/project";

/** Of customTimeouts and import, tests/contract/differences.spec.ts shows both sides. */
const ELSEWHERE = ["customTimeouts", "import"];
const NAMES = Object.keys(options).filter((name) => !ELSEWHERE.includes(name));
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

/** A program in which each option has an environment of its own. */
class Options {
  readonly project: Project;
  readonly #engine: Engine;
  readonly #environments: Readonly<Record<string, string>>;
  #mark = 0;

  constructor(engine: Engine, project: Project) {
    this.#engine = engine;
    this.project = project;
    this.#environments = Object.fromEntries(NAMES.map((name) => [name, engine.environment()]));
  }

  /** Writes the program: without some resources, with a value for all, under other names. */
  write(value: string, without: readonly string[] = [], renamed: Readonly<Record<string, string>> = {}): void {
    const sets = NAMES.filter((name) => !without.includes(name)).map((name) =>
      set(
        renamed[name] ?? name,
        { environmentId: this.#environments[name] ?? "", variables: { LEVEL: value, OTHER: value } },
        { ...ENTRIES[name], ...(renamed[name] !== undefined && { aliases: [{ name }] }) },
      ),
    );
    const other: ResourceEntry = {
      type: "EnvironmentState",
      name: "other",
      args: { environmentId: this.#environments["deletedWith"] ?? "", state: "running" },
    };
    this.project.write({ resources: [...(without.includes("deletedWith") ? [] : [other]), ...sets] });
  }

  begin(): void {
    this.#mark = this.#engine.sandbox.journal.mark();
  }

  /** The writes of the environment of an option since `begin`, in their order, each with the names that it sent. */
  writes(name: string): readonly string[] {
    return this.#engine.sandbox.journal
      .since(this.#mark)
      .filter(({ method, environmentId }) => method !== "GET" && environmentId === this.#environments[name])
      .map(({ label, names = [] }) => [label, ...names.toSorted()].join(" "));
  }

  values(name: string): Readonly<Record<string, string>> {
    return this.#engine.values(this.#environments[name] ?? "");
  }

  /** What the hooks have noted. */
  get hooks(): string {
    const file = join(this.project.folder, "hooks.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }
}

// Only the engine applies resource options.
for (const host of ["dynamic", "native"] as const)
  describe(`engine: the resource options of the reference, ${host}`, function () {
    this.timeout(ENGINE_TEST_MS);
    const engine = useEngine();
    let all: Options;

    before(async () => {
      all = new Options(engine, await engine.project({ language: javascript(host) }));
      all.write("1");
      await all.project.up();
    });

    it("are those of the table", () => expect(Object.keys(ENTRIES).toSorted()).to.deep.equal(NAMES.toSorted()));

    it("do what it says in an update: hooks, aliases, ignoreChanges, protect and both kinds of replacement", async () => {
      expect(all.hooks).to.equal("hooks afterCreate\n");
      all.write("2", [], { aliases: "renamed" });
      all.begin();
      await all.project.up();
      expect(all.writes("ignoreChanges")).to.deep.equal(["PUT /env-vars OTHER"]);
      expect(all.writes("protect")).to.deep.equal(["PUT /env-vars LEVEL OTHER"]);
      expect(all.writes("replaceOnChanges")).to.deep.equal(["PUT /env-vars LEVEL OTHER"]);
      expect(all.writes("aliases")).to.deep.equal(["PUT /env-vars LEVEL OTHER"]);
      const [last, ...deletes] = all.writes("deleteBeforeReplace").toReversed();
      expect(last).to.equal("PUT /env-vars LEVEL OTHER");
      expect(deletes).to.have.lengthOf(2);
      expect(all.hooks).to.equal("hooks afterCreate\nhooks afterUpdate\n");
    });

    it("do what it says when a resource goes: protect, retainOnDelete and deletedWith", async () => {
      all.write("2", ["protect"], { aliases: "renamed" });
      all.begin();
      const { text } = await all.project.failedUp();
      expect(text).to.match(/protect/u);
      expect(all.writes("protect")).to.deep.equal([]);

      all.write("2", ["retainOnDelete", "deletedWith"], { aliases: "renamed" });
      await all.project.up();
      for (const name of ["retainOnDelete", "deletedWith"]) {
        expect(all.writes(name), name).to.deep.equal([]);
        expect(all.values(name), name).to.deep.equal({ LEVEL: "2", OTHER: "2" });
      }
    });

    it("do what it says when a resource goes whose hook the program has no more", async () => {
      all.write("2", ["hooks", "retainOnDelete", "deletedWith"], { aliases: "renamed" });
      all.begin();
      const { text } = await all.project.failedUp();
      expect(text).to.contain('hook "hooks afterDelete" was not registered');
      expect(all.writes("hooks").toSorted()).to.deep.equal(["DELETE /env-vars LEVEL", "DELETE /env-vars OTHER"]);
    });
  });
