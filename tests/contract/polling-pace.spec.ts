import { expect } from "chai";
import { MAX_POLLS_PER_SECOND } from "../../provider/src/client/pace";
import { getEnvironment } from "../../provider/src/functions/get-environment";
import type { Program } from "../support/engine-steps";
import { Fleet, type FleetRequest } from "../simulation/fleet";
import { simulatedHosts } from "../simulation/hosts";

const SECOND_MS = 1_000;
const BUILDS = 200;
const BUILD_SECONDS = 60;
/** Each look at a build is two requests. */
const ROUND_MS = ((2 * BUILDS) / MAX_POLLS_PER_SECOND) * SECOND_MS;
/** A round, the pause of a wait, and the requests that are under way. */
const LONGEST_GAP_MS = ROUND_MS + 10 * SECOND_MS + SECOND_MS;

/** The pauses of a wait grow. */
const PAUSES_MS = [1_000, 1_500, 2_250, 3_375, 5_062.5];
/** Two requests there and back. */
const MAX_LOOK_MS = 4 * 65;

/** Requests of a wait: those of an environment after its branches were changed. */
function waitsOf({ requests }: Fleet): readonly FleetRequest[] {
  const changed = new Set<string>();
  return requests.filter(({ label, environmentId }) => {
    if (label === "PATCH /environment") changed.add(environmentId);
    return label.startsWith("GET ") && changed.has(environmentId);
  });
}

function mostInOneSecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + SECOND_MS).length));
}

function gaps(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

const change = (environmentId: string): Program[string] => ({
  type: "EnvironmentBranches",
  inputs: { environmentId, branches: { web: "feature/x" } },
});

describe("polling pace", function () {
  this.timeout(120_000);

  for (const host of Object.values(simulatedHosts))
    describe(host.name, () => {
      it(`${BUILDS} builds at once: all waits together ask ${MAX_POLLS_PER_SECOND} times a second at most, and each has its turn`, async () => {
        const fleet = new Fleet({ size: BUILDS, buildSeconds: BUILD_SECONDS, host });
        const program = Object.fromEntries(fleet.environmentIds.map((id) => [id, change(id)]));
        const [run] = await fleet.up([fleet.stack()], [program]);
        expect(run?.errors).to.deep.equal([]);
        const waits = waitsOf(fleet);
        expect(mostInOneSecond(waits.map(({ atMs }) => atMs))).to.equal(MAX_POLLS_PER_SECOND);
        for (const id of fleet.environmentIds) {
          const looks = waits.filter((one) => one.environmentId === id && one.label === "GET /environment");
          expect(Math.max(...gaps(looks.map(({ atMs }) => atMs))), id).to.be.at.most(LONGEST_GAP_MS);
          expect(fleet.world.builds(id)[0]?.outcome).to.equal("succeeded");
        }
      });

      it("one build: its wait looks as often as it would without any pace", async () => {
        const fleet = new Fleet({ size: 1, buildSeconds: 10, host });
        const [id = ""] = fleet.environmentIds;
        const [run] = await fleet.up([fleet.stack()], [{ branches: change(id) }]);
        expect(run?.errors).to.deep.equal([]);
        const looks = waitsOf(fleet).filter(({ label }) => label === "GET /environment");
        const found = gaps(looks.map(({ atMs }) => atMs));
        expect(found).to.have.length(PAUSES_MS.length);
        for (const [index, pauseMs] of PAUSES_MS.entries())
          expect(found[index]).to.be.within(pauseMs, pauseMs + MAX_LOOK_MS);
      });
    });

  it("functions that wait for an environment share the pace", async () => {
    const fleet = new Fleet({ size: 0, host: simulatedHosts.core });
    const { client, clock } = fleet.session();
    const ignore = (): undefined => undefined;
    const context = { client, clock, log: { info: ignore, warn: ignore, status: ignore } };
    const args = { id: "11111111-1111-4111-8111-111111111199", waitSeconds: 20 };
    const waits = Array.from({ length: 50 }, () => getEnvironment.invoke(context, args).catch(ignore));
    await fleet.run(Promise.all(waits));
    // One more asks whether the service answers anything but 404.
    const polls = fleet.requests.filter(({ label }) => label !== "GET /environments");
    expect(mostInOneSecond(polls.map(({ atMs }) => atMs))).to.equal(MAX_POLLS_PER_SECOND);
  });
});
