import { expect } from "chai";
import type { FaultOptions } from "../../provider/src/sandbox";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, type Stage, writes } from "../support/stage";
import { at, CHANGE, deploying, hasNewestBuild, MINUTE_MS, pendingOf, SECOND_MS, settlesWith } from "./support/builds";

const right: readonly Scenario[] = [
  {
    title:
      "a rebuild that the service refuses while it builds is requested again after that, and when it does not end, the error says so",
    needsTime: true,
    buildSeconds: 60,
    choices: { actionsWhileBuilding: "refused" },
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.slowNextBuild(environmentId, 60);
      world.queueBuild(environmentId);
      const start = clock.now();
      await engine.up(deploying(stage, { branches: { web: "main" }, rebuildOn: ["1"], waitForBuild: false }));
      expect(writes(stage)).to.deep.equal(["POST /rebuild", "POST /rebuild"]);
      expect(clock.now() - start).to.be.at.least(MINUTE_MS);
      world.finishBuilds(environmentId);
      world.slowNextBuild(environmentId, 600);
      world.queueBuild(environmentId);
      expect(
        await errorsOf(
          engine.up(deploying(stage, { branches: { web: "main" }, rebuildOn: ["2"], buildTimeoutSeconds: 60 })),
        ),
      ).to.match(/not active.*Another build was still running after 60 s \(buildTimeoutSeconds\)/u);
      world.finishBuilds(environmentId);
      world.queueBuild(environmentId);
      const again = clock.now();
      // One limit for the build before and for its own.
      await failing(
        engine.up(deploying(stage, { branches: { web: "main" }, rebuildOn: ["3"], buildTimeoutSeconds: 90 })),
      );
      expect(clock.now() - again).to.be.within(90_000, 105_000);
    },
  },
  {
    title: "a newer foreign build of the same branches that supersedes ours counts",
    needsTime: true,
    buildSeconds: 60,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      at(stage, 20 * SECOND_MS, () => world.pushCommit(environmentId, "web"));
      await engine.up(deploying(stage));
      const [foreign, ours] = world.builds(environmentId);
      expect(ours?.outcome).to.equal("failed");
      expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", foreign?.id);
    },
  },
  {
    title: "a build that a newer one of other branches ended is told as superseded, and the next up deploys again",
    needsTime: true,
    buildSeconds: 60,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      at(stage, 20 * SECOND_MS, () => world.switchBranch(environmentId, "web", "feature/of-another-stack"));
      expect(await errorsOf(engine.up(deploying(stage)))).to.match(
        /build \S+ of web@feature\/x.* failed, or was superseded by build \S+ of web@feature\/of-another-stack.*Somebody else/u,
      );
      writes(stage);
      await settlesWith(stage, deploying(stage), [CHANGE]);
    },
  },
  ...(["immediately", "afterBuild"] as const).map((branchesShown): Scenario => ({
    title: `a branch that somebody puts back while the build runs is an error, and the next up deploys again (${branchesShown})`,
    needsTime: true,
    buildSeconds: 60,
    choices: { branchesShown },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      // With "afterBuild" the last build decides what is shown: it has to end before somebody changes that.
      const moment = branchesShown === "immediately" ? 20 : 60;
      at(stage, moment * SECOND_MS, () => {
        world.finishBuilds(environmentId);
        world.switchBranch(environmentId, "web", "main", { build: false });
      });
      expect(await errorsOf(engine.up(deploying(stage))))
        .to.contain("Somebody else changes these branches")
        .and.to.contain("web@main");
      expect(writes(stage)).to.deep.equal([CHANGE]);
      expect(pendingOf(stage)).not.to.equal(undefined);
      await settlesWith(stage, deploying(stage), [CHANGE]);
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
    },
  })),
];

contract("EnvironmentBranches, waiting", right);

const PAGE = "<!doctype html><html><body>Deploying, please wait</body></html>";

/** What a wait survives, one of each kind. Which errors may pass is a rule: tests/environment/wait.spec.ts. */
const passingTroubles: Readonly<Record<string, FaultOptions>> = {
  "500": { status: 500 },
  "429": { status: 429, retryAfter: 5 },
  "a page with status 200": { status: 200, body: PAGE, contentType: "text/html" },
  "404 with JSON of a gateway": { gateway: "json" },
  "a connection that breaks": { dropAfter: true },
};

const FROM_MS = 30 * SECOND_MS;
const LABELS = ["GET /environment", "GET /build-history"] as const;

const patient = (stage: Stage) => deploying(stage, { buildTimeoutSeconds: 900 });

const survived: readonly Scenario[] = Object.entries(passingTroubles).flatMap(([what, fault]) =>
  LABELS.map((label): Scenario => ({
    title: `${what} from ${label}, 4 times, does not end the wait for a build`,
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, sandbox, world, environmentId } = stage;
      at(stage, FROM_MS, () => void sandbox.faults.add({ ...fault, label, times: 4 }));
      await engine.up(patient(stage));
      expect(writes(stage)).to.deep.equal([CHANGE]);
      const { outputs } = engine.kept("deployed");
      expect(outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
      expect(outputs).to.have.nested.property("build.successfullyBuilt", true);
      expect(sandbox.faults.active).to.deep.equal([]);
    },
  })),
);

const ended: readonly Scenario[] = LABELS.map((label) => ({
  title: `403 from ${label} ends the wait at once, and keeps state`,
  needsTime: true,
  buildSeconds: 300,
  async run(stage) {
    const { engine, sandbox, clock } = stage;
    const start = clock.now();
    at(stage, FROM_MS, () => void sandbox.faults.add({ status: 403, label, times: Infinity }));
    expect(await errorsOf(engine.up(patient(stage)))).to.contain("403");
    expect(clock.now() - start).to.be.below(MINUTE_MS);
    expect(engine.state.size).to.equal(1);
  },
}));

const others: readonly Scenario[] = [
  {
    title: "a deleted environment whose history the service does not show ends the wait at once",
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, sandbox, world, environmentId, clock } = stage;
      const start = clock.now();
      at(stage, FROM_MS, () => {
        world.setFlags(environmentId, { deleted: true });
        sandbox.faults.add({ label: "GET /build-history", status: 404, times: Infinity });
      });
      const text = await errorsOf(engine.up(patient(stage)));
      expect(text).to.contain("it is deleted").and.to.contain("The build was requested");
      expect(text).not.to.contain("Nothing was changed");
      expect(clock.now() - start).to.be.below(MINUTE_MS);
    },
  },
  {
    title: "an environment that goes while we wait ends the wait, in the words for one that is gone",
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, world, environmentId } = stage;
      at(stage, FROM_MS, () => world.remove(environmentId));
      expect(await errorsOf(engine.up(patient(stage)))).to.contain("does not exist (any more)");
    },
  },
];

contract("waiting through trouble", [...survived, ...ended, ...others]);

/** Answers to GETs of the environment that show it idle while its build runs. */
const idleAnswers: Readonly<Record<string, (stage: Stage, answer: FaultOptions) => void>> = {
  "the service pauses between build and deploy": (stage, pause) =>
    at(stage, FROM_MS, () => void stage.sandbox.faults.add({ ...pause, times: 2 })),
  "every other answer is that of a stale replica": ({ sandbox }, stale) => {
    let count = 0;
    const match = ({ label }: { readonly label: string }): boolean =>
      label === "GET /environment" && (count += 1) % 2 === 0;
    sandbox.faults.add({ ...stale, match, times: Infinity });
  },
};

/** The service's answer to a GET of the environment, before anything was requested. */
async function answerBefore({ sandbox, environmentId }: Stage): Promise<FaultOptions> {
  const url = `${sandbox.url}/api/v1/environment/${environmentId}`;
  const answer = await fetch(url, { headers: { "x-api-token": sandbox.token } });
  return { label: "GET /environment", status: 200, body: await answer.json() };
}

const idle: readonly Scenario[] = Object.entries(idleAnswers).flatMap(([what, begin]) =>
  [false, true].map((fails): Scenario => ({
    title: `${what}: a build ${fails ? "fails only after it has ended" : "that runs has not failed"}`,
    needsTime: true,
    buildSeconds: 300,
    choices: { branchesShown: "afterBuild" },
    async run(stage) {
      const { engine, environmentId, world, clock, log, sandbox } = stage;
      begin(stage, await answerBefore(stage));
      if (fails) world.failNextBuild(environmentId);
      const start = clock.now();
      const running = engine.up(deploying(stage));
      if (fails) expect(await errorsOf(running)).to.match(/build \S+ of web@feature\/x.* failed/u);
      else await running;
      expect(clock.now() - start).to.be.within(5 * MINUTE_MS, 6 * MINUTE_MS);
      expect(writes(stage)).to.deep.equal([CHANGE]);
      const unstarted = log.lines.filter(({ text }) => text.includes("has not started yet"));
      expect(unstarted.length).to.be.at.most(1);
      sandbox.faults.clear();
      await settlesWith(stage, deploying(stage), fails ? [CHANGE] : []);
    },
  })),
);

/** The time is up a few seconds after the environment has become idle. */
const justIdle: readonly Scenario[] = [false, true].map((fails) => ({
  title: `a build that ${fails ? "fails" : "pauses"} just before the time is up has not succeeded, and the next up looks at it again`,
  needsTime: true,
  buildSeconds: 60,
  choices: { branchesShown: "afterBuild" },
  async run(stage) {
    const { engine, environmentId, sandbox, world } = stage;
    const pause = await answerBefore(stage);
    if (fails) world.failNextBuild(environmentId);
    else {
      world.slowNextBuild(environmentId, 90);
      at(stage, MINUTE_MS, () => void sandbox.faults.add({ ...pause, times: Infinity }));
    }
    const text = await errorsOf(engine.up(deploying(stage, { buildTimeoutSeconds: 70 })));
    expect(text).to.match(/build \S+ of web@feature\/x.* has not succeeded after 70 s \(buildTimeoutSeconds\)/u);
    sandbox.faults.clear();
    expect(pendingOf(stage)).to.deep.include({ status: "asked" });
    await settlesWith(stage, deploying(stage), fails ? [CHANGE] : []);
  },
}));

/** The own build comes between two builds of somebody: the environment is never idle. */
const between: Scenario = {
  title: "an own build between two of somebody's succeeded: when the time is up, the error does not call it unfinished",
  needsTime: true,
  buildSeconds: 20,
  choices: { buildWhileBuilding: "waits" },
  async run(stage) {
    const { engine, environmentId, world } = stage;
    world.queueBuild(environmentId);
    at(stage, 30 * SECOND_MS, () => {
      world.slowNextBuild(environmentId, 90);
      world.switchBranch(environmentId, "web", "by-hand");
    });
    const text = await errorsOf(engine.up(deploying(stage, { buildTimeoutSeconds: 70 })));
    expect(text).to.match(/build \S+ of web@feature\/x.* succeeded, but another build was still running after 70 s/u);
  },
};

contract("waiting for a build of an environment that seems to be idle", [...idle, ...justIdle, between]);

const ORDERS = ["newestFirst", "oldestFirst"] as const;

const late: readonly Scenario[] = ORDERS.flatMap((historyOrder) =>
  [0, 45].map((builds): Scenario => ({
    title: `a late build that succeeds before the next up is found behind 25 others, and not repeated (${historyOrder}, ${builds} builds)`,
    choices: { historyOrder },
    buildSeconds: 60,
    environment: { builds },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.slowNextBuild(environmentId, 90);
      expect((await failing(engine.up(deploying(stage, { buildTimeoutSeconds: 60 })))).errors).to.have.length(1);
      const [ours] = world.builds(environmentId);
      clock.advance(MINUTE_MS);
      for (let count = 0; count < 25; count += 1) {
        world.pushCommit(environmentId, "api");
        world.failNextBuild(environmentId);
      }
      world.finishBuilds(environmentId);
      writes(stage);
      await engine.up(deploying(stage));
      expect(writes(stage)).to.deep.equal([]);
      expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", ours?.id);
    },
  })),
);

const earlier: readonly Scenario[] = ORDERS.flatMap((historyOrder): readonly Scenario[] => [
  {
    title: `an old successful build of the declared branches on an earlier page never counts (${historyOrder})`,
    choices: { historyOrder },
    environment: { builds: 12 },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.switchBranch(environmentId, "web", "feature/x");
      clock.advance(SECOND_MS);
      for (let count = 0; count < 28; count += 1) world.switchBranch(environmentId, "web", "main");
      clock.advance(SECOND_MS);
      world.failNextBuild(environmentId);
      expect(await errorsOf(engine.up(deploying(stage))))
        .to.contain(world.builds(environmentId)[0]?.id)
        .and.to.contain("failed");
    },
  },
]);

/** The clock from which builds take their time goes back: the requested build seems to be the older one. */
const setBack = (["newestFirst", "oldestFirst", "byTime"] as const).map((historyOrder): Scenario => ({
  title: `a build that seems to be older than those before it is the requested one (${historyOrder})`,
  choices: { historyOrder },
  buildSeconds: 60,
  environment: { builds: 45 },
  needsTime: true,
  async run(stage) {
    const { engine, world, clock, requests } = stage;
    world.setClockBack(300);
    const start = clock.now();
    await engine.up(deploying(stage));
    expect(clock.now() - start).to.be.below(2 * MINUTE_MS);
    const labels = requests();
    expect(labels.filter((label) => !label.startsWith("GET"))).to.deep.equal([CHANGE]);
    // 12 looks at most, of two pages each.
    expect(labels.filter((label) => label === "GET /build-history").length).to.be.below(30);
    hasNewestBuild(stage);
    await quiet(engine.up(deploying(stage), { refresh: true }));
  },
}));

contract("EnvironmentBranches, histories in either order and of any length", [...late, ...earlier, ...setBack]);

/** A service that shows branches only once they are built. */
const afterBuild = { buildSeconds: 60, choices: { branchesShown: "afterBuild" } } as const;

/** The branch that the environment has once every build is over. */
function settled({ clock, environmentId, world }: Stage): string | undefined {
  clock.advance(10 * MINUTE_MS);
  return world.environments.get(environmentId)?.projects.find(({ repoName }) => repoName === "web")?.branch;
}

/** Waits that end before the build does. */
const WAITS = [
  ["not awaited", { waitForBuild: false }],
  ["awaited too short", { buildTimeoutSeconds: 10 }],
] as const;

const restored: readonly Scenario[] = [
  ...WAITS.map(([how, inputs]): Scenario => ({
    ...afterBuild,
    needsTime: "buildTimeoutSeconds" in inputs,
    title: `onDestroy restore while the build of this resource runs, which was ${how}, puts the branches back`,
    async run(stage) {
      const { engine } = stage;
      const running = engine.up(deploying(stage, { branches: { web: "feature" }, onDestroy: "restore", ...inputs }));
      await ("buildTimeoutSeconds" in inputs ? failing(running) : running);
      expect(pendingOf(stage)).to.include({ status: "asked" });
      writes(stage);
      await engine.destroy();
      expect(writes(stage)).to.deep.equal([CHANGE]);
      expect(settled(stage)).to.equal("main");
    },
  })),
  ...["ended", "was superseded by one of the branches found at create"].map((what): Scenario => ({
    ...afterBuild,
    title: `onDestroy restore with nothing to put back, after a build that nobody awaited ${what}, sends nothing`,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      await engine.up(deploying(stage, { branches: { web: "feature" }, onDestroy: "restore", waitForBuild: false }));
      if (what === "ended") clock.advance(2 * MINUTE_MS);
      world.switchBranch(environmentId, "web", "main");
      clock.advance(2 * MINUTE_MS);
      writes(stage);
      await engine.destroy();
      expect(writes(stage)).to.deep.equal([]);
    },
  })),
];

contract("EnvironmentBranches, restored while its own build runs", restored);

const putBack: readonly Scenario[] = [{}, { rebuildOn: ["1"] }].map((inputs): Scenario => ({
  ...afterBuild,
  needsTime: true,
  title: `branches put back after a build that failed are deployed at once (${Object.keys(inputs).join() || "alone"})`,
  async run(stage) {
    const { engine, environmentId, world } = stage;
    world.failNextBuild(environmentId);
    expect((await failing(engine.up(deploying(stage, { branches: { web: "feature" } })))).errors).to.have.length(1);
    await settlesWith(stage, deploying(stage, { branches: { web: "main" }, ...inputs }), [CHANGE]);
    expect(settled(stage)).to.equal("main");
  },
}));

contract("EnvironmentBranches, put back while its own build runs", putBack);
