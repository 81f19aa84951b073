import { expect } from "chai";
import { settingsFromEnvironment } from "../../provider/src/adopt/settings";
import { SettingsError } from "../../provider/src/framework/settings";

describe("settingsFromEnvironment", () => {
  const REQUIRED_THERE = { PREVIEWENV_BASE_URL: "https://service.example", PREVIEWENV_API_TOKEN: "token" };

  it("takes every setting from its environment variable", () => {
    expect(settingsFromEnvironment({ ...REQUIRED_THERE, PREVIEWENV_MAX_RETRIES: "3" })).to.deep.include({
      baseUrl: "https://service.example",
      apiToken: "token",
      maxRetries: 3,
      batchSize: 100,
    });
  });

  it("names each variable that is missing, and no place that a command does not read", () => {
    expect(() => settingsFromEnvironment({ PREVIEWENV_BASE_URL: "" }))
      .to.throw(SettingsError)
      .with.property("problems")
      .that.satisfies(
        ([address = "", token = "", ...others]: readonly string[]) =>
          address.startsWith("The environment variable PREVIEWENV_BASE_URL is not set. ") &&
          token.startsWith("The environment variable PREVIEWENV_API_TOKEN is not set. ") &&
          others.length === 0 &&
          !token.includes("pulumi config"),
      );
    expect(() => settingsFromEnvironment({ ...REQUIRED_THERE, PREVIEWENV_MAX_RETRIES: "x" })).to.throw(
      "not valid in the environment variable PREVIEWENV_MAX_RETRIES",
    );
  });
});
