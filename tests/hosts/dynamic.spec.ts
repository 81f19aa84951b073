import { once } from "node:events";
import { expect } from "chai";
import type { Clock } from "../../provider/src/client/clock";
import { envVar } from "../../provider/src/env-vars/env-var";
import { type RunOptions, startRun } from "../../provider/src/environment/start-run";
import type { Context } from "../../provider/src/framework/context";
import { asSecret, isMap, isSpecial, type Properties, SIGNATURE } from "../../provider/src/framework/properties";
import type { Resource } from "../../provider/src/framework/resource";
import { resolveSettings } from "../../provider/src/framework/settings";
import { provider } from "../../provider/src/hosts/dynamic";
import { DynamicPreview } from "../../provider/src/hosts/dynamic-preview";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import { failureOf } from "../functions/service";
import { DynamicHost, providerText } from "../support/dynamic-host";
import { LogBook } from "../support/log-book";
import { errorsOf, failing, Stack } from "../support/stack";
import { TestClock } from "../support/test-clock";

const ID = SEED.shopMain;
const TEXT = { __provider: providerText("EnvVarSet") };

let sandbox: Sandbox;
const host = new DynamicHost();
const environment = { ...process.env };

/** Inputs of a set after Check. */
function setOf(variables: Readonly<Record<string, string>>, more: Properties = {}): Properties {
  return { ...TEXT, environmentId: ID, variables, onConflict: "fail", prune: false, ...more };
}

/** The provider of a type, as the process makes it, with this stack config. */
async function configured(type: string, config: Readonly<Record<string, string>> = {}) {
  const made = provider(type);
  const all: Readonly<Record<string, string>> = {
    "previewenv:baseUrl": sandbox.url,
    "previewenv:apiToken": sandbox.token,
    "previewenv:maxRetries": "0",
    ...config,
  };
  await made.configure({ config: { get: (key) => all[key] } });
  return made;
}

/** State as the engine gives it back: a dynamic provider gets secrets as plain values. */
function unsealed(value: unknown): Properties {
  const text = JSON.stringify(value, (_key, part: unknown) => (isMap(part) && isSpecial(part) ? part["value"] : part));
  return JSON.parse(text);
}

describe("dynamic host", () => {
  after(() => host.close());

  beforeEach(async () => {
    sandbox = await startSandbox({ buildSeconds: 0 });
    for (const name of Object.keys(process.env)) if (name.startsWith("PREVIEWENV_")) delete process.env[name];
  });

  afterEach(async () => {
    Object.assign(process.env, environment);
    await sandbox.close();
  });

  it("tells of an error that nobody expected its kind and its place: a message may have values", async () => {
    const set = await configured("EnvVarSet");
    const wrong = {
      ...TEXT,
      environmentId: ID,
      get variables(): never {
        throw new TypeError("hunter2");
      },
    };
    for (const call of [set.check({}, wrong), set.create(wrong), set.update(ID, setOf({}), wrong)])
      expect(await failureOf(call)).to.match(
        /^unexpected TypeError at .*\. Please report it to the maintainers of \S+$/u,
      );
  });

  it("refuses an asset in place of secrets, and gives it back whole: the engine cannot read one whose parts are secrets", async () => {
    const set = await configured("EnvVarSet");
    const secrets = { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", hash: "c0ffee", text: "tiger" };
    const { inputs, failures } = await set.check({}, { ...TEXT, environmentId: ID, secrets });
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      "secrets is an asset or archive: read the file and pass its text",
    ]);
    expect(inputs).to.deep.include({ secrets: asSecret(secrets) });
  });

  it("does no action again in an update that is about the text alone", async () => {
    const action = await configured("EnvironmentAction");
    const text = { __provider: providerText("EnvironmentAction") };
    const inputs = { environmentId: ID, action: "rebuild" };
    const { id, outs } = await action.create({ ...text, ...inputs });
    const mark = sandbox.journal.mark();
    expect(await action.update(id, outs, { ...text, ...inputs })).to.deep.equal({ outs });
    expect(sandbox.journal.since(mark)).to.deep.equal([]);
    await action.update(id, outs, { ...text, ...inputs, triggers: { again: "1" } });
    expect(sandbox.journal.since(mark).map(({ label }) => label)).to.include("POST /rebuild");
  });

  it("lets the engine compare inputs itself when that shows the change, and says so when it would not", async () => {
    const set = await configured("EnvVarSet");
    const state = setOf({ A: "1" }, { revision: "r", observed: { v: 1, names: { t: "A" } } });
    expect(await set.diff(ID, state, setOf({ A: "2" }))).to.deep.equal({ replaces: [] });
    expect(await set.diff(ID, state, setOf({ A: "1", __b: "2" }))).to.deep.equal({ changes: true, replaces: [] });
    const moved = setOf({ A: "1" }, { environmentId: SEED.shopPullRequest });
    expect(await set.diff(ID, state, moved)).to.deep.equal({ replaces: ["environmentId"] });
  });

  it("says so itself when another resource took something away, beside changes that inputs may not show", async () => {
    const set = await configured("EnvVarSet");
    const declared = setOf({ A: "1", X: "1" });
    const { inputs } = await set.check({}, declared);
    const { outs } = await set.create({ ...TEXT, ...inputs });
    // Another run of the process: one with other settings has owners of its own.
    const next = await configured("EnvVarSet", { "previewenv:maxRetries": "1" });
    const observed = JSON.parse(JSON.stringify(outs["observed"]).replace(String.raw`A\nX`, "X"));
    const giver = { ...outs, ...TEXT, variables: { X: "1" }, observed };
    await next.check({}, { ...declared, variables: {} });
    await next.update(ID, giver, { ...declared, variables: {} });
    await next.check({}, declared);
    const drifted = { ...outs, ...TEXT, variables: { A: "drifted", X: "1" } };
    expect(await next.diff(ID, drifted, { ...TEXT, ...inputs })).to.deep.equal({ changes: true, replaces: [] });
  });

  it("reads environment variables anew, so that a rotated token counts at once", async () => {
    const set = await configured("EnvVarSet", { "previewenv:apiToken": "" });
    const message = await failureOf(set.read(ID, { ...TEXT, __get: true }));
    expect(message).to.contain("apiToken is not set").and.contain("pulumi up --refresh=false");
    // The engine shows the error of each resource twice.
    expect(await failureOf(set.read(ID, { ...TEXT, __get: true }))).to.equal(
      "Settings are missing or wrong: see the longer error.",
    );
    process.env["PREVIEWENV_API_TOKEN"] = "stale";
    expect(await failureOf(set.read(ID, { ...TEXT, __get: true }))).to.contain("401");
    process.env["PREVIEWENV_API_TOKEN"] = sandbox.token;
    expect(await set.read(ID, { ...TEXT, __get: true })).to.have.property("id", ID);
  });

  it("works with a provider that is called before it is configured: the environment has the settings", async () => {
    process.env["PREVIEWENV_BASE_URL"] = sandbox.url;
    process.env["PREVIEWENV_API_TOKEN"] = sandbox.token;
    await configured("EnvVarSet", { "previewenv:baseUrl": "", "previewenv:apiToken": "" });
    expect(await provider("EnvVarSet").read(ID, { ...TEXT, __get: true })).to.have.property("id", ID);
  });

  it("refuses `get` of what the service does not have, which the engine would take for a resource without outputs", async () => {
    const single = await configured("EnvVar");
    const message = await failureOf(single.read(`${ID}/NOWHERE`, { ...TEXT, __get: true }));
    expect(message).to.equal(`EnvVar.get: ${ID}/NOWHERE does not exist on the service. Check the id.`);
    // A refresh says the same by an empty answer.
    const stored = { ...TEXT, environmentId: ID, name: "NOWHERE", value: "x", hidden: true, updatedAt: "" };
    expect(await single.read(`${ID}/NOWHERE`, stored)).to.deep.equal({});
  });

  // The engine encrypts an input where it was a secret, and what the provider marks.
  it("marks what a refresh finds in other inputs of the Pulumi secrets that state names", async () => {
    const { world } = sandbox;
    const hidden = "S3CR3T-of-the-test";
    const marked = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const set = await configured("EnvVarSet");
    const told = { ...setOf({ ZZ: "1" }, { services: [hidden] }), __secretPaths: [["services"]] };
    const { inputs } = await set.check({}, told);
    const { outs } = await set.create({ ...TEXT, ...inputs });
    world.setVariable(ID, { name: "ZZ", value: "1", hidden: false, services: [hidden, "x"] });
    const found = await set.read(ID, { ...TEXT, ...outs });
    for (const bag of [found.inputs, found.props])
      expect(bag?.["scopes"]).to.deep.equal({ ZZ: { ...marked, value: [hidden, "x"] } });
    // State that is as it was stays as the engine has it: a program gets no value for a secret in a map that is a secret.
    const branches = await configured("EnvironmentBranches");
    const [web = "", api = ""] = (world.environments.get(ID)?.projects ?? []).map(({ repoName }) => repoName);
    const stored = {
      environmentId: ID,
      branches: { [web]: hidden, [api]: "main" },
      waitForBuild: true,
      buildTimeoutSeconds: 1800,
      onDestroy: "retain",
      whenStopped: "fail",
      originalBranches: {},
      __secretPaths: [["branches", web]],
    };
    for (const project of world.environments.get(ID)?.projects ?? []) Object.assign(project, { branch: hidden });
    const shown = await branches.read(ID, { ...TEXT, ...stored });
    const repeated = { ...marked, value: hidden };
    expect(shown.props?.["branches"]).to.deep.equal({ [web]: hidden, [api]: repeated });
    expect(shown.inputs?.["branches"]).to.deep.equal({ [web]: repeated, [api]: repeated });
    expect(shown.props?.["projects"]).to.deep.include(marked);
  });

  it("marks whatever a refresh finds otherwise than an unfinished write left it: state does not name the secrets from before", async () => {
    const { world } = sandbox;
    const earlier = "S3CR3T-that-only-the-engine-has";
    const marked = (value: unknown): unknown => asSecret(value);
    for (const name of ["A", "B"]) world.setVariable(ID, { name, value: earlier, hidden: false, services: [earlier] });
    const unfinished = { __secretPaths: [["services"]], __unfinished: true };
    const set = await configured("EnvVarSet");
    const stored = setOf(
      { A: "placeholder", B: earlier },
      { services: ["later"], scopes: { B: [earlier] }, revision: "r", observed: { v: 1, names: { "": "A\nB" } } },
    );
    const { props, inputs } = await set.read(ID, { ...stored, ...unfinished });
    expect(inputs).to.equal(undefined);
    expect(props).to.deep.include({
      environmentId: ID,
      services: ["later"],
      variables: { A: marked(earlier), B: earlier },
      scopes: { A: marked([earlier]), B: [earlier] },
      __unfinished: true,
    });
    const single = await configured("EnvVar");
    const variable = {
      environmentId: ID,
      name: "A",
      value: "x",
      hidden: false,
      services: ["later"],
      onConflict: "fail",
    };
    const shown = await single.read(`${ID}/A`, { ...TEXT, ...variable, updatedAt: "", ...unfinished });
    expect(shown.props).to.deep.include({ value: marked(earlier), services: marked([earlier]), hidden: false });
    const branches = await configured("EnvironmentBranches");
    const projects = world.environments.get(ID)?.projects ?? [];
    const [web = "", api = ""] = projects.map(({ repoName }) => repoName);
    for (const project of projects) Object.assign(project, { branch: earlier });
    const declared = { environmentId: ID, branches: { [web]: "later", [api]: earlier }, waitForBuild: true };
    const more = { buildTimeoutSeconds: 1800, onDestroy: "retain", whenStopped: "fail", originalBranches: {} };
    const paths = [["branches", web], ["projects"]];
    const found = await branches.read(ID, { ...TEXT, ...declared, ...more, ...unfinished, __secretPaths: paths });
    expect(found.props).to.deep.include({ branches: { [web]: marked(earlier), [api]: earlier } });
    expect(found.props?.["projects"]).to.satisfy(isSpecial);
  });

  for (const [type, inputs] of [
    ["EnvVarSet", { variables: { A: "1" } }],
    ["EnvVar", { name: "A", value: "1", hidden: false }],
  ] as const)
    it(`${type}: an up after lost ones does not name the secret service from before, which the service still shows`, async () => {
      const keeping = await startSandbox({ choices: { upsertOfExisting: "valueOnly" } });
      const settings = { maxRetries: "0" };
      const service = {
        settings,
        baseUrl: keeping.url,
        token: keeping.token,
        clock: new TestClock(),
        log: new LogBook(),
      };
      const engine = new Stack((phase) => host.start({ ...phase, ...service, run: 1, fresh: true }));
      const declared = (secret: string) => {
        const all = { environmentId: ID, onConflict: "overwrite", services: [secret, "shown-to-all"], ...inputs };
        return { vars: { type, inputs: all, secretPaths: ["services.0"] } };
      };
      await engine.up(declared("Old-4711"));
      keeping.faults.add({ label: "PUT /env-vars", dropBefore: true, times: 2 });
      for (const secret of ["middle", "newest"]) await failing(engine.up(declared(secret)));
      await engine.refresh();
      const text = await errorsOf(engine.up(declared("newest")));
      expect(text).to.contain("the service shows it to [secret], shown-to-all, and not to [secret], shown-to-all.");
      await keeping.close();
    });

  it("makes outputs that show an earlier branch secrets, once a branch was one", async () => {
    const { world } = sandbox;
    const [project] = world.environments.get(ID)?.projects ?? [];
    const { repoName: web = "" } = project ?? {};
    const branches = await configured("EnvironmentBranches");
    const news = (branch: string, paths: Properties = {}): Properties => ({
      environmentId: ID,
      branches: { [web]: branch },
      waitForBuild: false,
      onDestroy: "restore",
      ...paths,
    });
    const told = { __secretPaths: [["branches", web]] };
    // As after a new name in the program: no state has the first secret.
    const earlier = "of-an-older-one";
    Object.assign(project ?? {}, { branch: earlier });
    const { inputs } = await branches.check({}, news("feature/second-secret", told));
    let { id, outs } = await branches.create({ ...TEXT, ...inputs });
    const shownIn = (bag: Properties): readonly string[] =>
      ["projects", "originalBranches"].filter((name) => !isSpecial(bag[name]));
    for (const [branch, paths] of [
      ["feature/third-secret", told],
      ["feature/plain", {}],
      ["feature/other", {}],
    ] as const) {
      world.finishBuilds(ID);
      expect(shownIn(outs)).to.deep.equal([]);
      const stored = unsealed(outs);
      expect(stored).to.have.nested.property(`originalBranches.${web}`, earlier);
      const found = (await branches.read(id, { ...TEXT, ...stored })).props ?? {};
      expect(shownIn(found)).to.deep.equal([]);
      const checked = (await branches.check(stored, news(branch, paths))).inputs;
      ({ outs } = await branches.update(id, { ...TEXT, ...unsealed(found) }, { ...TEXT, ...checked }));
    }
    expect(shownIn(outs)).to.deep.equal([]);
    world.finishBuilds(ID);
    sandbox.faults.add({ match: ({ method }) => method !== "GET", status: 400, body: {} });
    // Another run: this one has declared the branch.
    const next = await configured("EnvironmentBranches", { "previewenv:maxRetries": "1" });
    const message = await failureOf(next.delete(id, { ...TEXT, ...unsealed(outs) }));
    expect(message).to.include(`${web}@[secret]`);
  });

  for (const [name, how] of [
    ["A", "a program tells Check"],
    ["B", "state tells"],
  ] as const)
    it(`hides a secret among visible values that the service says of another request: ${how}`, async () => {
      const value = `the-value-of-${name}`;
      const set = await configured("EnvVarSet");
      const told = { ...setOf({ [name]: value, C: "shown-to-all" }), __secretPaths: [["variables", name]] };
      const { inputs } = await set.check({}, told);
      const { id, outs } = await set.create({ ...TEXT, ...inputs });
      // A run of its own remembers nothing of the one before.
      const settings: Readonly<Record<string, string>> = name === "A" ? {} : { "previewenv:maxRetries": "1" };
      if (name === "B") await (await configured("EnvVarSet", settings)).read(id, { ...TEXT, ...outs });
      const body = { errors: [{ title: `there is ${name}=${value} C=shown-to-all` }] };
      sandbox.faults.add({ label: "POST /rebuild", status: 400, body });
      const branches = await configured("EnvironmentBranches", settings);
      const message = await failureOf(branches.create({ environmentId: ID, rebuildOn: ["1"] }));
      expect(message).to.include(`there is ${name}=[secret] C=shown-to-all`);
      expect(outs).to.have.deep.property("__secretPaths", [["variables", name]]);
    });

  it("says what to do about a type that this version does not know", () => {
    expect(() => provider("Nonsense")).to.throw(/Nonsense.*install/u);
  });
});

const GIVEN: Readonly<Record<string, string>> = { baseUrl: "http://127.0.0.1:9", apiToken: "a-token-of-a-test" };

/** A clock whose timers ring when the test says so. */
class RingingClock extends TestClock implements Clock {
  readonly #timers = new Map<() => void, number>();

  override later(ms: number, act: () => void): () => void {
    this.#timers.set(act, ms);
    return () => void this.#timers.delete(act);
  }

  ring(): void {
    for (const [act, ms] of this.#timers) {
      this.advance(ms);
      act();
    }
  }
}

/** A preview of a program, and what it has warned of. */
function previewOf(clock: RingingClock, options: RunOptions = {}) {
  const warnings: string[] = [];
  const log: Context["log"] = { info: () => undefined, status: () => undefined, warn: (text) => warnings.push(text) };
  const session = startRun(
    resolveSettings((name) => GIVEN[name], {}),
    { clock, ...options },
  );
  const ctx: Context = {
    ...session,
    log,
    signal: new AbortController().signal,
    runsProgram: () => Promise.resolve(true),
  };
  return { preview: new DynamicPreview(), warnings, ctx };
}

/** A preview whose looks take so long. */
function lookingFor(lookMs: number) {
  const clock = new RingingClock();
  const { preview, warnings, ctx } = previewOf(clock);
  let looks = 0;
  const resource: Resource = {
    ...envVar,
    previewCheck(_ctx, { inputs: { name } }) {
      looks += 1;
      clock.advance(lookMs);
      return Promise.resolve([`found ${String(name)}`]);
    },
  };
  const look = (name: string): Promise<void> =>
    preview.warnOrRefuse(resource, ctx, { environmentId: SEED.shopMain, name });
  return { looks: () => looks, warnings, look };
}

describe("a preview of the dynamic provider", () => {
  it("looks for 2 s at most, and says in one line how many resources it checked", async () => {
    const { looks, warnings, look } = lookingFor(1_000);
    for (const name of ["A", "B", "C", "D"]) await look(name);
    expect(looks()).to.equal(2);
    expect(warnings.slice(0, 2)).to.deep.equal(["found A", "found B"]);
    expect(warnings).to.have.length(3);
    expect(warnings[2]).to.match(/asking the service what it has took 2 s.*Resources that were checked: 2\./u);
  });

  it("says why the service could not be reached, when its time ends the wait for another attempt", async () => {
    const clock = new RingingClock();
    clock.sleep = async (_ms, signal = new AbortController().signal) => {
      const aborted = once(signal, "abort");
      clock.ring();
      await aborted;
      signal.throwIfAborted();
    };
    const exchange = () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    const { preview, warnings, ctx } = previewOf(clock, { connections: { exchange, close: () => Promise.resolve() } });
    await preview.warnOrRefuse(envVar, ctx, { environmentId: SEED.shopMain, name: "A", value: "1" });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(
      /could not check what the service has: .*\(ECONNREFUSED\)\. Check previewenv:baseUrl/u,
    );
  });

  it("shows the same warning once", async () => {
    const { warnings, look } = lookingFor(0);
    for (const name of ["A", "A", "B"]) await look(name);
    expect(warnings).to.deep.equal(["found A", "found B"]);
  });
});
