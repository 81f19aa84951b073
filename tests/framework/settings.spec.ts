import { expect } from "chai";
import * as fc from "fast-check";
import { ConfigError } from "../../provider/src/client/errors";
import { UNKNOWN } from "../../provider/src/framework/properties";
import { startRun } from "../../provider/src/environment/start-run";
import { resolveSettings, settings, type Settings } from "../../provider/src/framework/settings";
import { globsIn } from "../../provider/src/framework/setting-forms";

const REQUIRED = { baseUrl: "https://service.example", apiToken: "token" };

function resolve(given: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv = {}): Settings {
  return resolveSettings((name) => given[name], environment);
}

function problems(given: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv = {}): readonly string[] {
  try {
    resolve(given, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
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
      previewChecks: true,
      secretHints: "",
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
      expect(text).to.contain("Outside TypeScript, an explicit `Provider` does not read stack config.");
    }
    // Pulumi asks for the value, so that no shell keeps it in its history.
    expect(apiToken).to.contain("`pulumi config set --secret previewenv:apiToken`");
  });

  it("refuses a flag that is neither true nor false, without quoting it", () => {
    const [problem = "", ...others] = problems({ ...REQUIRED, allowInsecureHttp: "maybe" });
    expect(others).to.deep.equal([]);
    expect(problem).to.contain("previewenv:allowInsecureHttp").and.not.contain("maybe");
  });

  it("takes secretHints as a flag, or as globs with commas between them", () => {
    const globsOf = (secretHints: unknown): readonly string[] =>
      globsIn(resolve({ ...REQUIRED, secretHints }).secretHints);
    for (const on of [true, "true", "1", "TRUE"]) expect(globsOf(on)).to.deep.equal([]);
    for (const off of [false, "false", "0", " False "]) expect(globsOf(off)).to.deep.equal(["*"]);
    expect(globsOf("SORT_KEY, CACHE_*,")).to.deep.equal(["SORT_KEY", "CACHE_*"]);
    expect(globsOf("{SORT,CACHE}_KEY,B")).to.deep.equal(["{SORT,CACHE}_KEY", "B"]);
    expect(resolve(REQUIRED, { PREVIEWENV_SECRET_HINTS: "0" }).secretHints).to.equal("*");
  });

  for (const wrong of ["fasle", "Flase", "no", "off", "ture", "!SORT_KEY", "A,!B", "A,SORT_[K", 5, []])
    it(`refuses ${JSON.stringify(wrong)} for secretHints: it may be a misspelt flag, or is no glob`, () => {
      expect(problems({ ...REQUIRED, secretHints: wrong }).join("\n")).to.match(
        /^previewenv:secretHints is not valid .+: it must be true, false, or globs of names/u,
      );
    });

  for (const { name, environment: variable } of settings)
    it(`refuses a structure for ${name}, also as the JSON that the engine makes of it, and does not show it`, () => {
      const structures = [["API_KEY"], { inner: "API_KEY" }];
      for (const wrong of [...structures, ...structures.map((structure) => JSON.stringify(structure))]) {
        const [problem = "", ...others] = problems({ ...REQUIRED, [name]: wrong });
        expect(others).to.deep.equal([]);
        expect(problem).to.match(new RegExp(`^previewenv:${name} is not valid .+: it must be `, "u"));
        expect(problem).not.to.contain("API_KEY");
        if (typeof wrong !== "string") continue;
        const ofVariable = problems({ ...REQUIRED, [name]: undefined }, { [variable]: wrong });
        expect(ofVariable.join("\n")).to.contain(variable).and.not.contain("API_KEY");
      }
    });

  const wholes = ["maxRetries", "maxConcurrency", "batchSize"];
  const numbers = [...wholes, "requestTimeoutSeconds"];
  const texts = ["", " ", "1,5", "0x10", "1e999", "NaN", "-1", "5 s", "1_000", "true"];
  for (const wrong of [...texts, true, [5], {}, Number.NaN])
    it(`refuses ${JSON.stringify(wrong)} for each number where it stands, and says what is allowed`, () => {
      for (const name of numbers) {
        const variable = settings.find((setting) => setting.name === name)?.environment ?? "";
        const allowed = new RegExp(
          `^previewenv:${name} is not valid .+: it must be a (whole )?number from [\\d.]+ to \\d+\\.$`,
          "u",
        );
        const own = problems({ ...REQUIRED, [name]: wrong });
        if (wrong === "") expect(own).to.deep.equal([]);
        else
          expect(own)
            .to.have.length(1)
            .and.to.satisfy(([one = ""]: string[]) => allowed.test(one) && !one.includes(variable));
        if (typeof wrong !== "string" || wrong === "") continue;
        expect(problems(REQUIRED, { [variable]: wrong })[0])
          .to.match(allowed)
          .and.to.contain(`variable ${variable}: it must be`);
      }
    });

  it("takes a number as a number or as text in any usual form, from each place", () => {
    for (const name of numbers)
      for (const value of ["12", " 12\n", "+12", "1.2e1", "12.0", 12]) {
        const variable = settings.find((setting) => setting.name === name)?.environment ?? "";
        expect(resolve({ ...REQUIRED, [name]: value })).to.have.property(name, 12);
        expect(resolve(REQUIRED, { [variable]: String(value) })).to.have.property(name, 12);
      }
  });

  it("takes fractions of seconds, of which a session makes whole milliseconds, and no fractions of other numbers", async () => {
    const part = fc.double({ min: 0.001, max: 86_400, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(1.001, 32.3, 0.001, 86_400), part), async (requestTimeoutSeconds) => {
        for (const given of [requestTimeoutSeconds, String(requestTimeoutSeconds)]) {
          const resolved = resolve({ ...REQUIRED, requestTimeoutSeconds: given });
          expect(resolved.requestTimeoutSeconds).to.equal(requestTimeoutSeconds);
          await startRun(resolved).client.close();
        }
      }),
    );
    for (const given of [0.0009, "0.0001", 86_400.1, "1e9"])
      expect(problems({ ...REQUIRED, requestTimeoutSeconds: given })[0]).to.contain("a number from 0.001 to 86400");
    for (const name of wholes)
      for (const given of [1.5, "1.5", "1e-1", 2 ** 53, "1e20"])
        expect(problems({ ...REQUIRED, [name]: given })[0], name).to.contain("a whole number from");
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
