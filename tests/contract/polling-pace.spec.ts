import { expect } from "chai";
import type { Program } from "../support/engine-steps";
import { Fleet, type FleetRequest } from "../simulation/fleet";
import { simulatedHosts } from "../simulation/hosts";

const SECOND_MS = 1_000;
const BUILDS = 200;
const BUILD_SECONDS = 60;
/** Two requests for each look, there and back, as many at a time as the client sends. */
const ROUND_MS = (2 * BUILDS * 65 * 2) / 8;
/** The pause of a wait, and the requests of all others. */
const LONGEST_GAP_MS = 10 * SECOND_MS + ROUND_MS;

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
      it(`${BUILDS} builds at once: each wait has its turn`, async () => {
        const fleet = new Fleet({ size: BUILDS, buildSeconds: BUILD_SECONDS, host });
        const program = Object.fromEntries(fleet.environmentIds.map((id) => [id, change(id)]));
        const [run] = await fleet.up([fleet.stack()], [program]);
        expect(run?.errors).to.deep.equal([]);
        const waits = waitsOf(fleet);
        for (const id of fleet.environmentIds) {
          const looks = waits.filter((one) => one.environmentId === id && one.label === "GET /environment");
          expect(Math.max(...gaps(looks.map(({ atMs }) => atMs))), id).to.be.at.most(LONGEST_GAP_MS);
          expect(fleet.world.builds(id)[0]?.outcome).to.equal("succeeded");
        }
      });

      it("one build: its wait looks less and less often", async () => {
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
});
