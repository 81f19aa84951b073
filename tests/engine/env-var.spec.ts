import { expect } from "chai";
import type { Program } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const COUNT = 50;
const NAMES = Array.from({ length: COUNT }, (_, index) => `NAME_${index}`);

/** Worth its 6 CLI calls: how many resources the engine has under way at once decides which reads they share. */
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

  it("create shares reads, and writes each variable once", async () => {
    project.write(program("first"));
    const mark = engine.sandbox.journal.mark();
    const { "GET /env-vars": reads = 0, ...writes } = await counted(() => project.up("--parallel", String(COUNT)));
    // One, as long as the engine asks at least every two seconds.
    expect(reads).to.be.within(1, COUNT - 1);
    expect(writes).to.deep.equal({ "PUT /env-vars": COUNT });
    expect(engine.sandbox.journal.since(mark).flatMap(({ names = [] }) => names)).to.have.members(NAMES);
    expect(Object.keys(engine.values(environmentId))).to.have.members(NAMES);
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
