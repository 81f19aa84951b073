import type { FaultOptions } from "../../provider/src/sandbox";
import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";
import { program as stateProgram } from "./support/environment-state-program";

const PAGE = "<!doctype html><html><body>Deploying, please wait</body></html>";
const HTML = "text/html";

/** What a wait survives, as it looks on the wire. */
const passingTroubles: Readonly<Record<string, FaultOptions>> = {
  "500": { status: 500 },
  "501": { status: 501 },
  "520 with a page": { status: 520, body: PAGE, contentType: HTML },
  "503 with a page": { status: 503, body: PAGE, contentType: HTML },
  "429": { status: 429, retryAfter: 5 },
  "a page with status 200": { status: 200, body: PAGE, contentType: HTML },
  "404 with a page": { gateway: "page" },
  "404 with JSON of a gateway": { gateway: "json" },
  "an empty answer": { status: 200, body: "" },
  "an answer of another shape": { status: 200, body: { data: 5 } },
  "half an answer": { malformed: true },
  "a connection that breaks": { dropAfter: true },
};

/** What ends a wait at once. */
const endingTroubles: Readonly<Record<string, FaultOptions>> = {
  "401": { status: 401 },
  "403": { status: 403 },
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const FROM_MS = 30 * SECOND_MS;
const LABELS = ["GET /environment", "GET /build-history"] as const;

const program = ({ environmentId }: Stage) =>
  branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 900 });

const passing = ({ log }: Stage): readonly string[] => log.lines.filter((line) => line.passing).map(({ text }) => text);

/** Does something once, as soon as the clock has moved that far since the start of the scenario. */
function at({ clock }: Stage, elapsedMs: number, action: () => void): void {
  let done = false;
  clock.onSleep = (now) => {
    if (done || now < elapsedMs) return;
    done = true;
    action();
  };
}

const survived: readonly Scenario[] = Object.entries(passingTroubles).flatMap(([what, fault]) =>
  LABELS.flatMap((label) =>
    [1, 4].map((times): Scenario => ({
      title: `${what} from ${label}, ${times} times, does not end the wait for a build`,
      needsTime: true,
      buildSeconds: 300,
      async run(stage) {
        const { engine, sandbox, world, environmentId } = stage;
        at(stage, FROM_MS, () => void sandbox.faults.add({ ...fault, label, times }));
        await engine.up(program(stage));
        expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
        const { outputs } = engine.kept("deployed");
        expect(outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
        expect(outputs).to.have.nested.property("build.successfullyBuilt", true);
        expect(sandbox.faults.active).to.deep.equal([]);
      },
    })),
  ),
);

const states: readonly Scenario[] = Object.entries(passingTroubles).map(([what, fault]) => ({
  title: `${what} does not end the wait for a state`,
  choices: { flagsAfterStop: {} },
  needsTime: true,
  async run(stage) {
    const { engine, environmentId, sandbox, world, clock } = stage;
    sandbox.faults.add({ ...fault, label: "GET /environment", after: 2, times: 4 });
    clock.onSleep = (elapsedMs) => {
      if (elapsedMs > 2 * MINUTE_MS) world.setFlags(environmentId, { stopped: true });
    };
    await engine.up(stateProgram(environmentId, "stopped"));
    expect(writes(stage)).to.deep.equal(["POST /stop"]);
    expect(sandbox.faults.active).to.deep.equal([]);
  },
}));

const ended: readonly Scenario[] = Object.entries(endingTroubles).flatMap(([what, fault]) =>
  LABELS.map((label): Scenario => ({
    title: `${what} from ${label} ends the wait at once, and keeps state`,
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, sandbox, clock } = stage;
      const start = clock.now();
      at(stage, FROM_MS, () => void sandbox.faults.add({ ...fault, label, times: Infinity }));
      expect((await failing(engine.up(program(stage)))).errors.join("\n")).to.contain(what);
      expect(clock.now() - start).to.be.below(MINUTE_MS);
      expect(engine.state.size).to.equal(1);
    },
  })),
);

const others: readonly Scenario[] = [
  ...[1, 20].map((times): Scenario => ({
    title: `a history that the service does not know, ${times} times, while the environment is there`,
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, sandbox } = stage;
      const body = { errors: [{ status: 404, title: "Application not found!" }] };
      at(stage, FROM_MS, () => {
        sandbox.faults.add({ label: "GET /build-history", status: 404, body, times });
      });
      await engine.up(program(stage));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
    },
  })),
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
      const text = (await failing(engine.up(program(stage)))).errors.join("\n");
      expect(text).to.contain("it is deleted").and.to.contain("The build was requested");
      expect(text).not.to.contain("Nothing was changed");
      expect(clock.now() - start).to.be.below(MINUTE_MS);
    },
  },
  {
    title: "while trouble lasts, progress says which and for how long",
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, sandbox, world, environmentId } = stage;
      at(stage, FROM_MS, () => void sandbox.faults.add({ label: "GET /environment", status: 500, times: 20 }));
      await engine.up(program(stage));
      const lines = passing(stage);
      const building = `build ${world.builds(environmentId)[0]?.id.slice(0, 8)} of shop is running`;
      const troubled = lines.filter((line) => line.includes(`: ${building}; the service answers 500, for `));
      expect(troubled.length, lines.join("\n")).to.be.within(2, 5);
      expect(troubled[0])
        .to.match(/^\d+ s: .*, for \d+ s now$/u)
        .and.to.have.length.at.most(80);
      expect(lines.at(-1)).to.match(new RegExp(`^\\d+ s: ${building}$`, "u"));
    },
  },
  {
    title: "trouble until the time is up is an error that names the build and the trouble; the next up builds nothing",
    needsTime: true,
    buildSeconds: 300,
    async run(stage) {
      const { engine, sandbox, world, environmentId } = stage;
      at(stage, FROM_MS, () => void sandbox.faults.add({ label: "GET /environment", status: 500, times: Infinity }));
      const run = await failing(engine.up(program(stage)));
      const [error = ""] = run.errors;
      expect(error).to.contain(world.builds(environmentId)[0]?.id).and.to.contain("buildTimeoutSeconds");
      expect(error).to.match(/For the last 8\d\d s .* answered 500/u);
      expect(engine.state.size).to.equal(1);
      sandbox.faults.clear();
      writes(stage);
      await engine.up(program(stage));
      expect(writes(stage)).to.deep.equal([]);
    },
  },
];

contract("waiting through trouble", [...survived, ...states, ...ended, ...others]);
