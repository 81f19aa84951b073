/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { expect } from "chai";
import { EnvVarSet, Provider } from "../../sdk/nodejs";
import { endStage, startStage } from "./stage";

const LEAKS = "PULUMI_DEBUG_PROMISE_LEAKS";
const stacks: { prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) | undefined } = Error;
const ARGS = { environmentId: "11111111-1111-4111-8111-111111111142", variables: { A: "1" } };

/** Takes the place of source-map-support: formats each stack in JavaScript, and counts those of the SDK's promises. */
class Formatter {
  promises = 0;
  readonly format = (error: Error, frames: readonly NodeJS.CallSite[]): string => {
    if (frames[0]?.getFunctionName() === "debuggablePromise") this.promises += 1;
    return [
      String(error),
      ...frames.map(
        (frame) =>
          `    at ${frame.getFunctionName()} (${frame.getFileName()}:${frame.getLineNumber()}:${frame.getColumnNumber()})`,
      ),
    ].join("\n");
  };
}

describe("the stacks of a resource's promises", () => {
  const before = stacks.prepareStackTrace;
  const leaksBefore = process.env[LEAKS];
  let formatter: Formatter;

  beforeEach(() => {
    formatter = new Formatter();
    stacks.prepareStackTrace = formatter.format;
  });

  afterEach(() => {
    stacks.prepareStackTrace = before;
    if (leaksBefore === undefined) delete process.env[LEAKS];
    else process.env[LEAKS] = leaksBefore;
    endStage();
  });

  const declared = {
    "an EnvVarSet": () => new EnvVarSet("vars", ARGS),
    "a Provider": () => new Provider("second", { apiToken: "token" }),
  };
  for (const [name, declare] of Object.entries(declared))
    it(`are not formatted while ${name} is constructed`, async () => {
      await startStage();
      formatter.promises = 0;
      declare();

      expect(formatter.promises).to.equal(0);
      expect(stacks.prepareStackTrace).to.equal(formatter.format);
    });

  it("are formatted as before when PULUMI_DEBUG_PROMISE_LEAKS is set", async () => {
    await startStage();
    process.env[LEAKS] = "1";
    new EnvVarSet("vars", ARGS);

    expect(formatter.promises).to.be.above(4 * Object.keys(ARGS).length);
  });

  it("do not change where the engine finds the resource in the program", async () => {
    const stage = await startStage();
    const places = [];
    for (const name of ["usual", "all"]) {
      if (name === "all") process.env[LEAKS] = "1";
      new EnvVarSet(name, { ...ARGS, variables: { [name]: "1" } });
      const { request } = await stage.find(name);
      places.push({ first: request.getSourceposition()?.toObject(), all: request.getStacktrace()?.toObject() });
    }

    expect(places[0]).to.deep.equal(places[1]);
    expect(JSON.stringify(places[0])).to.contain("resource-stacks.spec.ts");
  });

  it("do not change the stack of an error of the program's transformation, thrown or only looked at", async () => {
    await startStage();
    let seen: string | undefined;
    const failing = (): undefined => {
      seen = new Error("seen").stack;
      throw new Error("thrown");
    };

    expect(() => new EnvVarSet("vars", ARGS, { transformations: [failing] }))
      .to.throw("thrown")
      .with.property("stack")
      .that.matches(/ at failing .*resource-stacks\.spec\.ts/u);
    expect(seen).to.match(/^Error: seen\n {4}at failing .*resource-stacks\.spec\.ts/u);
    expect(stacks.prepareStackTrace).to.equal(formatter.format);
  });

  it("leave a formatter alone that a transformation installs", async () => {
    await startStage();
    const own = (error: Error): string => error.message;
    const installing = (): undefined => void (stacks.prepareStackTrace = own);
    new EnvVarSet("vars", ARGS, { transformations: [installing] });

    expect(stacks.prepareStackTrace).to.equal(own);
  });

  it("change nothing where nobody formats stacks", async () => {
    await startStage();
    delete stacks.prepareStackTrace;
    new EnvVarSet("vars", ARGS);

    expect("prepareStackTrace" in Error).to.equal(false);
  });
});
