import { expect } from "chai";
import * as fc from "fast-check";
import { UNKNOWN } from "../../provider/src/core/properties";
import { resolveSettings, settings, SettingsError, type Settings } from "../../provider/src/core/settings";

const REQUIRED = { baseUrl: "https://service.example", apiToken: "token" };

function resolve(given: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv = {}): Settings {
  return resolveSettings((name) => given[name], environment);
}

function problems(given: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv = {}): readonly string[] {
  try {
    resolve(given, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe("resolveSettings", () => {
  it("fills in the defaults", () => {
    expect(resolve(REQUIRED)).to.deep.equal({
      ...REQUIRED,
      requestTimeoutSeconds: 30,
      maxRetries: undefined,
      maxConcurrency: 8,
      batchSize: 100,
      allowInsecureHttp: false,
    });
  });

  it("takes each setting by itself from the first place that has it", () => {
    const environment = { PREVIEWENV_BASE_URL: "https://other.example", PREVIEWENV_API_TOKEN: "from-environment" };
    expect(resolve({ baseUrl: REQUIRED.baseUrl }, environment)).to.deep.include({
      baseUrl: REQUIRED.baseUrl,
      apiToken: "from-environment",
    });
  });

  it("takes a setting that is empty, null or not known yet for one that is not set", () => {
    for (const nothing of ["", null, undefined, UNKNOWN])
      expect(resolve({ ...REQUIRED, apiToken: nothing }, { PREVIEWENV_API_TOKEN: "t" }).apiToken).to.equal("t");
  });

  it("names every place where a missing setting can be set, and every missing setting at once", () => {
    const [baseUrl = "", apiToken = "", ...rest] = problems({});
    expect(rest).to.deep.equal([]);
    for (const [text, name, variable] of [
      [baseUrl, "baseUrl", "PREVIEWENV_BASE_URL"],
      [apiToken, "apiToken", "PREVIEWENV_API_TOKEN"],
    ] as const) {
      expect(text).to.contain(`previewenv:${name}`).and.to.contain(variable).and.to.contain("pulumi config set");
      expect(text).to.contain("new previewenv.Provider");
    }
    expect(apiToken).to.contain("--secret");
  });

  for (const [name, wrong] of [
    ["batchSize", "0"],
    ["batchSize", "-1"],
    ["batchSize", "1.5"],
    ["batchSize", "many"],
    ["maxConcurrency", "0"],
    ["maxRetries", "-1"],
    ["requestTimeoutSeconds", "0"],
    ["requestTimeoutSeconds", "NaN"],
    ["allowInsecureHttp", "maybe"],
  ])
    it(`refuses ${name} = ${wrong}, without quoting it`, () => {
      const [problem = "", ...others] = problems({ ...REQUIRED, [String(name)]: wrong });
      expect(others).to.deep.equal([]);
      expect(problem).to.contain(`previewenv:${name}`);
      expect(problem).not.to.contain("many").and.not.to.contain("maybe");
    });

  it("reads numbers and flags from text, as stack config and the environment give them", () => {
    expect(
      resolve(REQUIRED, {
        PREVIEWENV_BATCH_SIZE: "7",
        PREVIEWENV_ALLOW_INSECURE_HTTP: "true",
        PREVIEWENV_MAX_RETRIES: "0",
      }),
    ).to.deep.include({ batchSize: 7, allowInsecureHttp: true, maxRetries: 0 });
    expect(resolve({ ...REQUIRED, allowInsecureHttp: "false" }).allowInsecureHttp).to.equal(false);
  });

  it("never shows a value in a problem", () => {
    fc.assert(
      fc.property(fc.constantFrom(...settings.map(({ name }) => name)), fc.string({ minLength: 12 }), (name, value) => {
        const secret = `zq${value}qz`;
        expect(problems({ ...REQUIRED, [name]: secret }).join("\n")).not.to.contain(secret);
      }),
    );
  });
});
