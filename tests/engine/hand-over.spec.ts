import { expect } from "chai";
import { anyLanguage, javascript } from "./harness/languages";
import { oneSet, type ResourceEntry, set } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const VALUES = { variables: { SHOWN: "shown" }, secrets: { PASSWORD: "correct horse battery" } };
const ALL = { SHOWN: "shown", PASSWORD: "correct horse battery" };

type Values = Readonly<Record<string, string>>;
/** A resource without its environment. */
type Resource = (environmentId: string) => ResourceEntry;

interface Move {
  readonly title: string;
  readonly host: "native" | "dynamic";
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  /** What the service has when the move is done. */
  readonly values: Values;
  /** Options of the `up`. */
  readonly options?: readonly string[];
  /** Whether the first `up` ends with an error, because the engine cannot show the giver in time. */
  readonly isRefused: boolean;
}

const visible =
  (name: string, variables: Values, options: ResourceEntry["options"] = {}): Resource =>
  (environmentId) =>
    set(name, { environmentId, variables }, options);
const single =
  (resource: string, name: string, value: string): Resource =>
  (environmentId) => ({ type: "EnvVar", name: resource, args: { environmentId, name, value, hidden: false } });

/** MOVED goes to another resource, with a new value. The contract scenarios have all the other combinations. */
const moves: readonly Move[] = [
  {
    title: "EnvVar to set, with the EnvVar gone from the program and --refresh",
    host: "dynamic",
    before: [single("giver", "MOVED", "old"), visible("taker", { T: "t" })],
    after: [visible("taker", { T: "t", MOVED: "new" })],
    values: { T: "t", MOVED: "new" },
    options: ["--refresh"],
    isRefused: false,
  },
  {
    title: "a set that is renamed, with --refresh",
    host: "native",
    before: [visible("before", { MOVED: "old", SAME: "s" })],
    after: [visible("after", { MOVED: "new", SAME: "s" })],
    values: { MOVED: "new", SAME: "s" },
    options: ["--refresh"],
    isRefused: false,
  },
  {
    title: "the taker depends on the giver",
    host: "native",
    before: [visible("giver", { G: "g", MOVED: "old" }), visible("taker", { T: "t" })],
    after: [visible("giver", { G: "g" }), visible("taker", { T: "t", MOVED: "new" }, { dependsOn: ["giver"] })],
    values: { G: "g", T: "t", MOVED: "new" },
    isRefused: false,
  },
  {
    title: "the giver is gone from the program",
    host: "native",
    before: [visible("giver", { MOVED: "old" }), visible("taker", { T: "t" })],
    after: [visible("taker", { T: "t", MOVED: "new" })],
    values: { T: "t", MOVED: "new" },
    isRefused: true,
  },
  {
    title: "the giver depends on the taker",
    host: "native",
    before: [visible("taker", { T: "t" }), visible("giver", { G: "g", MOVED: "old" })],
    after: [visible("taker", { T: "t", MOVED: "new" }), visible("giver", { G: "g" }, { dependsOn: ["taker"] })],
    values: { G: "g", T: "t", MOVED: "new" },
    isRefused: true,
  },
];

/** Worth its 30 CLI calls, most of which take a second: in which order the engine shows, creates, updates and deletes resources is its own choice. */
describe("engine: handing variables over", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const move of moves)
    it(`a name that moves has its new value in the end: ${move.title} (${move.host})`, async () => {
      const { before, after, values, options = [], isRefused } = move;
      const project = await engine.project({
        language: move.host === "native" ? anyLanguage() : javascript("dynamic"),
      });
      const environmentId = engine.environment();
      const write = (resources: readonly Resource[]): void =>
        project.write({ resources: resources.map((one) => one(environmentId)) });
      write(before);
      await project.up();
      const old = engine.values(environmentId);
      write(after);
      const first = await project.run("up", "--yes", "--skip-preview", ...options);
      expect(first.code, first.text).to.equal(isRefused ? 1 : 0);
      if (isRefused) {
        expect(first.text).to.match(/already has[^]*pulumi up --refresh/u);
        expect(engine.values(environmentId)).to.deep.equal(old);
        await project.up("--refresh");
      }
      expect(engine.values(environmentId)).to.deep.equal(values);
      await project.up("--expect-no-changes");
    });

  it("renaming a Pulumi resource keeps its variables, and deletes none on the way", async () => {
    const project = await engine.project({ language: anyLanguage() });
    const environmentId = engine.environment();
    const other = single("one", "ONE", "1")(environmentId);
    project.write({ resources: [set("before", { environmentId, ...VALUES }), other] });
    await project.up();
    project.write({ resources: [set("after", { environmentId, ...VALUES }), other] });
    const counts = await engine.requests(() => project.up());
    expect(counts).not.to.have.property("DELETE /env-vars");
    expect(engine.values(environmentId)).to.deep.equal({ ...ALL, ONE: "1" });
    expect(project.runs.at(-1)?.text).to.include(
      "PASSWORD, SHOWN not deleted, because another resource of the program declares this now",
    );

    await project.preview("--expect-no-changes");
    // The program runs, and says that all of it is still declared.
    await project.destroy("--run-program");
    expect(engine.values(environmentId)).to.deep.equal({});
  });

  it("a drifted secret under ignoreChanges stays as it is, and its placeholder is never sent", async () => {
    const project = await engine.project({ language: anyLanguage() });
    const environmentId = engine.environment();
    const write = (shown: string, triggers: Record<string, string> = {}): void =>
      project.write(
        oneSet(
          { environmentId, variables: { SHOWN: shown }, secrets: VALUES.secrets, triggers },
          { ignoreChanges: ["secrets"] },
        ),
      );
    write("one");
    await project.up();
    engine.sandbox.world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand" });
    expect((await project.drift()).code, "ignored drift").to.equal(0);
    write("two");
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["SHOWN"]]);
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "two", PASSWORD: "changed by hand" });
    await project.preview("--expect-no-changes");

    write("two", { again: "1" });
    expect(await engine.sent(() => project.failedUp())).to.deep.equal([["SHOWN"]]);
    expect(project.runs.at(-1)?.text).to.match(/PASSWORD: .*ignoreChanges/u);
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "two", PASSWORD: "changed by hand" });
  });
});
