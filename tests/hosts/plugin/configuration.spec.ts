import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { type Properties, UNKNOWN } from "../../../provider/src/framework/properties";
import { checkConfig } from "../../../provider/src/hosts/plugin/configuration";
import { startRun } from "../../../provider/src/environment/start-run";
import { ProviderSession } from "../../../provider/src/hosts/plugin/sessions";
import { type Marks, open, seal } from "../../support/marked-values";

const TOKEN = "tok-of-the-test-123456";
const PROVIDERS = "urn:pulumi:stack::project::pulumi:providers:previewenv";
const WHOLE = { baseUrl: "https://service.example", apiToken: TOKEN };

/** In this process, because the environment of another one cannot be changed. */
describe("native plugin, settings", () => {
  const environment = { ...process.env };

  const clear = (): void => {
    for (const name of Object.keys(process.env)) if (name.startsWith("PREVIEWENV_")) delete process.env[name];
  };

  beforeEach(clear);

  afterEach(() => {
    clear();
    Object.assign(process.env, environment);
  });

  const check = (bag: Properties, marks: Marks = [], name = "default") => {
    const urn = `${PROVIDERS}::${name}`;
    const request = new CheckRequest();
    request.setNews(seal({ bag, marks }));
    const warnings: string[] = [];
    const send = (line: LogRequest): void => {
      expect([line.getSeverity(), line.getUrn()]).to.deep.equal([LogSeverity.WARNING, urn]);
      warnings.push(line.getMessage());
    };
    const engine = {
      send,
      flushed: () => Promise.resolve(),
      rootResource: () => Promise.resolve(""),
      setRootResource: () => Promise.resolve(),
      close: () => undefined,
    };
    const run = new ProviderSession(undefined, { startRun, connectEngine: () => engine });
    request.setUrn(urn);
    const response = checkConfig(run, request);
    for (const failure of response.getFailuresList()) expect(failure.getProperty()).to.equal("");
    return {
      warnings,
      inputs: open(response.getInputs()),
      reasons: response.getFailuresList().map((failure) => failure.getReason()),
    };
  };

  it("that no client could work with are refused, without the token", () => {
    const { reasons } = check({ ...WHOLE, baseUrl: "http://service.example" });
    expect(reasons.join("\n")).to.contain("allowInsecureHttp").and.not.to.contain(TOKEN);
  });

  it("of any SDK are understood: numbers and flags as text, version and unknown keys beside them", () => {
    const given = { ...WHOLE, batchSize: "5", maxRetries: 3, allowInsecureHttp: "true", version: "0.1.0", other: "x" };
    expect(check(given)).to.deep.include({ reasons: [] });
    expect(check(given).inputs.bag).to.deep.equal(given);
  });

  it("that do not exist are a warning, which names the nearest one and shows no value", () => {
    const wrong = { ...WHOLE, maxRetry: "hidden-1", apitoken: "hidden-2", region: "hidden-3" };
    const { warnings, reasons } = check({ ...wrong, version: "0.1.0", pluginDownloadURL: "x", __internal: {} });
    expect(reasons).to.deep.equal([]);
    expect(warnings).to.have.length(3);
    warnings.sort();
    expect(warnings[1]).to.equal(
      "previewenv:maxRetry is not a setting of previewenv and has no effect. Did you mean previewenv:maxRetries?",
    );
    expect(warnings[0]).to.contain("previewenv:apitoken is").and.to.contain("mean previewenv:apiToken?");
    expect(warnings[2]).to.contain("The settings are baseUrl, apiToken, ");
    expect(warnings.join()).not.to.contain("hidden");
    expect(check(WHOLE).warnings).to.deep.equal([]);
  });

  it("that a preview does not know yet are no error, and stay unknown", () => {
    const { inputs, reasons } = check({ baseUrl: UNKNOWN, apiToken: UNKNOWN });
    expect(reasons).to.deep.equal([]);
    expect(inputs.bag).to.deep.equal({ baseUrl: UNKNOWN, apiToken: UNKNOWN });
    expect(check({ baseUrl: UNKNOWN, apiToken: TOKEN, batchSize: "none" }).reasons).to.have.length(1);
  });

  it("that are empty count as not set only in stack config: in a program they would silently be those of the environment", () => {
    process.env["PREVIEWENV_BASE_URL"] = WHOLE.baseUrl;
    process.env["PREVIEWENV_API_TOKEN"] = TOKEN;
    for (const marks of [[], [["apiToken"], ["baseUrl"]]]) {
      for (const end of ["", "_0_1_0", "_0_1_0_rc.1_https_//example.com", "_github_/api.github.com/a/b"])
        expect(check({ baseUrl: "", apiToken: "", batchSize: "" }, marks, `default${end}`).reasons).to.deep.equal([]);
      for (const name of ["apiToken", "baseUrl", "maxRetries"])
        for (const byProgram of ["second", "default_eu", "default_2", "default_2nd_org", "by-default"])
          expect(check({ [name]: "" }, marks, byProgram).reasons.join()).to.match(
            new RegExp(`^previewenv:${name} has no value: [^,]*, or give it a value\\.$`, "u"),
          );
    }
    expect(check({}, [], "second").reasons).to.deep.equal([]);
  });

  it("come back with the token as a secret, however it was given", () => {
    expect(check(WHOLE).inputs).to.deep.equal({ bag: WHOLE, marks: [["apiToken"]] });
    const marks = [["apiToken"], ["baseUrl"]];
    expect(check(WHOLE, marks).inputs.marks).to.have.deep.members(marks);
  });
});
