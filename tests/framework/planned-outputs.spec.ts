import { expect } from "chai";
import { checkInputs, plannedOutputs } from "../../provider/src/framework/engine-calls";
import { EXISTING } from "../../provider/src/framework/existing-text";
import { UNKNOWN } from "../../provider/src/framework/properties";
import { findResource, resources } from "../../provider/src/resources";

const ID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";

describe("planned outputs", () => {
  it("of a create: every computed output of every type is unknown, but for what will not be there", () => {
    const absent: Readonly<Record<string, readonly string[]>> = { EnvironmentBranches: ["pending"] };
    for (const resource of resources) {
      const { type, inputs, state } = resource;
      const news = { environmentId: ID };
      const computed = Object.keys(state.shape).filter((name) => !Object.hasOwn(inputs.shape, name));
      const open = computed.filter((name) => absent[type]?.includes(name) !== true);
      const expected = { ...news, ...Object.fromEntries(open.map((name) => [name, UNKNOWN])) };
      expect(plannedOutputs(resource, news), type).to.deep.equal(expected);
    }
  });
});

describe("planned outputs of an update", () => {
  const planned = (type: string, inputs: object, old: object) => {
    const resource = findResource(type);
    return plannedOutputs(resource, checkInputs(resource, { environmentId: ID, ...inputs }).inputs, {
      environmentId: ID,
      ...old,
    });
  };
  const set = { variables: { A: "1" }, secrets: {}, revision: "r1", observed: { v: 1, names: { t: "A" } } };

  it("EnvVarSet: the revision stays when nothing is sent or deleted", () => {
    expect(planned("EnvVarSet", { variables: { A: "1" }, onConflict: "overwrite" }, set)["revision"]).to.equal("r1");
    const withExisting = { ...set, variables: { A: "1", E: EXISTING }, observed: { v: 1, names: { t: "A\nE" } } };
    expect(planned("EnvVarSet", { variables: { A: "1" } }, withExisting)["revision"]).to.equal("r1");
  });

  for (const [what, inputs] of Object.entries({
    "another value": { variables: { A: "2" } },
    "a name more": { variables: { A: "1", B: "2" } },
    "a name less": { variables: {} },
    triggers: { variables: { A: "1" }, triggers: { now: "1" } },
    "a value that is not known": { variables: { A: UNKNOWN } },
    "a map that is not known": { variables: { A: "1" }, secrets: UNKNOWN },
    "a scope that is not known": { variables: { A: "1" }, services: UNKNOWN },
    "a placeholder that would have to be sent": { variables: { A: "previewenv:unknown:v1::" } },
  }))
    it(`EnvVarSet: the revision is unknown with ${what}`, () => {
      const { revision, observed } = planned("EnvVarSet", inputs, set);
      expect([revision, observed]).to.deep.equal([UNKNOWN, UNKNOWN]);
    });

  const times = { variableId: "v1", createdAt: "c1", updatedAt: "u1" };
  const single = { name: "A", value: "1", hidden: true, ...times };

  it("EnvVar: id and times stay when nothing is sent; a write may find another variable of the same name", () => {
    const unknown = { variableId: UNKNOWN, createdAt: UNKNOWN, updatedAt: UNKNOWN };
    expect(planned("EnvVar", { name: "A", value: "1", onConflict: "overwrite" }, single)).to.deep.include(times);
    const changed = planned("EnvVar", { name: "A", value: "2" }, single);
    expect(changed).to.deep.include({ ...unknown, value: "2" });
    expect(planned("EnvVar", { name: "A", value: UNKNOWN }, single)).to.deep.include({ ...unknown, value: UNKNOWN });
    const scoped = planned("EnvVar", { name: "A", value: "1", services: UNKNOWN }, single);
    expect(scoped).to.deep.include({ ...unknown, services: UNKNOWN });
  });

  it("EnvironmentBranches: the original branches stay, unless a repository is declared that joined later, and without waiting there is no build", () => {
    const old = {
      branches: { web: "main" },
      originalBranches: { web: "old" },
      name: "shop",
      url: "u",
    };
    const waiting = planned("EnvironmentBranches", { branches: { web: "next" } }, old);
    expect(waiting).to.deep.include({ originalBranches: { web: "old" }, build: UNKNOWN, url: UNKNOWN });
    for (const branches of [{ web: "next", docs: "next" }, UNKNOWN])
      expect(planned("EnvironmentBranches", { branches }, old)).to.include({ originalBranches: UNKNOWN });
    // The build may be owed, where the environment sleeps.
    expect(waiting).to.include({ pending: UNKNOWN });
    const same = planned("EnvironmentBranches", { branches: { web: "main" }, buildTimeoutSeconds: 9 }, old);
    expect(same).not.to.have.property("pending");
    const other = planned("EnvironmentBranches", { branches: { web: "next" }, waitForBuild: false }, old);
    expect(other).not.to.have.property("build");
    const open = planned("EnvironmentBranches", { branches: { web: "next" }, waitForBuild: UNKNOWN }, old);
    expect(open).to.include({ waitForBuild: UNKNOWN, build: UNKNOWN });
  });
});
