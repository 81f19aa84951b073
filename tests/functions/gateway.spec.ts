import { expect } from "chai";
import { SEED } from "../../provider/src/sandbox";
import { functions } from "../../provider/src/functions";
import { getEnvironment } from "../../provider/src/functions/get-environment";
import { clientAt } from "../client/support/samples";
import { TestClock } from "../support/test-clock";
import { argumentsOf } from "./arguments";
import { failureOf, functionContext, startService } from "./service";

const ID = SEED.shopMain;

describe("functions: a gateway answers 404", () => {
  // A function that is written in TypeScript, too, sends no request.
  for (const called of functions.filter(({ isWrittenInTypeScript }) => !isWrittenInTypeScript))
    it(`${called.name} fails, says what to check, and finds what there is once the way is free`, async () => {
      await using service = await startService();
      const { context, sandbox, asked } = service;
      const given = argumentsOf(called.name, ID);
      for (const gateway of ["page", "empty", "json"] as const) {
        sandbox.faults.add({ gateway });
        const text = await failureOf(called.invoke(context, given));
        expect(text).to.match(/the answer is 404, but not the documented one .+ check previewenv:baseUrl/u);
        expect(text).not.to.match(/<|Route/u);
      }
      expect(asked()).to.have.length(3);
      expect(await called.invoke(context, given)).to.be.an("object");
    });

  it("getEnvironment goes on waiting, by id as by filters", async () => {
    for (const given of [{ id: ID }, { name: "shop-main" }]) {
      await using service = await startService();
      const { context, sandbox, asked } = service;
      sandbox.faults.add({ gateway: "page", times: 3 });
      expect(await getEnvironment.invoke(context, { ...given, waitSeconds: 60 })).to.have.property("id", ID);
      expect(asked()).to.have.length(4);
    }
  });
});

describe("functions: a service that cannot be reached", () => {
  it("is not waited for by getEnvironment, when it never answered", async () => {
    const clock = new TestClock();
    await using client = clientAt("http://127.0.0.1:1", { clock });
    const startMs = clock.now();
    const text = await failureOf(getEnvironment.invoke(functionContext(client, clock), { id: ID, waitSeconds: 600 }));
    expect(text).to.match(/ECONNREFUSED.* Tried 2 times in 2 s\. Waiting longer does not help\.$/u);
    expect(clock.now() - startMs).to.be.below(10_000);
  });
});
