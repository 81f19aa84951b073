import { lackOf } from "../engine/harness/languages";
import { Attempt } from "./attempt";
import type { Guide } from "./guide";
import { Workshop } from "./workshop";

/** Against hanging only: Terminal ends a command long before. */
const LIMIT_MS = 3_600_000;

/** Declares a suite that follows guides: the pages' own commands, with the packed project and without the checkout. Each command is a test. */
export function followAll(guides: readonly Guide[]): void {
  describe("outside of the checkout", function () {
    this.timeout(LIMIT_MS);
    let workshop: Workshop;
    before("pack the project", () => void (workshop = new Workshop()));
    after(() => workshop[Symbol.asyncDispose]());

    for (const guide of guides) {
      const lack = guide.language && lackOf(guide.language);
      if (lack !== undefined) {
        describe.skip(`${guide.title} (${lack})`, () => void it("runs"));
        continue;
      }
      describe(guide.title, () => {
        let attempt: Attempt | undefined;
        let isBroken = false;
        before(async function () {
          attempt = new Attempt(workshop, guide, await workshop.envOf(guide, this));
        });
        after(() => attempt?.[Symbol.asyncDispose]());

        for (const step of guide.steps)
          it(`$ ${step.run.split("\n", 1).join()}`, async function () {
            // What comes after a command that failed shows nothing.
            if (isBroken) this.skip();
            isBroken = true;
            await attempt?.take(step);
            isBroken = false;
          });
      });
    }
  });
}
