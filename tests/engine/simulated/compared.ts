import { expect } from "chai";
import { seedOf } from "../../simulation/seed";
import { javascript } from "../harness/languages";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { playModel, playReal, simulatedEnvironmentIds } from "./both";
import type { Recorded } from "./recorded";

/** Declares one test for each history: the engine model of the simulation is only worth something if the real engine does the same. */
export function describeCompared(recorded: readonly Recorded[]): void {
  for (const { title, steps } of recorded)
    describe(`engine: the model does what the real one does: ${title}`, function () {
      this.timeout(ENGINE_TEST_MS);
      const [one = "", two = ""] = simulatedEnvironmentIds();
      const engine = useEngine({
        environments: [
          { ...seedOf("one"), id: one },
          { ...seedOf("two"), id: two },
        ],
      });

      it("requests and state are the same after every step", async () => {
        const project = await engine.project({
          language: javascript("dynamic"),
          env: { PREVIEWENV_MAX_RETRIES: "0" },
        });
        const real = await playReal(engine, project, steps);
        expect(await playModel(steps)).to.deep.equal(real);
      });
    });
}
