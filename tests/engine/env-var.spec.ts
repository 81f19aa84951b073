import { expect } from "chai";
import type { Program } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const COUNT = 50;

/** Worth its 6 CLI calls: how many resources the engine has under way at once decides what they can share. */
describe("engine: many EnvVar resources of one environment", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;

  const program = (value: string): Program => ({
    resources: Array.from({ length: COUNT }, (_, index) => ({
      type: "EnvVar",
      name: `var-${index}`,
      args: { environmentId, name: `NAME_${index}`, value: `${value} of ${index}` },
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

  it("create reads once and writes together what comes while a request is under way", async () => {
    project.write(program("first"));
    // A service that takes its time: the longer a request is under way, the more share the next one.
    engine.sandbox.faults.add({ path: "/env-vars", delayMs: 50, times: Infinity });
    const { "GET /env-vars": reads, "PUT /env-vars": writes = 0, ...others } = await counted(() => project.up());
    expect(reads).to.equal(1);
    expect(writes).to.be.at.most(COUNT / 2);
    expect(others).to.deep.equal({});
    expect(Object.keys(engine.values(environmentId))).to.have.length(COUNT);
  });

  it("an up without changes makes no request, and a refresh of all of them one", async () => {
    expect(await counted(() => project.up())).to.deep.equal({});
    expect(await counted(() => project.refresh())).to.deep.equal({ "GET /env-vars": 1 });
  });

  it("no value is in exported state, and a change by hand is named and put back alone", async () => {
    expect(await project.export()).not.to.contain("first of 7");
    engine.sandbox.world.setVariable(environmentId, { name: "NAME_7", value: "changed by hand", hidden: true });
    const mark = engine.sandbox.journal.mark();
    await project.up("--refresh");
    expect(engine.counts(mark)).to.deep.equal({ "GET /env-vars": 1, "PUT /env-vars": 1 });
    expect(engine.values(environmentId)["NAME_7"]).to.equal("first of 7");
  });

  it("destroy deletes each once", async () => {
    expect(await counted(() => project.destroy())).to.deep.equal({ "DELETE /env-vars": COUNT });
  });
});
