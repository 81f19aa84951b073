import { expect } from "chai";
import { readIgnore } from "../../provider/src/drift/ignore";
import type { DriftItem, Report } from "../../provider/src/drift/report-schema";
import { writeReport } from "../../provider/src/drift/report";
import { findDrift } from "../../provider/src/drift/stacks";
import { BACKEND, ended, FakeEngine, quiet, request } from "./support/fake-engine";

/** A set of which two variables were changed by hand. */
const changed = ended("update", { paths: ["variables.A/1", "variables.B"] });
const state = (() => {
  const { metadata } = ended("update", { type: "previewenv:index:EnvironmentState", paths: ["state"] }).resOutputsEvent;
  const urn = "urn:pulumi:dev::project::previewenv:index:EnvironmentState::asleep::now";
  return { resOutputsEvent: { metadata: { ...metadata, urn } } };
})();
const engineWith = (...events: readonly unknown[]): FakeEngine =>
  new FakeEngine({ previewRefresh: { events, errors: [] } });

const check = (ignore: readonly string[], options = {}): Promise<Report> =>
  findDrift(
    engineWith(changed, state),
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
