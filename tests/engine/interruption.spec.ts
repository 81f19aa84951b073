import { expect } from "chai";
import { branches, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENDLESS_SECONDS, ENGINE_TEST_MS, useEngine, until } from "./harness/suite";

const HAND_MADE = { name: "HAND_MADE", value: "not ours", hidden: true };

/** Worth its 8 CLI calls: only a killed engine leaves the state that a crash leaves. */
describe("engine: a killed pulumi up", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  const program = (environmentId: string, value: string): Program => ({
    resources: [
      set("vars", { environmentId, variables: { SHOWN: value }, secrets: { PASSWORD: `${value} battery staple` } }),
      branches("branches", {
        environmentId,
        branches: { web: `feature/${value}` },
        rebuildOn: [{ $output: ["vars", "revision"] }],
      }),
    ],
  });

  /** Kills an `up` while the service works on a request, which it completes all the same. */
  const killDuring = async (project: Project, environmentId: string, label: string): Promise<void> => {
    const { faults, journal } = engine.sandbox;
    const mark = journal.mark();
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fault = faults.add({ label, hold, match: (request) => request.environmentId === environmentId });
    const up = project.start("up", "--yes", "--skip-preview");
    await until(`${label} arrives`, () => fault.hits > 0);
    up.kill();
    await up.done;
    release();
    faults.clear();
    await until(`${label} is over`, () => journal.since(mark).every(({ status }) => status !== 0));
  };

  const killedAt = async (
    label: string,
  ): Promise<{ project: Project; environmentId: string; builds: () => number }> => {
    const environmentId = engine.environment({ variables: [HAND_MADE] });
    const { world } = engine.sandbox;
    const earlier = world.builds(environmentId).length;
    const project = await engine.project();
    project.write(program(environmentId, "one"));
    world.slowNextBuild(environmentId, ENDLESS_SECONDS);
    await killDuring(project, environmentId, label);
    // The lock of a killed run; Pulumi's own message says to do this.
    await project.succeed("cancel", "--yes");
    return { project, environmentId, builds: () => world.builds(environmentId).length - earlier };
  };

  const isAsDeclared = (environmentId: string): void => {
    expect(engine.values(environmentId)).to.deep.equal({
      HAND_MADE: "not ours",
      SHOWN: "one",
      PASSWORD: "one battery staple",
    });
    expect(engine.sandbox.world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/one");
  };

  /** An `up` during which builds end as soon as it has looked at history. */
  const upWithBuild = async (project: Project, environmentId: string): Promise<void> => {
    const { journal, world } = engine.sandbox;
    const mark = journal.mark();
    const running = project.up();
    await until("the up looks at its build", () => {
      const labels = journal.since(mark).filter((entry) => entry.environmentId === environmentId && entry.status !== 0);
      return (
        labels.some(({ label }) => label === "GET /build-history") &&
        world.environments.get(environmentId)?.processing === true
      );
    });
    world.finishBuilds(environmentId);
    await running;
  };

  it("while variables are written, then a good one: everything is as declared, with one build", async () => {
    const { project, environmentId, builds } = await killedAt("PUT /env-vars");
    expect(builds()).to.equal(0);
    await upWithBuild(project, environmentId);
    isAsDeclared(environmentId);
    expect(builds()).to.equal(1);
    await project.preview("--expect-no-changes");
  });

  it("while branches are changed, then a good one: it waits for the build that runs, and starts none", async () => {
    const { project, environmentId, builds } = await killedAt("PATCH /environment");
    expect(builds()).to.equal(1);
    await upWithBuild(project, environmentId);
    isAsDeclared(environmentId);
    expect(builds()).to.equal(1);
    await project.preview("--expect-no-changes");
  });
});
