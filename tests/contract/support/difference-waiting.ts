import { expect } from "chai";
import { errorsOf, failing } from "../../support/stack";
import { type Stage, writes } from "../../support/stage";
import { deploying, SECOND_MS } from "./builds";
import type { Proof, Proofs } from "./difference-state";

/** The provider reads history before its request, then 0, 1 and 2.5 seconds after it: the last is later than one second. */
const LOOKS = 4;
const BUILDING = /^\d+ s: build .{1,14} of .+ is running/u;
const RUNNING_BUILD = { buildSeconds: 60 };

/** Resolves when the service is asked for the nth time from now. */
function asked({ sandbox }: Stage, label: string, times: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const match = (): boolean => {
      count += 1;
      if (count === times) resolve();
      return false;
    };
    sandbox.faults.add({ label, match });
  });
}

/** Differences while a build is waited for. */
export const waiting: Proofs<"Ctrl-C" | "`customTimeouts`" | "Messages and progress"> = {
  "Ctrl-C": {
    dynamic: [
      {
        title: "Ctrl-C lets the step end",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, log, clock } = stage;
          const running = engine.up(deploying(stage));
          await log.until(BUILDING);
          await engine.cancel();
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          await running;
        },
      },
    ],
    native: [
      {
        title: "Ctrl-C ends the wait, nothing is asked any more, and the next up finishes without another build",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, log, clock, requests } = stage;
          const running = failing(engine.up(deploying(stage)));
          await log.until(BUILDING);
          await engine.cancel();
          requests();
          const { errors } = await running;
          expect(errors.join("\n")).to.match(/cancelled/u);
          expect(requests()).to.deep.equal([]);
          expect(engine.kept("deployed").initErrors).to.deep.equal(errors);
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          await engine.up(deploying(stage));
          expect(writes({ requests })).to.deep.equal([]);
        },
      },
    ],
  },

  "`customTimeouts`": {
    dynamic: [
      {
        title: "a wait goes on after the second that is allowed",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, clock } = stage;
          const looked = asked(stage, "GET /build-history", LOOKS);
          const running = engine.up({ deployed: { ...deploying(stage).deployed, customTimeouts: { create: 1 } } });
          await looked;
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          await running;
        },
      },
    ],
    native: [
      {
        title: "a wait ends after the seconds that are allowed, the error names the option, and the next up finishes",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, clock, requests } = stage;
          await engine.up(deploying(stage, { branches: { web: "main" } }));
          requests();
          // Time enough to get to the build, which never ends by itself.
          const program = { deployed: { ...deploying(stage).deployed, customTimeouts: { update: 5 } } };
          expect(await errorsOf(engine.up(program))).to.match(/after 5 s \(.*customTimeouts/u);
          expect(engine.kept("deployed").initErrors).to.have.length(1);
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          await engine.up(program);
          expect(writes({ requests })).to.deep.equal(["PATCH /environment"]);
        },
      },
    ],
  },

  "Messages and progress": {
    dynamic: [progress(/^$/u)],
    native: [progress(/::previewenv:index:EnvironmentBranches::deployed$/u)],
  },
};

function progress(row: RegExp): Proof {
  return {
    title: `progress is shown on the row ${String(row)}`,
    ...RUNNING_BUILD,
    async run(stage) {
      const { engine, log, clock } = stage;
      const running = engine.up(deploying(stage));
      const { urn } = await log.until(BUILDING);
      clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
      await running;
      expect(urn).to.match(row);
    },
  };
}
