import { expect } from "chai";
import { differencesAmong, stillToBeDeleted } from "../../provider/src/drift/differences";
import { readEvents } from "../../provider/src/drift/engine-event";
import { readIgnore } from "../../provider/src/drift/ignore";
import { writeReport } from "../../provider/src/drift/report";
import type { DriftItem, Report } from "../../provider/src/drift/report-schema";
import { findDrift } from "../../provider/src/drift/stacks";
import { BACKEND, ended as endedSet, FakeEngine, quiet, recorded, request } from "./support/fake-engine";

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

/** A set of which two variables were changed by hand. */
const editedSet = endedSet("update", { paths: ["variables.A/1", "variables.B"] });
const state = (() => {
  const { metadata } = endedSet("update", {
    type: "previewenv:index:EnvironmentState",
    paths: ["state"],
  }).resOutputsEvent;
  const urn = "urn:pulumi:dev::project::previewenv:index:EnvironmentState::asleep::now";
  return { resOutputsEvent: { metadata: { ...metadata, urn } } };
})();
const engineWith = (...events: readonly unknown[]): FakeEngine =>
  new FakeEngine({ previewRefresh: { events, errors: [] } });

const check = (ignore: readonly string[], options = {}): Promise<Report> =>
  findDrift(
    engineWith(editedSet, state),
    request({ stacks: ["acme/shop/dev"], ignore: ignore.map(readIgnore), ...options }),
  );
const names = (items: readonly DriftItem[] = []): readonly string[] =>
  items.map(({ resource, name, kind }) => `${resource} ${name ?? kind}`);

describe("drift: --ignore", () => {
  for (const [entries, drift, ignored] of [
    [["*::vars::A/1"], ["asleep::now state", "vars B"], ["vars A/1"]],
    [["*/dev::vars::A*"], ["asleep::now state", "vars B"], ["vars A/1"]],
    [["acme*::asleep::now::state"], ["vars A/1", "vars B"], ["asleep::now state"]],
    [["*::v?rs::*", "acme/shop/{dev,prod}::*::B"], ["asleep::now state"], ["vars A/1", "vars B"]],
    [["*::*::*"], [], ["asleep::now state", "vars A/1", "vars B"]],
    [["dev::*::*", "*::VARS::*", "*::vars::a/1"], ["asleep::now state", "vars A/1", "vars B"], []],
  ] as const)
    it(`of ${entries.join(" and ")} leaves ${drift.join(", ") || "nothing"}`, async () => {
      const report = await check(entries);
      expect([names(report.stacks[0]?.drift), names(report.stacks[0]?.ignored)]).to.deep.equal([drift, ignored]);
      expect([report.drifted, report.ignored]).to.deep.equal([drift.length, ignored.length]);
      expect([report.status, report.exitCode]).to.deep.equal(drift.length > 0 ? ["drift", 2] : ["in sync", 0]);
    });

  it("names each entry that matched nothing, of stacks that were looked at", async () => {
    const entries = ["*::vars::A/1", "*/dev::vars::TYPO", "prod::*::*"];
    expect((await check(entries)).unusedIgnores).to.deep.equal(["*/dev::vars::TYPO"]);
    expect((await check(entries, { stacks: [] })).unusedIgnores).to.deep.equal(["*/dev::vars::TYPO", "prod::*::*"]);
    // The other parts have the stacks that it is about.
    const part = { stacks: [], shard: { index: 1, count: 1 } };
    expect((await check(entries, part)).unusedIgnores).to.deep.equal([]);
  });

  it("calls no entry unused while a stack that it is about could not be looked at", async () => {
    const failing = new FakeEngine({ previewRefresh: { events: [], errors: ["no answer"] } });
    const report = await findDrift(failing, request({ ignore: [readIgnore("*::vars::*"), readIgnore("prod::*::*")] }));
    expect(report.unusedIgnores).to.deep.equal(["prod::*::*"]);
  });
});

describe("drift: a run", () => {
  it("looks at its part of the stacks only, and may have none to look at", async () => {
    const stacks = Array.from({ length: 30 }, (_, index) => `pr-${index}`);
    const asked = await Promise.all(
      [1, 2, 3].map(async (index) => {
        const fake = new FakeEngine({ previewRefresh: quiet, stacks });
        const { exitCode } = await findDrift(fake, request({ shard: { index, count: 3 } }));
        expect(exitCode).to.equal(0);
        return fake.asked;
      }),
    );
    expect(asked.flat().toSorted()).to.deep.equal(stacks.map((stack) => `previewRefresh ${stack}`).toSorted());
    const fake = new FakeEngine({ stacks: ["dev"] });
    const { stacks: none, exitCode } = await findDrift(fake, request({ shard: { index: 1, count: 5 } }));
    expect([none, exitCode, fake.asked]).to.deep.equal([[], 0, []]);
  });

  it("names the stack that was meant when there is none of the name that was given", async () => {
    const engineWithout = new FakeEngine({
      previewRefresh: { events: [], errors: ["no stack named 'dve' found"] },
    });
    const { stacks } = await findDrift(engineWithout, request({ stacks: ["dve"] }));
    expect(stacks[0]?.errors).to.deep.equal([`no stack named 'dve' found. Did you mean "dev"?`]);
  });

  it("that could look at no stack is an error, in the report too", async () => {
    for (const [stacks, message] of [
      [new Error("no Pulumi.yaml project file found"), /^no Pulumi.yaml/u],
      [[], /^Found no stack of this project in s3:\/\/acme-state\/shop: .+ --allow-no-stacks\. See \S+#no-stacks\.$/u],
    ] as const) {
      const report = await findDrift(new FakeEngine({ stacks }), request());
      expect([report.status, report.exitCode, report.stacks]).to.deep.equal(["error", 1, []]);
      expect(report.errors.join()).to.match(message);
    }
  });

  it("of a project that may have no stack is in sync, and one line names the backend in every form", async () => {
    const may = request({ allowNoStacks: true, ignore: [readIgnore("dev::*::*"), readIgnore("*::*::X")] });
    const report = await findDrift(new FakeEngine({ stacks: [] }), may);
    expect([report.status, report.exitCode, report.backend, report.errors]).to.deep.equal(["in sync", 0, BACKEND, []]);
    expect(writeReport("text", report)).to.equal(`This project has no stack in ${BACKEND}.\n`);
    expect(writeReport("markdown", report)).to.equal(
      `## Drift of preview environments\n\nThis project has no stack in \`${BACKEND}\`.\n`,
    );
    const { backend, exitCode } = await findDrift(new FakeEngine({ previewRefresh: quiet }), may);
    expect([backend, exitCode]).to.deep.equal([undefined, 0]);
  });

  it("counts what was restored, and ends as healed only when nothing is left", async () => {
    const healed = await findDrift(new FakeEngine(), request({ heal: true }));
    expect([healed.status, healed.exitCode, healed.drifted, healed.restored]).to.deep.equal(["healed", 0, 2, 2]);
    const left = await findDrift(new FakeEngine({ program: [] }), request({ heal: true }));
    expect([left.status, left.exitCode, left.drifted, left.restored]).to.deep.equal(["drift", 2, 2, 0]);
  });
});
