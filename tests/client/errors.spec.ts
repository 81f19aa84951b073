import { expect } from "chai";
import * as errors from "../../provider/src/client/errors";

const details = (status: number) => ({ status, titles: [] });

describe("client/errors", () => {
  it("has one class for each kind of refusal", () => {
    const kinds = [302, 400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 503, 599].map((status) => {
      const error = errors.toApiError("refused", details(status));
      return [status, error.name, error.retryable];
    });
    expect(kinds).to.deep.equal([
      [302, "ApiError", false],
      [400, "InvalidRequestError", false],
      [401, "AuthenticationError", false],
      [403, "ApiError", false],
      [404, "NotFoundError", false],
      [405, "ApiError", false],
      [409, "ApiError", false],
      [413, "PayloadTooLargeError", false],
      [418, "ApiError", false],
      [422, "InvalidRequestError", false],
      [429, "RateLimitError", true],
      [500, "ServerError", false],
      [503, "ServerError", true],
      [599, "ServerError", false],
    ]);
  });

  it("takes a timeout for a lost connection", () => {
    const error = new errors.TimeoutError("late", true);
    expect(error).to.be.instanceOf(errors.ConnectionError);
    expect([error.name, error.sent]).to.deep.equal(["TimeoutError", true]);
  });
});
