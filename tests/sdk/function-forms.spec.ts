import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { functions } from "../../provider/src/functions";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import * as previewenv from "../../sdk/nodejs";
import { endStage, read, startStage, unhandled, unknownOutput } from "./stage";

const ID = SEED.shopPullRequest;

/** Both forms of a function, called for one environment, and what of the answer says that it is the right one. */
interface Forms {
  readonly label: string;
  readonly plain: (opts?: pulumi.InvokeOptions) => Promise<unknown>;
  readonly output: (id: pulumi.Input<string>, opts?: pulumi.InvokeOutputOptions) => pulumi.Output<unknown>;
  readonly expected: () => unknown;
  readonly secret?: true;
}

describe("both forms of each function", () => {
  let sandbox: Sandbox;
  const asked = (): number => sandbox.journal.entries.length;
  const configure = (): void =>
    pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": sandbox.token }, [
      "previewenv:apiToken",
    ]);
  const builds = (answer: previewenv.GetBuildHistoryResult): unknown => answer.builds.map(({ id }) => id);
  const names = (answer: previewenv.GetEnvVarsResult): unknown => answer.inherited.map(({ name }) => name);
  const ids = (answer: previewenv.GetEnvironmentsResult): unknown => answer.environments.map(({ id }) => id);

  const all: readonly Forms[] = [
    {
      label: "getEnvironment",
      plain: (opts) => previewenv.getEnvironment({ id: ID }, opts).then(({ name }) => name),
      output: (id, opts) => previewenv.getEnvironmentOutput({ id }, opts).apply(({ name }) => name),
      expected: () => "shop-pr-42",
    },
    {
      label: "getEnvironments",
      plain: (opts) => previewenv.getEnvironments({ name: "shop-pr-42" }, opts).then(ids),
      output: (id, opts) =>
        previewenv.getEnvironmentsOutput({ name: pulumi.output(id).apply(() => "shop-pr-42") }, opts).apply(ids),
      expected: () => [ID],
    },
    {
      label: "getBuildHistory",
      plain: (opts) => previewenv.getBuildHistory({ environmentId: ID, limit: 1 }, opts).then(builds),
      output: (environmentId, opts) =>
        previewenv.getBuildHistoryOutput({ environmentId, limit: 1 }, opts).apply(builds),
      expected: () =>
        sandbox.world
          .builds(ID)
          .map(({ id }) => id)
          .slice(0, 1),
    },
    {
      label: "getEnvVars",
      plain: (opts) => previewenv.getEnvVars({ environmentId: ID }, opts).then(names),
      output: (environmentId, opts) => previewenv.getEnvVarsOutput({ environmentId }, opts).apply(names),
      expected: () => ["REGION", "ORG_LICENSE_KEY"],
    },
    {
      label: "getBypassToken",
      plain: (opts) => previewenv.getBypassToken({ environmentId: ID }, opts).then(({ bypassToken }) => bypassToken),
      output: (environmentId, opts) => previewenv.getBypassTokenOutput({ environmentId }, opts).bypassToken,
      expected: () => sandbox.world.environments.get(ID)?.bypassToken,
      secret: true,
    },
  ];

  beforeEach(async () => {
    endStage();
    sandbox = await startSandbox();
  });
  afterEach(async () => {
    endStage();
    await sandbox.close();
  });

  it("are exported", () => {
    expect(all.map(({ label }) => label)).to.deep.equal(functions.map(({ name }) => name));
    for (const { name } of functions) {
      expect(Reflect.get(previewenv, name), name).to.be.a("function");
      expect(Reflect.get(previewenv, `${name}Output`), `${name}Output`).to.be.a("function");
    }
  });

  for (const { label, plain, output, expected, secret = false } of all) {
    it(`${label}: answer the same, the Output form ${secret ? "as a secret" : "not as a secret"}`, async () => {
      configure();

      expect(await plain()).to.deep.equal(expected());
      expect(await read(output(ID))).to.deep.equal({ known: true, secret, value: expected() });
    });

    it(`${label}: use the settings of a given provider`, async () => {
      await startStage();
      const provider = new previewenv.Provider("mine", { baseUrl: sandbox.url, apiToken: sandbox.token });
      endStage();

      expect(await plain({ provider })).to.deep.equal(expected());
      expect(await read(output(ID, { provider }))).to.deep.equal({ known: true, secret, value: expected() });
    });

    it(`${label}: the Output form waits for what it is asked with`, async () => {
      configure();
      let resolve: (id: string) => void = () => undefined;
      const later = new Promise<string>((done) => {
        resolve = done;
      });

      const answer = read(output(later));
      // A plain call is asked and answered meanwhile: this one would have had its turn.
      await plain();
      const before = asked();
      resolve(ID);

      expect((await answer).value).to.deep.equal(expected());
      expect(before).to.equal(1);
      expect(asked()).to.equal(2);
    });

    it(`${label}: the Output form is unknown when a preview does not know what it is asked with`, async () => {
      endStage({ preview: true });
      configure();

      const { known, value } = await read(output(unknownOutput<string>()));

      expect({ known, value }).to.deep.equal({ known: false, value: undefined });
      expect(asked()).to.equal(0);
    });

    it(`${label}: fail without a stack and without the token, the Output form once`, async () => {
      pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": "wrong-token" });

      const error: unknown = await plain().catch((reason: unknown) => reason);
      const errors = [error, ...(await unhandled(() => void output(ID)))];

      expect(errors).to.have.lengthOf(2);
      for (const one of errors) {
        expect(pulumi.RunError.isInstance(one)).to.equal(true);
        expect(String(one)).to.include("401").and.not.to.include("wrong-token");
      }
    });
  }

  it("getEnvironments can be asked for nothing", async () => {
    configure();

    const listed = [SEED.shopPullRequest, SEED.shopMain, SEED.shopStopped];
    expect(ids(await previewenv.getEnvironments())).to.deep.equal(listed);
    expect((await read(previewenv.getEnvironmentsOutput().apply(ids))).value).to.deep.equal(listed);
  });

  it("are answered by the mocks in a unit test, the bypass token as a secret there too", async () => {
    await startStage({
      call: ({ token, inputs }) => ({ builds: [], bypassToken: `${token} ${inputs.environmentId}` }),
    });

    expect(await previewenv.getBuildHistory({ environmentId: ID }))
      .to.have.property("builds")
      .that.deep.equals([]);
    expect(await read(previewenv.getBypassTokenOutput({ environmentId: ID }).bypassToken)).to.deep.equal({
      known: true,
      secret: true,
      value: `previewenv:index:getBypassToken ${ID}`,
    });
    expect(asked()).to.equal(0);
  });
});
