import { expect } from "chai";
import { ConnectionError, ResponseShapeError, TimeoutError, toApiError } from "../../provider/src/client/errors";
import { retryDelayMs, isRetryable } from "../../provider/src/client/retry";

const api = (status: number, retryAfterMs?: number) =>
  toApiError("", {
    status,
    titles: [],
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

describe("client/retry", () => {
  it("repeats a repeatable request after 429, 502, 503, 504, a lost connection and a timeout only", () => {
    const passing = [429, 502, 503, 504].map((status) => isRetryable(api(status), true));
    const final = [302, 400, 401, 403, 404, 405, 409, 413, 422, 500, 501].map((status) =>
      isRetryable(api(status), true),
    );
    expect(passing).to.deep.equal([true, true, true, true]);
    expect(new Set(final)).to.deep.equal(new Set([false]));
    expect(isRetryable(new ConnectionError("", true), true)).to.equal(true);
    expect(isRetryable(new TimeoutError("", true), true)).to.equal(true);
    expect(isRetryable(new ResponseShapeError(""), true)).to.equal(false);
    expect(isRetryable(new TypeError("a bug"), true)).to.equal(false);
  });

  it("repeats a request that queues a build only if it was not sent or was answered 429", () => {
    expect(isRetryable(api(429), false)).to.equal(true);
    expect(isRetryable(api(503), false)).to.equal(false);
    expect(isRetryable(new ConnectionError("", true), false)).to.equal(false);
    expect(isRetryable(new TimeoutError("", true), false)).to.equal(false);
    expect(isRetryable(new ConnectionError("", false), false)).to.equal(true);
  });

  it("doubles the backoff from 250 ms up to 8 s", () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 20].map((retry) => retryDelayMs(retry, api(503), 1));
    expect(delays).to.deep.equal([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it("spreads the whole backoff by chance", () => {
    expect(retryDelayMs(2, api(503), 0)).to.equal(0);
    expect(retryDelayMs(2, api(503), 0.25)).to.equal(250);
  });

  it("waits as long as the service asks, 60 s at most, and ignores a Retry-After of 0", () => {
    expect(retryDelayMs(0, api(429, 7_000), 1)).to.equal(7_000);
    expect(retryDelayMs(0, api(503, 3_600_000), 1)).to.equal(60_000);
    expect(retryDelayMs(1, api(429, 0), 1)).to.equal(500);
  });
});
