import { expect } from "chai";
import { describeIn } from "../harness/languages";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { bringUp, type Crowd, declaredBy, describeCrowd, LEAST_REQUESTS, REQUESTS_PER_SECOND } from "./ten-stacks";

/** A slower machine asks less often, and is refused less often. */
const MAX_TIMES_LEAST_REQUESTS = 4;

/** Worth its 20 CLI calls: each stack has a provider process of its own, and none knows of the others. */
describeIn("yaml", "engine, faults: ten stacks at once against a service that allows 5 requests a second", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine({ choices: { rateLimitPerSecond: REQUESTS_PER_SECOND } });
  let crowd: Crowd;

  it("all converge", async function () {
    crowd = await bringUp(engine);
    for (const [index, id] of crowd.environmentIds.entries())
      expect(engine.values(id)).to.deep.equal(declaredBy(index));
    const title = this.test?.title ?? "";
    if (this.test !== undefined) this.test.title = `${title} (${describeCrowd(crowd)})`;
  });

  it("few requests are in vain", () => {
    expect(crowd.requests)
      .to.be.at.least(LEAST_REQUESTS)
      .and.below(MAX_TIMES_LEAST_REQUESTS * LEAST_REQUESTS);
  });
});
