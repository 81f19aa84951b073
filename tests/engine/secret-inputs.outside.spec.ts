import { expect } from "chai";
import { javascript, onBothHosts } from "./harness/languages";
import { type Argument, type Program, type ResourceEntry, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENDLESS_SECONDS, type Engine, useEngine } from "./harness/suite";

type Args = Readonly<Record<string, Argument>>;

/** A resource whose write fails. Each has an environment of its own. */
interface Case {
  readonly type: ResourceEntry["type"];
  /** `undefined`: it is the create that fails. */
  readonly before: Args | undefined;
  /** What the failed write declares beside that. A secret is new in its place, unless `before` has one there. */
  readonly after: Args;
  readonly fails: (engine: Engine, environmentId: string) => void;
  readonly options?: ResourceEntry["options"];
}

const hidden: string[] = [];

/** A value that nothing may show. */
function secret(text: string): Argument {
  hidden.push(text);
  return { $secret: text };
}

const refusesNo: Case["fails"] = ({ sandbox }, environmentId) =>
  void sandbox.faults.add({ path: environmentId, refuse: { NO: "no room" }, times: Infinity });
const refusesSecondWrite: Case["fails"] = ({ sandbox }, environmentId) =>
  void sandbox.faults.add({ path: environmentId, label: "PUT /env-vars", status: 400, after: 1, times: Infinity });
const losesAnswer =
  (label: string): Case["fails"] =>
  ({ sandbox }, environmentId) =>
    void sandbox.faults.add({ path: environmentId, label, dropAfter: true, times: Infinity });
const losesRequest =
  (label: string): Case["fails"] =>
  ({ sandbox }, environmentId) =>
    void sandbox.faults.add({ path: environmentId, label, dropBefore: true, times: Infinity });
const failsBuild: Case["fails"] = ({ sandbox }, environmentId) => sandbox.world.failNextBuild(environmentId);
const slowBuild: Case["fails"] = ({ sandbox }, environmentId) =>
  sandbox.world.slowNextBuild(environmentId, ENDLESS_SECONDS);

const CASES: Readonly<Record<string, Case>> = {
  refused: {
    type: "EnvVarSet",
    before: {
      variables: { SHOWN: "plain", MOVES: "plain", NO: "plain", PLAIN: secret("one-of-a-name-that-gets-plain") },
      secrets: { GOES: secret("one-that-goes") },
      triggers: { at: "1" },
      services: ["web"],
    },
    after: {
      variables: { SHOWN: secret("one-among-the-visible"), NO: secret("one-that-is-refused"), PLAIN: "plain now" },
      secrets: { MOVES: secret("one-that-was-visible"), NEW: secret("one-that-is-new") },
      triggers: { at: secret("one-that-triggers"), more: secret("one-that-triggers-too") },
      scopes: { SHOWN: [secret("one-that-is-a-service")] },
    },
    fails: refusesNo,
  },
  stillSecret: {
    type: "EnvVarSet",
    before: {
      variables: { NO: secret("one-whose-next-value-is-plain"), YES: "1" },
      secrets: { HIDDEN: secret("one-that-gets-visible") },
    },
    after: { variables: { NO: "plain", YES: "2", HIDDEN: "visible" }, secrets: {} },
    fails: ({ sandbox }, environmentId) =>
      void sandbox.faults.add({ path: environmentId, refuse: { NO: "no room", HIDDEN: "no room" }, times: Infinity }),
  },
  halfWritten: {
    type: "EnvVarSet",
    before: { variables: { A: "1", B: "1" }, prune: true, keep: ["KEPT_*"] },
    after: {
      variables: { A: secret("one-of-the-first-batch"), B: secret("one-of-the-refused-batch") },
      keep: [secret("ONE_THAT_IS_A_GLOB_*")],
    },
    fails: refusesSecondWrite,
  },
  unanswered: {
    type: "EnvVarSet",
    before: { variables: { A: "1" }, triggers: { at: "1" } },
    after: { variables: { A: secret("one-without-an-answer") }, triggers: { at: secret("one-beside-a-lost-answer") } },
    fails: losesAnswer("PUT /env-vars"),
  },
  // The service still has the earlier service, which a refresh finds in another place.
  unsent: {
    type: "EnvVarSet",
    before: {
      variables: { A: secret("one-whose-next-value-is-lost") },
      services: [secret("one-service-that-stays"), "web"],
    },
    after: { variables: { A: "2" }, services: [secret("one-service-that-never-arrives"), "web"] },
    fails: losesRequest("PUT /env-vars"),
  },
  single: {
    type: "EnvVar",
    before: { name: "SINGLE", value: "plain", hidden: false },
    after: { value: secret("one-that-becomes-hidden"), hidden: true },
    fails: losesAnswer("PUT /env-vars"),
  },
  singleVisible: {
    type: "EnvVar",
    before: { name: "SINGLE", value: secret("one-that-is-first"), hidden: false },
    after: { value: secret("one-that-stays-visible"), services: [secret("one-that-is-its-service")] },
    fails: losesAnswer("PUT /env-vars"),
  },
  failedBuild: {
    type: "EnvironmentBranches",
    before: { rebuildOn: ["plain"], requires: [] },
    after: { rebuildOn: ["plain", secret("one-that-rebuilds"), { deep: secret("one-that-lies-deeper") }] },
    fails: failsBuild,
  },
  outOfTime: {
    type: "EnvironmentBranches",
    before: { branches: { web: "main" } },
    after: { branches: { web: "feature/timeout" }, rebuildOn: [secret("one-out-of-time")], buildTimeoutSeconds: 5 },
    // The dynamic host is not told of it.
    options: { customTimeouts: { update: "2s" } },
    fails: slowBuild,
  },
  action: {
    type: "EnvironmentAction",
    before: { action: "rebuild", triggers: { image: "1" } },
    after: { triggers: { image: secret("one-that-repeats-an-action") } },
    fails: losesAnswer("POST /rebuild"),
  },
  snapshot: {
    type: "SnapshotLoad",
    before: { sequenceNumber: 1, triggers: { night: "1" } },
    after: { triggers: { night: secret("one-that-loads-again") } },
    fails: losesAnswer("POST /snapshot-load"),
  },
  // The refresh of its run finds drift, so state keeps all that the refresh left, and says that the update is not finished.
  conflict: {
    type: "EnvVarSet",
    before: {
      variables: { DRIFTS: "plain", MOVES: secret("one-of-a-refused-move"), PLAIN: secret("one-that-was-to-be-plain") },
      secrets: { GOES: secret("one-that-was-to-go"), STAYS: secret("one-that-stays") },
      triggers: { at: secret("one-that-triggered") },
      services: [secret("one-service-that-was-secret")],
    },
    after: {
      variables: { DRIFTS: "plain", PLAIN: "plain now", FOREIGN: "ours" },
      secrets: { MOVES: "plain in the program" },
      triggers: { at: "plain" },
      services: ["web"],
    },
    fails: ({ sandbox: { world } }, environmentId) => {
      world.setVariable(environmentId, { name: "FOREIGN", value: "theirs", hidden: false });
      world.deleteVariable(environmentId, "DRIFTS");
    },
  },
  newSet: {
    type: "EnvVarSet",
    before: undefined,
    after: {
      variables: { NO: secret("one-of-a-new-name"), YES: secret("one-that-a-create-writes") },
      triggers: { at: secret("one-that-triggers-nothing-yet") },
    },
    fails: refusesNo,
  },
};

/** The values of both maps of a set, by name. */
function valuesOf({ variables, secrets }: Args = {}): unknown {
  const maps: object = JSON.parse(JSON.stringify({ ...Object(variables), ...Object(secrets) }));
  return Object.fromEntries(Object.entries(maps).map(([name, value]) => [name, value.$secret ?? value]));
}

/** Worth its CLI calls: inputs and outputs are encrypted by the engine, each by rules of its own. */
onBothHosts("engine: secrets of an unfinished write", function (side, language) {
  const engine = useEngine(this);
  const environments = new Map<string, string>();
  let project: Project;

  const write = (updated: (name: string) => boolean): void =>
    project.write({
      resources: Object.entries(CASES).flatMap(([name, { type, before: first, after: second, options = {} }]) => {
        const args = { environmentId: environments.get(name) ?? "", ...first, ...(updated(name) && second) };
        return first === undefined && !updated(name) ? [] : [{ type, name, args, options }];
      }),
    });

  before(async () => {
    project = await engine.project({ language, env: { PREVIEWENV_BATCH_SIZE: "1", PREVIEWENV_MAX_RETRIES: "0" } });
    for (const name of Object.keys(CASES)) environments.set(name, engine.environment());
  });

  afterEach("nothing printed or stored shows a secret", () => expect(project.leaks(hidden)).to.deep.equal([]));

  it("are not in what a failed write stores and prints", async () => {
    write(() => false);
    await project.up();
    for (const [name, id] of environments) CASES[name]?.fails(engine, id);
    write(() => true);
    await project.failedUp("--refresh", "--diff", "--continue-on-error");
    for (const name of Object.keys(CASES)) expect(project.resource(name).initErrors, name).to.have.length.above(0);
    engine.sandbox.faults.clear();
    engine.sandbox.world.deleteVariable(environments.get("conflict") ?? "", "FOREIGN");
    for (const id of environments.values()) engine.sandbox.world.finishBuilds(id);
  });

  it("are not in the refresh after it, nor in a preview and an up that refresh", async () => {
    await project.refresh("--diff");
    await project.preview("--refresh", "--diff");
    await project.run("preview", "--json");
    if (side === "native") return;
    const drift = await project.command(["drift"]);
    expect(drift.code, drift.text).to.equal(2);
    expect(drift.stdout).to.match(/refused .*the last update did not finish/u);
  });

  it("what went back to the inputs from before is written again, and the rest is finished", async () => {
    const wentBack = ["refused", "failedBuild"];
    const mark = engine.sandbox.journal.mark();
    write((name) => !wentBack.includes(name));
    await project.up("--refresh", "--diff");
    const [one = "", rebuilt = ""] = wentBack.map((name) => environments.get(name));
    expect(engine.values(one)).to.deep.equal(valuesOf(CASES["refused"]?.before));
    expect(engine.counts(mark, rebuilt)).to.include({ "POST /rebuild": 1 });
    await project.preview("--refresh", "--diff", "--expect-no-changes");
    await project.destroy();
  });
});

const SERVICE = "a-service-of-ours";
const [FIRST, SECOND] = ["branch/one-of-ours", "branch/two-of-ours"] as const;
const [THERE, MISSING] = ["A_NAME_THAT_IS_THERE", "A_NAME_THAT_IS_MISSING"] as const;
const shownNever = [SERVICE, FIRST, SECOND, THERE, MISSING];

const marked = ($secret: string): Argument => ({ $secret });

/** Worth its CLI calls: the engine encrypts by rules of its own, and shows what it does not encrypt. */
onBothHosts("engine: secrets among inputs that are none by their declaration", function (_side, language) {
  const engine = useEngine(this);
  let project: Project;
  let environmentId: string;

  const program = (branches: Argument, required: string, value = "1"): Program => ({
    resources: [
      {
        type: "EnvironmentBranches",
        name: "branches",
        args: { environmentId, branches, rebuildOn: [], requires: [marked(required)], onDestroy: "restore" },
      },
      {
        type: "EnvVarSet",
        name: "vars",
        args: {
          environmentId,
          variables: { A: value, B: "1" },
          services: [marked(SERVICE)],
          scopes: { A: [marked(SERVICE), "web"] },
        },
      },
    ],
  });

  before(async () => {
    environmentId = engine.environment({ variables: [{ name: THERE, value: "1" }] });
    project = await engine.project({ language });
  });

  afterEach("nothing printed or stored shows a secret", () => expect(project.leaks(shownNever)).to.deep.equal([]));

  it("are not in the progress of a build, nor in what its environment shows, be it refreshed", async () => {
    project.write(program({ web: marked(FIRST), api: "main" }, THERE));
    const { text } = await project.up("--diff");
    expect(text).to.include("switching to web@[secret]");
    expect(project.export()).to.include("projects");
    await project.refresh("--diff");
  });

  it("are not in a refresh that finds them in other inputs", async () => {
    const { world } = engine.sandbox;
    world.setVariable(environmentId, { name: "B", value: "1", hidden: false, services: [SERVICE, "other"] });
    Object.assign(world.environments.get(environmentId)?.projects[1] ?? {}, { branch: FIRST });
    expect((await project.preview("--refresh", "--diff")).text).to.match(/B *: \[secret\]/u);
    await project.refresh("--diff");
    await project.up("--diff");
  });

  it("are not in warnings and errors", async () => {
    engine.sandbox.faults.add({ refuse: { A: `there is no service ${SERVICE}` } });
    project.write(program({ web: marked(SECOND) }, MISSING, "2"));
    expect((await project.preview("--diff")).text).to.include("lacks the variable [secret]");
    const { text } = await project.failedUp("--refresh", "--diff", "--continue-on-error");
    expect(text).to.include("lacks the variable [secret]").and.include("there is no service [secret]");
  });

  it("are not there after a build that failed, nor once they are declared no more", async () => {
    engine.sandbox.world.failNextBuild(environmentId);
    project.write(program({ web: marked(SECOND) }, THERE, "2"));
    await project.failedUp("--diff");
    await project.up("--refresh", "--diff");
    project.write(program({ api: "main" }, THERE, "2"));
    await project.up("--diff");
    await project.up("--refresh", "--diff");
    expect(engine.sandbox.world.environments.get(environmentId)?.projects[0]?.branch).to.equal(SECOND);
    await project.destroy("--diff");
  });
});

for (const host of ["dynamic", "native"] as const)
  describe(`engine: secrets that a transform sets as plain text (${host})`, function () {
    const engine = useEngine(this);
    const [first, second] = ["one-that-a-transform-sets", "one-that-it-sets-later"] as const;

    // The classes mark secrets before a transform runs.
    it("are encrypted in state, and hidden in what Pulumi prints", async () => {
      const project = await engine.project({ language: javascript(host) });
      const environmentId = engine.environment();
      const program = (value: string): Program => ({
        resources: [
          set("vars", { environmentId, secrets: { A: "1" } }, { sets: { secrets: { SET: value } } }),
          {
            type: "EnvVar",
            name: "one",
            args: { environmentId, name: "ONE", value: "1" },
            options: { sets: { value } },
          },
        ],
      });
      for (const value of [first, second]) {
        project.write(program(value));
        await project.up("--diff");
        expect(engine.values(environmentId)).to.deep.equal({ SET: value, ONE: value });
      }
      expect(project.leaks([first, second])).to.deep.equal([]);
    });
  });
