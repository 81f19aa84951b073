import { expect } from "chai";
import { driftItemsAmong, stillToBeDeleted } from "../../provider/src/drift/drift-items";
import { readEvents } from "../../provider/src/drift/engine-event";
import { readIgnore } from "../../provider/src/drift/ignore";
import { writeReport } from "../../provider/src/drift/report";
import type { DriftItem, Report } from "../../provider/src/drift/report-schema";
import { findDrift } from "../../provider/src/drift/stacks";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { BACKEND, ended, FakeEngine, quiet, recorded, request, URN } from "./support/fake-engine";

const driftItems = (events: readonly unknown[]): readonly DriftItem[] => driftItemsAmong(readEvents(events).steps);
const HIDDEN = "value";
const ENCRYPTED = "value or hidden flag";
const SINCE = "2026-11-21T14:29:59";
const row = ({ resource, name = "", kind, detail = "", since = "" }: DriftItem): string =>
  [resource, name, kind, detail, since].join("|");

/** A map that is one secret, as the engine blanks it. */
const WHOLE = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };
const TIME = "2026-01-01T00:00:00";
const LATER = "2026-01-02T00:00:00";
const EXISTING = existing();
const observed = (names: object, more: object = {}) => ({ observed: { v: 1, names, ...more } });
const about = (type: string, op = "delete", options: Parameters<typeof ended>[1] = {}) =>
  ended(op, { type, name: type, old: { environmentId: "e", name: "A" }, ...options });
const single = (hidden: boolean, paths: readonly string[], found: object) => {
  const old = { environmentId: "e", name: "A", hidden, value: hidden ? WHOLE : "1" };
  return about("EnvVar", "update", { old, now: { ...old, ...found }, paths });
};
const UNFINISHED = "changed|the last update did not finish, and until one does, nothing else shows|";
const unfinished = { old: { __unfinished: true, name: "A" } };
const pending = { v: 1, before: [], branches: {}, status: "asked" };
const secretBranch = { environmentId: "e", branches: { web: WHOLE } };
const failed = { flags: { initErrors: ["1 of 2 variables could not be written"] } };
/** Names that every object has without being entries. */
const EVERYWHERE = ["constructor", "hasOwnProperty", "toString", "valueOf"];
const all = (map: object | undefined, names: object) => ({ secrets: map, ...observed(names) });
const whole = all(Object.fromEntries(EVERYWHERE.map((name) => [name, "x"])), { [SINCE]: EVERYWHERE.join("\n") });
const every = (kind: "delete" | "update") => Object.fromEntries(EVERYWHERE.map((name) => [`secrets.${name}`, kind]));

type Row = readonly [string, object | readonly object[], readonly string[]];

/** What the engine tells of a refresh, and the lines of the report. */
const rows: readonly Row[] = [
  [
    "a mask is in the placeholder that a refresh left, and is not shown",
    ended("update", {
      now: { secrets: { S: `previewenv:unknown:v1:${SINCE}:head****tail` }, ...observed({ [SINCE]: "S" }) },
      paths: ["secrets.S"],
    }),
    [`vars|S|changed|${HIDDEN}|${SINCE}`],
  ],
  [
    "of a map that is one secret, time stamps name the variables",
    ended("update", {
      old: { variables: { V: "1" }, ...all(WHOLE, { [TIME]: "A\nB\nC\nV" }) },
      now: { variables: { V: "1" }, ...all(WHOLE, { [TIME]: "A", [LATER]: "B\nV" }) },
      paths: ["secrets"],
    }),
    [`vars|B|changed|${HIDDEN}|${LATER}`, "vars|C|deleted||"],
  ],
  [
    "variables that nobody declares have the time that the refresh noted",
    ended("update", {
      now: { variables: { A: "1" }, secrets: WHOLE, ...observed({}, { seenAt: { A: SINCE, B: SINCE } }) },
      paths: { "variables.A": "add", "secrets.B": "add" },
    }),
    [`vars|A|added||${SINCE}`, `vars|B|added||${SINCE}`],
  ],
  ["the update of a set did not finish", about("EnvVarSet", "update", unfinished), [`EnvVarSet||${UNFINISHED}`]],
  ["the update of a variable did not finish", about("EnvVar", "update", unfinished), [`EnvVar||${UNFINISHED}`]],
  // With the native plugin. What the engine shows beside it is the difference to the inputs from before the update.
  [
    "the update of a set failed, and the service has what state has",
    about("EnvVarSet", "same", failed),
    [`EnvVarSet||${UNFINISHED}`],
  ],
  [
    "the update of a set failed, and wrote a part",
    about("EnvVarSet", "update", { ...failed, paths: ["variables.A"] }),
    [`EnvVarSet||${UNFINISHED}`],
  ],
  [
    "the update of a variable failed, which is gone",
    about("EnvVar", "delete", failed),
    ["EnvVar|A|deleted|or its environment is gone|"],
  ],
  [
    "an update failed before its build, and the branches are those of before",
    about("EnvironmentBranches", "update", {
      ...failed,
      old: { environmentId: "e", branches: { web: "main" }, pending },
      paths: ["branches.web"],
    }),
    ["EnvironmentBranches||build|the last one was not seen to succeed|"],
  ],
  [
    "an update did not finish, and a build is due",
    about("EnvironmentBranches", "update", { old: { ...unfinished.old, pending } }),
    ["EnvironmentBranches||build|the last one was not seen to succeed|"],
  ],
  // The dynamic provider and the plugin keep the branch in it a secret, and `additionalSecretOutputs` makes one of all of it.
  ...[{ web: WHOLE }, { web: "[secret]" }, WHOLE, "[secret]"].map((secret): Row => [
    `a build is due, of secret branches: ${JSON.stringify(secret)}`,
    about("EnvironmentBranches", "update", {
      ...failed,
      old: { ...secretBranch, pending: { ...pending, branches: secret } },
    }),
    ["EnvironmentBranches||build|the last one was not seen to succeed|"],
  ]),
  [
    "a build of a secret branch is due once its environment runs",
    about("EnvironmentBranches", "update", {
      ...failed,
      old: { ...secretBranch, pending: { ...pending, branches: { web: WHOLE }, asleep: true } },
    }),
    [`EnvironmentBranches||${UNFINISHED}`],
  ],
  ...[WHOLE, "[secret]"].map((build): Row => [
    `a build is due that is a secret, shown as ${JSON.stringify(build)}`,
    about("EnvironmentBranches", "update", { ...failed, old: { ...secretBranch, pending: build } }),
    ["EnvironmentBranches||build|owed, and the environment runs|"],
  ]),
  [
    "a build is due, and other outputs about it are secrets",
    about("EnvironmentBranches", "update", {
      ...failed,
      old: { ...secretBranch, pending, build: WHOLE, waitForBuild: WHOLE },
    }),
    ["EnvironmentBranches||build|the last one was not seen to succeed|"],
  ],
  [
    "names with any character",
    ended("update", { old: {}, paths: { 'variables["with.dot"]': "update", 'variables["q\\"uote"]': "delete" } }),
    ['vars|q"uote|deleted||', "vars|with.dot|changed||"],
  ],
  ["a resource of another package", ended("update", { type: "aws:s3:Bucket", paths: ["tags"] }), []],
  [
    "a resource that was looked up with .get()",
    ended("update", { flags: { external: true }, paths: ["variables.A"] }),
    [],
  ],
  // It has the URN of what took its place.
  ["what was replaced and is still to be deleted is gone", ended("delete", { flags: { delete: true } }), []],
  [
    "what was replaced and is still to be deleted was edited",
    ended("update", { flags: { delete: true }, paths: ["variables.A"] }),
    [],
  ],
  ["a variable alone is deleted", about("EnvVar"), ["EnvVar|A|deleted|or its environment is gone|"]],
  [
    "an environment is gone",
    [about("EnvVar"), about("EnvVarSet"), about("EnvironmentAction", "same")],
    ["EnvVar||gone||", "EnvVarSet||gone||"],
  ],
  [
    "an environment is gone that an EnvironmentState can revive",
    [
      about("EnvVarSet"),
      about("EnvironmentState", "update", {
        old: { environmentId: "e", state: "running" },
        now: { environmentId: "e", state: "deleted" },
        paths: ["state"],
      }),
    ],
    ["EnvVarSet||gone||", "EnvironmentState||state|running -> deleted|"],
  ],
  [
    "names that every object has, deleted",
    ended("update", { old: whole, now: all({}, {}), paths: every("delete") }),
    EVERYWHERE.map((name) => `vars|${name}|deleted||`),
  ],
  [
    "names that every object has, changed",
    ended("update", { old: whole, now: all({}, {}), paths: every("update") }),
    EVERYWHERE.map((name) => `vars|${name}|changed|${HIDDEN}|`),
  ],
  [
    "names that every object has, in a map that is one secret",
    ended("update", { old: { ...whole, secrets: WHOLE }, now: all(WHOLE, {}), paths: ["secrets"] }),
    EVERYWHERE.map((name) => `vars|${name}|deleted||`),
  ],
  [
    "a variable with `existing()` is hidden or visible unlike declared",
    ended("update", {
      old: { variables: { V: EXISTING }, secrets: { S: WHOLE }, ...observed({ [TIME]: "S\nV" }) },
      now: { variables: { S: EXISTING }, secrets: { V: EXISTING }, ...observed({ [LATER]: "S\nV" }) },
      paths: { "secrets.S": "delete", "secrets.V": "add", "variables.S": "add", "variables.V": "delete" },
    }),
    [`vars|S|hidden|now visible|${LATER}`, `vars|V|hidden|now hidden|${LATER}`],
  ],
  [
    "so are variables with `existing()` of a set whose secrets are one secret",
    ended("update", {
      old: { variables: { V: EXISTING }, ...all(WHOLE, { [TIME]: "S\nV" }) },
      now: { variables: { S: EXISTING }, ...all(WHOLE, { [LATER]: "S\nV" }) },
      paths: { secrets: "update", "variables.S": "add", "variables.V": "delete" },
    }),
    [`vars|S|hidden|now visible|${LATER}`, `vars|V|hidden|now hidden|${LATER}`],
  ],
  [
    "so is one that nobody declares, which an earlier refresh has seen",
    ended("update", {
      old: { variables: { A: "1" }, ...observed({}, { seenAt: { A: TIME } }) },
      now: { secrets: WHOLE, ...observed({}, { seenAt: { A: LATER } }) },
      paths: { "variables.A": "delete", "secrets.A": "add" },
    }),
    [`vars|A|hidden|now hidden|${LATER}`],
  ],
  [
    "a map that is one secret differs, beside services of another variable",
    ended("update", {
      old: { variables: { V: "1" }, ...all(WHOLE, { [TIME]: "S\nV" }) },
      now: { variables: { V: "1" }, scopes: { V: ["web"] }, ...all(WHOLE, { [TIME]: "S\nV" }) },
      paths: { secrets: "update", "scopes.V": "add" },
    }),
    ["vars||changed|secrets|", `vars|V|services|now web|${TIME}`],
  ],
  [
    "a hidden `existing()` is visible",
    single(true, ["hidden"], { hidden: false, updatedAt: LATER }),
    [`EnvVar|A|hidden|now visible|${LATER}`],
  ],
  [
    "a visible `existing()` is hidden, and has other services",
    single(false, ["hidden", "services"], { hidden: true, services: ["web"] }),
    ["EnvVar|A|hidden|now hidden|", "EnvVar|A|services|now web|"],
  ],
  [
    "a visible variable with a value is hidden",
    single(false, ["value"], { value: `previewenv:unknown:v1:${LATER}:hidden`, updatedAt: LATER }),
    [`EnvVar|A|hidden|now hidden, and its value may differ too|${LATER}`],
  ],
  ["a flag that is a secret differs", single(true, ["hidden"], { hidden: WHOLE }), [`EnvVar|A|changed|${ENCRYPTED}|`]],
  ["another value", single(false, ["value"], { value: "2" }), ["EnvVar|A|changed||"]],
  ["other services", single(false, ["services"], { services: ["web"] }), ["EnvVar|A|services|now web|"]],
  [
    "another value and other services",
    single(false, ["value", "services"], { value: "2", services: ["web"] }),
    ["EnvVar|A|changed||", "EnvVar|A|services|now web|"],
  ],
  [
    "other services, and perhaps another hidden value",
    single(true, ["value", "services"], { services: ["web"] }),
    [`EnvVar|A|services|now web, and its ${ENCRYPTED} may differ too|`],
  ],
  [
    "other services, all of them a secret",
    single(false, ["services"], { services: WHOLE }),
    ["EnvVar|A|services|now other services, which are a secret|"],
  ],
  [
    "other services, one of them a secret",
    single(true, ["services[1]"], { services: ["web", WHOLE] }),
    ["EnvVar|A|services|now other services, which are a secret|"],
  ],
  [
    "another value and other services of a variable in a set",
    ended("update", {
      old: { variables: { A: "1" } },
      now: { variables: { A: "2" }, scopes: { A: ["web"] } },
      paths: ["variables.A", "scopes.A"],
    }),
    ["vars|A|changed||", "vars|A|services|now web|"],
  ],
];

describe("drift: events", () => {
  it("name what drifted, how and since when", () => {
    const drift = driftItems(recorded("drift"));
    expect(drift.filter(({ resource }) => resource === "vars").map(row)).to.deep.equal([
      "vars|DELETED|deleted||",
      `vars|EDITED|changed||${SINCE}`,
      `vars|HID|hidden|now hidden, and its value may differ too|${SINCE}`,
      `vars|MOVED|services|now web|${SINCE}`,
      "vars|S_DELETED|deleted||",
      `vars|S_EDITED|changed|${HIDDEN}|${SINCE}`,
      `vars|S_MOVED|services|now web, and its value may differ too|${SINCE}`,
      `vars|S_SHOWN|hidden|now visible, and its value may differ too|${SINCE}`,
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
    const text = JSON.stringify(driftItems(recorded("drift")));
    for (const value of ["before", "after", "was visible", "previewenv:unknown", "[secret]"])
      expect(text).not.to.include(value);
  });

  it("are an error when the service does not answer, with each message once", () => {
    const events = recorded("error");
    expect(driftItems(events)).to.deep.equal([]);
    const { errors: messages } = readEvents(events);
    expect(messages).to.have.length(new Set(messages).size).and.not.be.empty;
    for (const message of messages) expect(message).to.match(/^Preview failed: Could not read .+ECONNREFUSED/u);
  });

  for (const [what, events, lines] of rows)
    it(`are these differences: ${what}`, () => expect(driftItems([events].flat()).map(row)).to.deep.equal(lines));

  it("name what was replaced and is still to be deleted", () => {
    const { steps } = readEvents([ended("delete", { flags: { delete: true } }), about("EnvVar")]);
    expect([...stillToBeDeleted(steps)]).to.deep.equal([URN]);
  });

  it("of state that this version cannot read are an error, and not taken for nothing", () => {
    const unreadable = ended("update", { now: { observed: { v: 2, names: {} } } });
    expect(() => driftItems([unreadable])).to.throw(/cannot read `observed` in the state of EnvVarSet/u);
  });

  it("name the environment as any resource of the stack has it, and tell it by its id alone otherwise", () => {
    const shop = { name: "shop", url: "https://shop.example" };
    for (const [type, old, known] of [
      ["EnvironmentBranches", { environmentId: "e", ...shop }, true],
      ["PreviewEnvironments", { environments: [{ id: "e", ...shop }] }, true],
      ["EnvironmentBranches", { environmentId: "f", ...shop }, false],
    ] as const) {
      const [item] = driftItems([about("EnvVar"), about(type, "same", { old })]);
      const { environmentId, environmentName, environmentUrl } = item ?? {};
      expect([environmentId, environmentName, environmentUrl]).to.deep.equal(
        known ? ["e", shop.name, shop.url] : ["e", undefined, undefined],
      );
    }
  });
});

/** A set of which two variables were changed by hand. */
const editedSet = ended("update", { paths: ["variables.A/1", "variables.B"] });
const state = ended("update", { type: "EnvironmentState", name: "asleep::now", paths: ["state"] });
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

  it("looks once at a stack that has several names, and asks for its whole name only where names are alike", async () => {
    const fake = new FakeEngine({ previewRefresh: quiet });
    const report = await findDrift(fake, request({ stacks: ["dev", "pr-1", "acme/shop/dev", "other/shop/dev"] }));
    expect(report.stacks.map(({ stack }) => stack)).to.have.members(["dev", "pr-1", "other/shop/dev"]);
    expect(fake.asked.filter((command) => command.startsWith("wholeName"))).to.deep.equal([
      "wholeName dev",
      "wholeName acme/shop/dev",
      "wholeName other/shop/dev",
    ]);
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
});
