import { expect } from "chai";
import { systemClock } from "../../provider/src/client/clock";
import { startRun } from "../../provider/src/environment/start-run";
import { resolveSettings } from "../../provider/src/framework/settings";
import { EnvironmentInRun } from "../../provider/src/run/environment-in-run";

const ID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";
const OTHER = "0c8f3f0e-4b1e-4a57-8a53-7f3f6f1f0a11";

describe("the session of an environment", () => {
  it("is one object for it, however its id is spelled, and another for another environment", async () => {
    const given: Readonly<Record<string, string>> = { baseUrl: "http://127.0.0.1:1", apiToken: "t" };
    const session = startRun(resolveSettings((name) => given[name], {}));
    expect(session.environment(ID.toUpperCase())).to.equal(session.environment(ID));
    expect(session.environment(OTHER)).not.to.equal(session.environment(ID));
    await session.client.close();
  });

  it("makes each part of it once", () => {
    class Part {
      readonly size = 1;
    }
    const environment = new EnvironmentInRun(ID, systemClock);
    expect(environment.part(Part)).to.equal(environment.part(Part));
  });
});
