import { expect } from "chai";
import { anyLanguage, describeIn, javascript, yaml } from "./harness/languages";
import { branches, type Program, set } from "./harness/program";
import { ENDLESS_SECONDS, until, useEngine } from "./harness/suite";

const HAND_MADE = { name: "HAND_MADE", value: "not ours", hidden: true };
const SECRETS = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`NAME_${index}`, `value number ${index}`]),
);

const env = { PREVIEWENV_BATCH_SIZE: "20" };
const PUT = "PUT /env-vars";
/** The second PUT of three, and the look at the build that the run has requested. */
const kills = [
  { label: PUT, host: "dynamic", options: { language: javascript("dynamic"), env } },
  {
    label: "GET /build-history",
    host: "native, without checkpoints",
    options: { language: anyLanguage(), env: { ...env, PULUMI_SKIP_CHECKPOINTS: "true" } },
  },
];

/** Worth its CLI calls: what a killed engine leaves in state is its own doing. The simulation kills at every request, and at builds that fail. */
describe("engine: a run that was killed", function () {
  const engine = useEngine(this);

  const program = (environmentId: string): Program => ({
    resources: [
      set("vars", { environmentId, secrets: SECRETS }),
      branches("branches", { environmentId, branches: { web: "feature/one" } }, { dependsOn: ["vars"] }),
    ],
  });

  for (const { label, host, options } of kills)
    it(`is completed by the next up: killed at its second ${label} (${host})`, async () => {
      const { faults, journal, world } = engine.sandbox;
      const environmentId = engine.environment({ variables: [HAND_MADE] });
      const found = world.variable(environmentId, HAND_MADE.name);
      const builds = world.builds(environmentId).length;
      const project = await engine.project(options);
      project.write(program(environmentId));
      // Or the run would be over before it looks.
      if (label !== PUT) world.slowNextBuild(environmentId, ENDLESS_SECONDS);
      const { promise: hold, resolve: release } = Promise.withResolvers<void>();
      const mark = journal.mark();
      const fault = faults.add({ label, after: 1, hold });
      const run = project.start("up", "--yes", "--skip-preview");
      await until("the request arrives", () => fault.hits > 0);
      run.kill();
      await run.done;
      release();
      fault.remove();
      await until("the service has acted", () => journal.since(mark).every(({ status }) => status !== 0));
      await project.succeed("cancel", "--yes");
      world.finishBuilds(environmentId);
      const drift = async () => (await project.command(["drift"])).stdout;
      if (label === PUT)
        expect(await drift()).to.match(/^dev: error\n {2}a run was killed, or is under way, so state may /u);

      await project.up();
      if (label === PUT) expect(await drift()).to.match(/^in sync: dev\n/u);
      expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: HAND_MADE.value, ...SECRETS });
      expect(world.variable(environmentId, HAND_MADE.name)).to.deep.equal(found);
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/one");
      expect(world.builds(environmentId).length - builds).to.equal(1);
      expect(world.builds(environmentId)[0]?.outcome).to.equal("succeeded");
      await project.preview("--refresh", "--expect-no-changes");
    });
});

/** Worth its 4 CLI calls: what is kept in state after Ctrl-C, and what the next run makes of it, is the engine's doing. */
describeIn("yaml", "engine: a run that Ctrl-C ends", function () {
  const engine = useEngine(this);

  it("Ctrl-C ends the wait for a build that never ends, and keeps what was done; the next up finishes without a second build", async () => {
    const project = await engine.project({ language: yaml() });
    const environmentId = engine.environment();
    const { journal, world } = engine.sandbox;
    const earlier = world.builds(environmentId).length;
    const builds = (): number => world.builds(environmentId).length - earlier;
    project.write({ resources: [branches("branches", { environmentId, branches: { web: "feature/one" } })] });
    world.slowNextBuild(environmentId, ENDLESS_SECONDS);
    const up = project.start("up", "--yes", "--skip-preview");
    await until("progress is shown", () => /branches creating \(\d+s\) \d+ s: build /u.test(up.printed()));
    const mark = journal.mark();
    up.interrupt();
    const run = await up.done;
    expect(run.code, run.text).to.equal(1);
    expect(run.text)
      .to.match(/creating failed/u)
      .and.match(/\* environment env-.*: [Cc]ancelled.* The next `pulumi up` looks at it/u);
    expect(project.resource("branches").initErrors).to.have.length(1);
    // A look that was under way may have ended.
    for (const [label, count] of Object.entries(engine.counts(mark))) expect(`${count} ${label}`).to.match(/^1 GET /u);

    const next = journal.mark();
    const running = project.up();
    await until("the up looks at the build", () => "GET /build-history" in engine.counts(next, environmentId));
    world.finishBuilds(environmentId);
    await running;
    expect(builds()).to.equal(1);
    expect(engine.counts(next)).not.to.have.any.keys("PATCH /environment", "POST /rebuild");
    await project.preview("--expect-no-changes");
  });
});
