import { expect } from "chai";
import type { Properties } from "../../../provider/src/framework/properties";
import { isMarked, type Marked, type Marks, textsOf, unmarked } from "../../support/marked-values";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const SECRET = "S3CR3T-of-the-test";

/** The paths at which a secret is plain. */
function plainIn({ bag, marks }: Marked): readonly string[] {
  const found = textsOf(bag, []).filter(({ text, path }) => text.includes(SECRET) && !isMarked(marks, path));
  return found.map(({ path }) => path.join("."));
}

describe("native plugin, a Pulumi secret in a list", () => {
  const plugin = usePlugin();

  // The second item is the secret. Check sorts the items of all lists but the last two.
  const lists: readonly (readonly [string, Properties, Marks[number]])[] = [
    ["EnvVarSet", { variables: { A: "1" }, services: ["web", SECRET] }, ["services"]],
    ["EnvVarSet", { variables: { A: "1" }, scopes: { A: ["web", SECRET] } }, ["scopes", "A"]],
    ["EnvVar", { name: "A", value: "1", services: ["web", SECRET] }, ["services"]],
    ["EnvironmentBranches", { rebuildOn: [], requires: ["THERE", SECRET], waitForBuild: false }, ["requires"]],
    ["EnvironmentBranches", { rebuildOn: ["1", SECRET], waitForBuild: false }, ["rebuildOn"]],
    ["EnvVarSet", { variables: { A: "1" }, prune: true, keep: ["A*", SECRET] }, ["keep"]],
  ];
  for (const [type, declared, list] of lists)
    it(`is one in whatever order the list is stored: ${type}, ${list.join(".")}`, async () => {
      const calls = await plugin.begin();
      const variables = ["THERE", SECRET].map((name) => ({ name, value: "1" }));
      const environmentId = plugin.environment(type === "EnvironmentBranches" ? { variables } : {});
      const urn = urnOf(type, "one");
      const news = { bag: { environmentId, ...declared }, marks: [[...list, "1"]] };
      const { inputs } = await calls.check(urn, unmarked({}), news);
      const { id, outputs } = await calls.create({ urn }, inputs);
      // As an earlier version stored them: with the mark of the second item.
      const stored = { outputs: { ...outputs, marks: news.marks }, inputs: { ...inputs, marks: news.marks } };
      const read = await calls.read({ urn, id }, stored);
      for (const answer of [inputs, outputs, read.inputs, read.outputs]) expect(plainIn(answer)).to.deep.equal([]);
      const again = (await calls.check(urn, read.inputs, news)).inputs;
      for (const { inputs: oldInputs, outputs: olds } of [stored, read])
        expect((await calls.diff({ urn, id, olds, oldInputs, news: again })).getChanges()).to.equal(1);
    });
});

/** The marks within others: a program in TypeScript gets no value for a secret in a secret. */
function nestedIn({ marks }: Marked): Marks {
  return marks.filter((path) =>
    isMarked(
      marks.filter((other) => other.length < path.length),
      path,
    ),
  );
}

describe("native plugin, a Pulumi secret that the service says in another place", () => {
  const plugin = usePlugin();

  /** Creates what a program declares, and reads it after somebody has changed it, twice. */
  async function reads(type: string, news: Marked, change: () => void): Promise<readonly Marked[]> {
    const calls = await plugin.begin();
    const urn = urnOf(type, "one");
    const { inputs } = await calls.check(urn, unmarked({}), news);
    const { id, outputs } = await calls.create({ urn }, inputs);
    change();
    const first = await calls.read({ urn, id }, { inputs, outputs });
    const second = await calls.read({ urn, id }, first);
    return [first.inputs, first.outputs, second.inputs, second.outputs];
  }

  const services = { services: [SECRET] };
  for (const marks of [[["services"]], [["services", "0"]]])
    it(`is one in the scope of a variable: ${marks.join(".")}`, async () => {
      const environmentId = plugin.environment();
      const news = { bag: { environmentId, variables: { ZZ: "1" }, ...services }, marks };
      const found = await reads("EnvVarSet", news, () =>
        plugin.sandbox.world.setVariable(environmentId, {
          name: "ZZ",
          value: "1",
          hidden: false,
          services: [SECRET, "x"],
        }),
      );
      for (const answer of found) {
        expect(answer.bag).to.have.nested.property("scopes.ZZ").with.members([SECRET, "x"]);
        expect([plainIn(answer), nestedIn(answer)]).to.deep.equal([[], []]);
      }
    });

  for (const marks of [[["branches", "web"]], [["branches"]]])
    it(`is one as the branch of another repository: ${marks.join(".")}`, async () => {
      const projects = ["web", "api"].map((repoName) => ({ repoName, branch: "main" }));
      const environmentId = plugin.environment({ projects });
      const branches = { web: SECRET, api: "main" };
      const news = { bag: { environmentId, branches, waitForBuild: false }, marks };
      const found = await reads("EnvironmentBranches", news, () => {
        for (const project of plugin.sandbox.world.environments.get(environmentId)?.projects ?? [])
          Object.assign(project, { branch: SECRET });
        plugin.sandbox.world.finishBuilds(environmentId);
      });
      for (const answer of found) {
        expect(answer.bag).to.deep.include({ branches: { web: SECRET, api: SECRET } });
        expect([plainIn(answer), nestedIn(answer)]).to.deep.equal([[], []]);
      }
    });

  it("is one in what a program finds with `get` of the same environment", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment({ projects: [{ repoName: "web", branch: "main" }] });
    const news = {
      bag: { environmentId, branches: { web: SECRET }, waitForBuild: false },
      marks: [["branches", "web"]],
    };
    const { inputs } = await calls.check(urnOf("EnvironmentBranches", "one"), unmarked({}), news);
    const { id } = await calls.create({ urn: urnOf("EnvironmentBranches", "one") }, inputs);
    plugin.sandbox.world.finishBuilds(environmentId);
    plugin.engine.rootResource = urnOf("Stack", "one");
    const given = unmarked({});
    const { outputs } = await calls.read(
      { urn: urnOf("EnvironmentBranches", "two"), id },
      { inputs: given, outputs: given },
    );
    expect(outputs.bag).to.have.nested.property("branches.web", SECRET);
    expect([plainIn(outputs), nestedIn(outputs)]).to.deep.equal([[], []]);
  });

  it("makes none of what stands beside it, and is the same in another place that did not change", async () => {
    const environmentId = plugin.environment();
    const bag = { environmentId, variables: { A: "1", B: "1" }, services: ["web", SECRET], scopes: { B: ["web"] } };
    const found = await reads("EnvVarSet", { bag, marks: [["services", "1"]] }, () => undefined);
    for (const { marks } of found) expect(isMarked(marks, ["scopes", "B", "0"])).to.equal(false);
  });

  it("is one in the scope that a variable keeps when an update fails", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const urn = urnOf("EnvVarSet", "one");
    const before = { bag: { environmentId, variables: { ZZ: "1" }, ...services }, marks: [["services"]] };
    const { inputs } = await calls.check(urn, unmarked({}), before);
    const { id, outputs } = await calls.create({ urn }, inputs);
    plugin.sandbox.faults.add({ refuse: { ZZ: "no room" } });
    const after = unmarked({ environmentId, variables: { ZZ: "2" }, services: ["web"] });
    const news = (await calls.check(urn, inputs, after)).inputs;
    const { partial } = await failureOf(calls.update({ urn, id, olds: outputs, oldInputs: inputs, news }));
    expect(partial?.outputs.bag).to.deep.include({ services: ["web"], scopes: { ZZ: [SECRET] } });
    expect(partial && plainIn(partial.outputs)).to.deep.equal([]);
  });
});

describe("native plugin, outputs that show an earlier branch", () => {
  const plugin = usePlugin();
  const urn = urnOf("EnvironmentBranches", "one");

  for (const mark of [["branches", "web"], ["branches"]])
    it(`are secrets once a branch was one: ${mark.join(".")}`, async () => {
      const calls = await plugin.begin();
      const projects = [{ repoName: "web", branch: `${SECRET}-1` }];
      const environmentId = plugin.environment({ projects });
      const bag = { environmentId, waitForBuild: false, onDestroy: "restore" };
      const declared = (branch: string, marks: Marks): Marked => ({
        bag: { ...bag, branches: { web: branch } },
        marks,
      });
      // As after a new name in the program: no state has the first secret.
      const { inputs } = await calls.check(urn, unmarked({}), declared(`${SECRET}-2`, [mark]));
      let [last, { id, outputs }] = [inputs, await calls.create({ urn }, inputs)];
      const refresh = async (): Promise<void> => {
        ({ inputs: last, outputs } = await calls.read({ urn, id }, { inputs: last, outputs }));
      };
      const steps = [[`${SECRET}-3`, [mark]] as const, ["feature/plain", []] as const, ["feature/other", []] as const];
      for (const [branch, marks] of steps) {
        plugin.sandbox.world.finishBuilds(environmentId);
        expect(outputs.bag).to.have.nested.property("originalBranches.web", `${SECRET}-1`);
        expect(plainIn(outputs)).to.deep.equal([]);
        // A stack that changes to the dynamic provider has it from there.
        expect(outputs.bag).to.have.deep.property("__secretPaths", [["projects"], ["originalBranches"]]);
        // `drift` reads the rest of it in events, where a secret has no value.
        expect(outputs.marks).not.to.deep.include(["pending"]);
        await refresh();
        expect([plainIn(outputs), nestedIn(outputs)]).to.deep.equal([[], []]);
        const news = (await calls.check(urn, last, declared(branch, marks))).inputs;
        const step = { urn, id, olds: outputs, oldInputs: last, news };
        expect(plainIn(await calls.update(step, true))).to.deep.equal([]);
        outputs = await calls.update(step);
        last = news;
      }
      expect(plainIn(outputs)).to.deep.equal([]);
      plugin.sandbox.world.finishBuilds(environmentId);
      plugin.sandbox.faults.add({ match: ({ method }) => method !== "GET", status: 400, body: {} });
      // Another run: this one has declared the branch.
      const { message } = await failureOf((await plugin.begin()).delete({ urn, id }, outputs, last));
      expect(message).to.include("web@[secret]");
    });

  it("are plain without one", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const news = {
      bag: { environmentId, branches: { web: "feature/plain" }, rebuildOn: [SECRET] },
      marks: [["rebuildOn"]],
    };
    const { inputs } = await calls.check(urn, unmarked({}), { ...news, bag: { ...news.bag, waitForBuild: false } });
    const { outputs } = await calls.create({ urn }, inputs);
    expect(outputs.marks).to.deep.equal([["rebuildOn"]]);
  });
});

describe("native plugin, a Pulumi secret that the service says of another request", () => {
  const plugin = usePlugin();

  it("is not hidden in our own messages about other resources, which may name what is like it", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment({ variables: [{ name: "MAIN_URL", value: "theirs", hidden: false }] });
    const branches = { bag: { environmentId, branches: { web: "main" } }, marks: [["branches"]] };
    await calls.check(urnOf("EnvironmentBranches", "one"), unmarked({}), branches);
    const declared = { environmentId, variables: { MAIN_URL: "ours" } };
    const { message } = await failureOf(make(calls, { type: "EnvVarSet", name: "vars" }, declared));
    expect(message).to.include("MAIN_URL");
  });

  it("is hidden, also in a run that finds it in state only", async () => {
    let calls = await plugin.begin();
    const environmentId = plugin.environment();
    const [service, value] = ["one-of-the-services", "a-value-of-ours-only"];
    const bag = { environmentId, variables: { A: value, B: "shown-to-all" }, services: [service] };
    const urn = urnOf("EnvVarSet", "one");
    const { inputs } = await calls.check(urn, unmarked({}), { bag, marks: [["variables", "A"], ["services"]] });
    const { id, outputs } = await calls.create({ urn }, inputs);
    for (const again of [false, true]) {
      if (again) calls = await plugin.begin();
      if (again) await calls.read({ urn, id }, { inputs, outputs });
      const body = { errors: [{ title: `${service} has A=${value} B=shown-to-all` }] };
      plugin.sandbox.faults.add({ label: "POST /rebuild", status: 400, body });
      const { message } = await failureOf(
        make(calls, { type: "EnvironmentBranches", name: "two" }, { environmentId, rebuildOn: ["1"] }),
      );
      expect(message).to.include("[secret] has A=[secret] B=shown-to-all");
    }
  });
});
