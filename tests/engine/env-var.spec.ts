import { expect } from "chai";
import type { Program } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, until, useEngine } from "./harness/suite";

const COUNT = 50;
const NAMES = Array.from({ length: COUNT }, (_, index) => `NAME_${index}`);

/** Worth its 6 CLI calls: how many resources the engine has under way at once decides what they can share. */
describe("engine: many EnvVar resources of one environment", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;

  const program = (value: string): Program => ({
    resources: NAMES.map((name, index) => ({
      type: "EnvVar",
      name: `var-${index}`,
      args: { environmentId, name, value: `${value} of ${index}` },
    })),
  });

  const counted = async (act: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> => {
    const mark = engine.sandbox.journal.mark();
    await act();
    return engine.counts(mark);
  };

  before(async () => {
    environmentId = engine.environment();
    project = await engine.project();
  });

  it("create writes together what comes while a request is under way, and each variable once", async () => {
    project.write(program("first"));
    const mark = engine.sandbox.journal.mark();
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    const first = engine.sandbox.faults.add({ label: "PUT /env-vars", hold });
    const up = project.start("up", "--yes", "--skip-preview", "--parallel", String(COUNT));
    const begun = (): number => new Set(up.printed().match(/EnvVar var-\d+ creating/gu)).size;
    await until("all of them have begun", () => first.hits > 0 && begun() === COUNT);
    release();
    const { code, text } = await up.done;
    expect(code, text).to.equal(0);
    const puts = engine.sandbox.journal.since(mark).filter(({ label }) => label === "PUT /env-vars");
    // How many share a request depends on the speed of the machine: tests/contract/env-var.spec.ts counts without one.
    expect(puts.length).to.be.below(COUNT);
    expect(puts.flatMap(({ names = [] }) => names)).to.have.members(NAMES);
    expect(Object.keys(engine.values(environmentId))).to.have.members(NAMES);
    expect(Object.keys(engine.counts(mark))).to.have.members(["GET /env-vars", "PUT /env-vars"]);
  });

  it("an up without changes makes no request, and a refresh of all of them shares reads", async () => {
    expect(await counted(() => project.up())).to.deep.equal({});
    const { "GET /env-vars": reads = 0, ...others } = await counted(() => project.refresh());
    // One, as long as the engine asks at least every two seconds.
    expect(reads).to.be.within(1, COUNT - 1);
    expect(others).to.deep.equal({});
  });

  it("no value is in exported state, and a change by hand is named and put back alone", async () => {
    expect(project.export()).not.to.contain("first of 7");
    engine.sandbox.world.setVariable(environmentId, { name: "NAME_7", value: "changed by hand", hidden: true });
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["NAME_7"]]);
    expect(engine.values(environmentId)["NAME_7"]).to.equal("first of 7");
  });

  it("destroy deletes each once", async () => {
    expect(await counted(() => project.destroy())).to.deep.equal({
      "GET /env-vars": 1,
      "DELETE /env-vars": COUNT,
    });
  });
});
