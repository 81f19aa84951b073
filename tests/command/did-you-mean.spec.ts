import { expect } from "chai";
import { didYouMean, nearest } from "../../provider/src/command/did-you-mean";
import { settings } from "../../provider/src/framework/settings";

const names = settings.map(({ name }) => name);

describe("nearest", () => {
  for (const [typed, meant] of [
    ["maxRetry", "maxRetries"],
    ["MAXRETRIES", "maxRetries"],
    ["apitoken", "apiToken"],
    ["apiTokne", "apiToken"],
    ["token", "apiToken"],
    ["baseURL", "baseUrl"],
    ["url", "baseUrl"],
    ["concurrency", "maxConcurrency"],
    ["requestTimeout", "requestTimeoutSeconds"],
  ] as const)
    it(`takes ${typed} for ${meant}`, () => {
      expect(nearest(typed, names)).to.equal(meant);
      expect(didYouMean(typed, names)).to.equal(` Did you mean "${meant}"?`);
    });

  it("guesses nothing when nothing is near, or several contain the name", () => {
    for (const typed of ["", "x", "region", "max", "zz".repeat(1_000)]) {
      expect(nearest(typed, names), typed).to.equal(undefined);
      expect(didYouMean(typed, names), typed).to.equal("");
    }
    expect(nearest("maxRetry", [])).to.equal(undefined);
  });

  it("prefers the fewest mistakes; two letters that changed places are two", () => {
    expect(nearest("serivce", ["server", "service"])).to.equal("service");
    expect(nearest("wbe", ["api", "web"])).to.equal("web");
    expect(nearest("web", ["wen", "web-api", "webs"])).to.equal("wen");
  });
});
