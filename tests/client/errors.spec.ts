import { expect } from "chai";
import * as errors from "../../provider/src/client/errors";
import * as sameErrors from "../../provider/src/client/errors";

const details = (status: number) => ({ exchange: { method: "GET", path: "/", status }, titles: [] });
const modulePath = require.resolve("../../provider/src/client/errors");

/** The module as a second copy of the package would hold it. */
function otherCopy(): typeof errors {
  const cached = require.cache[modulePath];
  delete require.cache[modulePath];
  try {
    const copy: typeof errors = require("../../provider/src/client/errors");
    return copy;
  } finally {
    require.cache[modulePath] = cached;
  }
}

describe("client/errors", () => {
  it("has one class and one code for each kind of refusal", () => {
    const kinds = [302, 400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 503, 599].map((status) => {
      const error = errors.toApiError("refused", details(status));
      return [status, error.name, error.code, error.retryable];
    });
    expect(kinds).to.deep.equal([
      [302, "ApiError", "api_error", false],
      [400, "InvalidRequestError", "invalid_request", false],
      [401, "AuthenticationError", "authentication", false],
      [403, "PermissionError", "permission", false],
      [404, "NotFoundError", "not_found", false],
      [405, "MethodNotAllowedError", "method_not_allowed", false],
      [409, "ConflictError", "conflict", false],
      [413, "PayloadTooLargeError", "payload_too_large", false],
      [418, "ApiError", "api_error", false],
      [422, "InvalidRequestError", "invalid_request", false],
      [429, "RateLimitError", "rate_limited", true],
      [500, "ServerError", "server_error", false],
      [503, "ServerError", "server_error", true],
      [599, "ServerError", "server_error", false],
    ]);
  });

  it("recognises errors of another copy of the package, by class", () => {
    const other = otherCopy();
    const foreign = other.toApiError("refused", details(404));
    expect(other).not.to.equal(sameErrors);
    expect(foreign).not.to.be.instanceOf(errors.NotFoundError);
    expect(errors.NotFoundError.isInstance(foreign)).to.equal(true);
    expect(errors.ApiError.isInstance(foreign)).to.equal(true);
    expect(errors.PreviewenvError.isInstance(foreign)).to.equal(true);
    expect(errors.ConflictError.isInstance(foreign)).to.equal(false);
  });

  it("does not take other values for its errors", () => {
    for (const value of [undefined, null, "NotFoundError", {}, new Error("NotFoundError")]) {
      expect(errors.PreviewenvError.isInstance(value)).to.equal(false);
    }
  });

  it("takes a timeout for a lost connection", () => {
    const error = new errors.TimeoutError("late", true);
    expect(errors.ConnectionError.isInstance(error)).to.equal(true);
    expect([error.name, error.code, error.sent]).to.deep.equal(["TimeoutError", "timeout", true]);
  });
});
