import { expect } from "chai";
import { differencesAmong, stillToBeDeleted } from "../../provider/src/drift/differences";
import type { DriftItem } from "../../provider/src/drift/report-schema";
import { readEvents } from "../../provider/src/drift/engine-event";
import { ended as endedSet, recorded } from "./support/fake-engine";

const differences = (events: readonly unknown[]): readonly DriftItem[] => differencesAmong(readEvents(events).steps);
const HIDDEN = "value";
const ENCRYPTED = "value or hidden flag";
const SINCE = "2026-11-21T14:29:59";
const row = ({ resource, name = "", kind, detail = "", since = "" }: DriftItem): string =>
  [resource, name, kind, detail, since].join("|");

/** An event of a set, for what the recording does not hold. */
function updated(old: object, now: object, detailedDiff: object | null): unknown {
  const { metadata } = endedSet("update", { old, now }).resOutputsEvent;
  return { resOutputsEvent: { metadata: { ...metadata, detailedDiff } } };
}
/** An event about a resource of the environment `e`. */
function ended(type: string, op = "delete") {
  const old = { inputs: {}, outputs: { environmentId: "e", name: "A" } };
  const metadata = {
    op,
    urn: `urn:pulumi:dev::project::previewenv:index:${type}::${type}`,
    type: `previewenv:index:${type}`,
    old,
  };
  return { resOutputsEvent: { metadata } };
}

const changed = { diffKind: "update", inputDiff: true };
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };

describe("drift: events", () => {
  it("name what drifted, how and since when", () => {
    const drift = differences(recorded("drift"));
    expect(drift.filter(({ resource }) => resource === "vars").map(row)).to.deep.equal([
      "vars|DELETED|deleted||",
      `vars|EDITED|changed||${SINCE}`,
      `vars|HID|hidden|now hidden|${SINCE}`,
      `vars|MOVED|services|now web|${SINCE}`,
      "vars|S_DELETED|deleted||",
      `vars|S_EDITED|changed|${HIDDEN}|${SINCE}`,
      `vars|S_MOVED|services|now web, and its value may differ too|${SINCE}`,
      `vars|S_SHOWN|hidden|now visible|${SINCE}`,
    ]);
    expect(drift.filter(({ resource }) => resource !== "vars").map(row)).to.deep.equal([
      "branches|web|branch|main -> feature/x|",
      "gone||gone||",
      "pruned|EXTRA|added||2026-11-21T14:30:00",
      "pruned|S_EXTRA|added||2026-11-21T14:30:00",
      "single|ONE|changed||2026-11-21T14:30:00",
      `single-flag|FOUR|changed|${ENCRYPTED}|2026-11-21T14:30:00`,
      "single-gone|THREE|deleted||",
      `single-secret|TWO|changed|${ENCRYPTED}|2026-11-21T14:30:00`,
    ]);
  });

  it("give no value away, of hidden variables or of others", () => {
    const text = JSON.stringify(differences(recorded("drift")));
    for (const value of ["before", "after", "was visible", "previewenv:unknown", "[secret]"])
      expect(text).not.to.include(value);
  });

  it("give no mask away where the engine shows the placeholder that a refresh left", () => {
    const found = {
      secrets: { S: `previewenv:unknown:v1:${SINCE}:head****tail` },
      observed: { v: 1, names: { [SINCE]: "S" } },
    };
    expect(differences([updated({}, found, { "secrets.S": changed })]).map(row)).to.deep.equal([
      `vars|S|changed|${HIDDEN}|${SINCE}`,
    ]);
  });

  it("are an error when the service does not answer, with each message once", () => {
    const events = recorded("error");
    expect(differences(events)).to.deep.equal([]);
    const { errors: messages } = readEvents(events);
    expect(messages).to.have.length(new Set(messages).size).and.not.be.empty;
    for (const message of messages) expect(message).to.match(/^Preview failed: Could not read .+ECONNREFUSED/u);
  });

  it("of a map that is one secret name the variables by their time stamps", () => {
    const time = "2026-01-01T00:00:00";
    const later = "2026-01-02T00:00:00";
    const old = { variables: { V: "1" }, secrets: secret, observed: { v: 1, names: { [time]: "A\nB\nC\nV" } } };
    const found = {
      ...old,
      observed: { v: 1, names: { [time]: "A", [later]: "B\nV" } },
    };
    expect(differences([updated(old, found, { secrets: changed })]).map(row)).to.deep.equal([
      `vars|B|changed|${HIDDEN}|${later}`,
      "vars|C|deleted||",
    ]);
  });

  it("of variables that nobody declares have the time that the refresh noted", () => {
    const found = {
      variables: { A: "1" },
      secrets: secret,
      observed: { v: 1, names: {}, seenAt: { A: SINCE, B: SINCE } },
    };
    const added = { diffKind: "add", inputDiff: true };
    expect(differences([updated({}, found, { "variables.A": added, "secrets.B": added })]).map(row)).to.deep.equal([
      `vars|A|added||${SINCE}`,
      `vars|B|added||${SINCE}`,
    ]);
  });

  it("are no drift of what was replaced and is still to be deleted, which has the URN of what took its place", () => {
    const found = { environmentId: "old", variables: { A: "hand" } };
    const { resOutputsEvent } = ended("EnvVarSet");
    const left = { ...resOutputsEvent.metadata, old: { ...resOutputsEvent.metadata.old, delete: true } };
    const edited = {
      ...left,
      op: "update",
      new: { inputs: {}, outputs: found },
      detailedDiff: { "variables.A": changed },
    };
    for (const metadata of [left, edited]) expect(differences([{ resOutputsEvent: { metadata } }])).to.deep.equal([]);
    const { steps } = readEvents([{ resOutputsEvent: { metadata: left } }, ended("EnvVar")]);
    expect([...stillToBeDeleted(steps)]).to.deep.equal([left.urn]);
  });

  it("of a dynamic resource whose last update failed say so, unless its build is what is due", () => {
    const found = { __unfinished: true, name: "A" };
    const unfinished = "changed|the last update did not finish, and until one does, nothing else shows|";
    for (const type of ["EnvVarSet", "EnvVar"]) {
      const { metadata } = ended(type, "update").resOutputsEvent;
      const event = { resOutputsEvent: { metadata: { ...metadata, new: { inputs: {}, outputs: found } } } };
      expect(differences([event]).map(row)).to.deep.equal([`${type}||${unfinished}`]);
    }
    const pending = { v: 1, before: [], branches: {}, status: "asked" };
    const { metadata } = ended("EnvironmentBranches", "update").resOutputsEvent;
    const event = { resOutputsEvent: { metadata: { ...metadata, new: { outputs: { ...found, pending } } } } };
    expect(differences([event]).map(row)).to.deep.equal([
      "EnvironmentBranches||build|the last one was not seen to succeed|",
    ]);
  });

  it("of state that this version cannot read are an error, and not taken for nothing", () => {
    const found = { observed: { v: 2, names: {} } };
    expect(() => differences([updated({}, found, null)])).to.throw(/cannot read `observed` in the state of EnvVarSet/u);
  });

  it("read names with any character", () => {
    const diff = { 'variables["with.dot"]': changed, 'variables["q\\"uote"]': { diffKind: "delete", inputDiff: true } };
    expect(differences([updated({}, {}, diff)]).map(row)).to.deep.equal([
      'vars|q"uote|deleted||',
      "vars|with.dot|changed||",
    ]);
  });

  it("of other resources are passed over", () => {
    const urn = "urn:pulumi:dev::project::aws:s3:Bucket::files";
    const metadata = { op: "update", urn, type: "aws:s3:Bucket", detailedDiff: { tags: changed } };
    expect(differences([{ resOutputsEvent: { metadata } }])).to.deep.equal([]);
  });

  it("of resources that were looked up with .get() are passed over", () => {
    const { metadata } = ended("EnvVarSet", "update").resOutputsEvent;
    const looked = { ...metadata, old: { ...metadata.old, external: true }, detailedDiff: { "variables.A": changed } };
    expect(differences([{ resOutputsEvent: { metadata: looked } }])).to.deep.equal([]);
    expect(differences([ended("EnvVarSet", "update")])).to.have.length(1);
  });

  it("of a deleted variable alone leave open whether the environment is gone", () => {
    expect(differences([ended("EnvVar")]).map(row)).to.deep.equal(["EnvVar|A|deleted|or its environment is gone|"]);
  });

  it("of an environment that is gone say so for each resource that leaves", () => {
    const found = differences([ended("EnvVar"), ended("EnvVarSet"), ended("EnvironmentAction", "same")]);
    expect(found.map(row)).to.deep.equal(["EnvVar||gone||", "EnvVarSet||gone||"]);
  });

  it("of an environment that an EnvironmentState can revive name its state beside what is gone", () => {
    const state = { ...ended("EnvironmentState", "update").resOutputsEvent.metadata, detailedDiff: { state: changed } };
    const [old, found] = ["running", "deleted"].map((one) => ({
      inputs: {},
      outputs: { environmentId: "e", state: one },
    }));
    const events = [ended("EnvVarSet"), { resOutputsEvent: { metadata: { ...state, old, new: found } } }];
    expect(differences(events).map(row)).to.deep.equal([
      "EnvVarSet||gone||",
      "EnvironmentState||state|running -> deleted|",
    ]);
  });

  it("take a variable called like something that every object has for any other", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf"];
    const deleted = { diffKind: "delete", inputDiff: true };
    const maps = names.map((name) => [name, "x"] as const);
    const old = { secrets: Object.fromEntries(maps), observed: { v: 1, names: { [SINCE]: names.join("\n") } } };
    const paths = (kind: object) => Object.fromEntries(names.map((name) => [`secrets.${name}`, kind]));
    const found = { secrets: {}, observed: { v: 1, names: {} } };
    const gone = differences([updated(old, found, paths(deleted))]);
    expect(gone.map(row)).to.deep.equal(names.toSorted().map((name) => `vars|${name}|deleted||`));
    const edited = differences([updated(old, found, paths(changed))]);
    expect(edited.map(row)).to.deep.equal(names.toSorted().map((name) => `vars|${name}|changed|${HIDDEN}|`));
    const whole = { ...old, secrets: secret };
    const lost = differences([updated(whole, { ...found, secrets: secret }, { secrets: changed })]);
    expect(lost.map(row)).to.deep.equal(names.toSorted().map((name) => `vars|${name}|deleted||`));
  });

  it("name the environment as any resource of the stack has it, and tell it by its id alone otherwise", () => {
    const described = (type: string, outputs: object) => {
      const { metadata } = ended(type, "same").resOutputsEvent;
      return { resOutputsEvent: { metadata: { ...metadata, old: { inputs: {}, outputs } } } };
    };
    const branches = described("EnvironmentBranches", {
      environmentId: "e",
      name: "shop",
      url: "https://shop.example",
    });
    const [item] = differences([ended("EnvVar"), branches]);
    expect(item).to.include({ environmentId: "e", environmentName: "shop", environmentUrl: "https://shop.example" });
    const several = described("PreviewEnvironments", {
      environments: [{ id: "e", name: "shop", url: "https://b.example" }],
    });
    expect(differences([ended("EnvVar"), several])[0]).to.include({ environmentUrl: "https://b.example" });
    const [other] = differences([
      ended("EnvVar"),
      described("EnvironmentBranches", { environmentId: "f", name: "x", url: "y" }),
    ]);
    expect(other).to.include({ environmentId: "e" }).and.not.have.any.keys("environmentName", "environmentUrl");
  });

  it("tell a new value and other services of the same variable apart, and both of them", () => {
    const single = (hidden: boolean, paths: readonly string[], now: object) => {
      const { metadata } = ended("EnvVar", "update").resOutputsEvent;
      const outputs = { ...metadata.old.outputs, hidden, value: hidden ? secret : "1" };
      const detailedDiff = Object.fromEntries(paths.map((path) => [path, changed]));
      const states = { old: { inputs: {}, outputs }, new: { inputs: {}, outputs: { ...outputs, ...now } } };
      return differences([{ resOutputsEvent: { metadata: { ...metadata, ...states, detailedDiff } } }]).map(row);
    };
    const services = { services: ["web"] };
    expect(single(false, ["value"], { value: "2" })).to.deep.equal(["EnvVar|A|changed||"]);
    expect(single(false, ["services"], services)).to.deep.equal(["EnvVar|A|services|now web|"]);
    expect(single(false, ["value", "services"], { ...services, value: "2" })).to.deep.equal([
      "EnvVar|A|changed||",
      "EnvVar|A|services|now web|",
    ]);
    const both = ["EnvVar|A|services|now web, and its value or hidden flag may differ too|"];
    expect(single(true, ["value", "services"], services)).to.deep.equal(both);
    const diff = { "variables.A": changed, "scopes.A": changed };
    const found = { variables: { A: "2" }, scopes: { A: ["web"] } };
    expect(differences([updated({ variables: { A: "1" } }, found, diff)]).map(row)).to.deep.equal([
      "vars|A|changed||",
      "vars|A|services|now web|",
    ]);
  });
});
