import { expect } from "chai";
import { errorsOf, failing, quiet } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";
import type { Properties } from "../../provider/src/framework/properties";
import type { FaultOptions } from "../../provider/src/sandbox";

const DECLARED = {
  variables: { LEVEL: "debug", REGION: "eu" },
  secrets: { TOKEN: "head-and-middle-tail", OTHER: "another-long-secret" },
};
const MINUTE_MS = 60_000;

/** A drift by hand, the names that the next up must send, and what a refresh shows. */
interface Drift {
  readonly title: string;
  readonly by: (stage: Stage) => void;
  readonly path: string;
  /** Within the second of its write, so that no time tells it. */
  readonly isAtOnce?: true;
  /** A hidden value whose scope was changed may be another one, too. */
  readonly also?: readonly string[];
}

function change(name: string, value: string, options: { hidden?: boolean; services?: string[] } = {}) {
  return ({ world, environmentId }: Stage) => world.setVariable(environmentId, { name, value, ...options });
}

const drifts: readonly Drift[] = [
  { title: "a visible value", by: change("LEVEL", "info", { hidden: false }), path: "variables.LEVEL" },
  {
    title: "a hidden value, by the mask's head alone",
    by: change("TOKEN", "XXad-and-middle-tail"),
    path: "secrets.TOKEN",
    isAtOnce: true,
  },
  {
    title: "a hidden value, by the mask's tail alone",
    by: change("TOKEN", "head-and-middle-taXX"),
    path: "secrets.TOKEN",
    isAtOnce: true,
  },
  { title: "a hidden value, by updated_at alone", by: change("TOKEN", "head-XXX-middle-tail"), path: "secrets.TOKEN" },
  {
    title: "services of a hidden variable",
    by: change("TOKEN", "head-and-middle-tail", { services: ["api"] }),
    path: "scopes.TOKEN",
    also: ["secrets.TOKEN"],
  },
  {
    title: "services of a visible variable",
    by: change("LEVEL", "debug", { hidden: false, services: ["api"] }),
    path: "scopes.LEVEL",
  },
  {
    title: "a visible variable that was hidden",
    by: change("LEVEL", "debug", { hidden: true }),
    path: "variables.LEVEL",
  },
  {
    title: "a secret that was made visible",
    by: change("TOKEN", "head-and-middle-tail", { hidden: false }),
    path: "secrets.TOKEN",
  },
  {
    title: "a deleted variable",
    by: ({ world, environmentId }) => void world.deleteVariable(environmentId, "LEVEL"),
    path: "variables.LEVEL",
  },
  {
    title: "a deleted secret",
    by: ({ world, environmentId }) => void world.deleteVariable(environmentId, "TOKEN"),
    path: "secrets.TOKEN",
  },
];

const nameOf = (path: string): string => path.split(".")[1] ?? "";

const healed: readonly Scenario[] = drifts.map(({ title, by, path, also = [], isAtOnce = false }) => ({
  title: `${title}: a refresh shows exactly that, and the next up restores exactly that`,
  async run(stage) {
    const { engine, environmentId, clock, puts, requests, world } = stage;
    const program = set(environmentId, DECLARED);
    await engine.up(program);
    if (!isAtOnce) clock.advance(MINUTE_MS);
    by(stage);
    puts();
    expect((await engine.refresh()).paths).to.deep.equal({ vars: [path, ...also] });
    expect((await engine.refresh()).paths, "a second refresh finds nothing new").to.deep.equal({ vars: [] });
    requests();
    // A name that is in the set no more, as far as state knows, is guarded like any added one.
    const reads = title.startsWith("a deleted") ? ["GET /env-vars"] : [];
    expect((await engine.preview(program)).paths).to.deep.equal({ vars: [path, ...also] });
    expect(requests()).to.deep.equal(reads);
    await engine.up(program);
    expect(requests()).to.deep.equal([...reads, "PUT /env-vars"]);
    expect(puts()).to.deep.equal([[nameOf(path)]]);
    const name = nameOf(path);
    const value = { ...DECLARED.variables, ...DECLARED.secrets }[name];
    expect(world.variable(environmentId, name)).to.deep.include({
      value,
      hidden: Object.hasOwn(DECLARED.secrets, name),
      services: [],
    });
    expect(engine.kept("vars").outputs).to.deep.include(DECLARED);
    await quiet(engine.up(program, { refresh: true }));
  },
}));

const restoredValues: Readonly<Record<string, string>> = {
  EMPTY: "",
  SHORT: "x",
  FIVE: "abcde",
  LINES: "-----BEGIN KEY-----\nline one\r\nline two\n-----END KEY-----\n",
  UNICODE: "pässwörd-🎉-日本語-ключ",
  JSON: JSON.stringify({ a: [1, 2, { b: "c" }], d: null }),
  STARS: "**************",
  HEAD_STARS: "ab****cd",
  MANY_STARS: "a*b**c***d****e",
  SPACES: "  padded  ",
  PROTOTYPE: "__proto__",
  BINARY: Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x80, 0x42, 0x2a, 0x43, 0x44, 0x45, 0xe6, 0x97, 0xf0]).toString("utf8"),
  REPLACED: "\uFFFDabcdef-\uFFFD-ghijkl\uFFFD",
  EMOJI: "🎉🎉🎉🎉🎉🎉🎉🎉",
  NUL: "\u0000ab\u0000-middle-\u0000cd\u0000",
};

/** What may be behind a mask is a rule: tests/env-vars/shown-value.spec.ts. */
const masks = [
  {},
  { fullyMasked: true },
  { visibleHead: 0, unit: "codeUnit" },
  { visibleHead: 4, visibleTail: 4, unit: "byte" },
  { fixedStars: 3, unit: "byte" },
] as const;

const awkward: readonly Scenario[] = masks.map((mask) => ({
  title: `no perpetual diff for awkward values, mask ${JSON.stringify(mask)}`,
  choices: { mask },
  async run({ engine, environmentId, clock, requests, values: stored }) {
    const hidden = Object.fromEntries(Object.entries(restoredValues).map(([name, value]) => [`S_${name}`, value]));
    const program = set(environmentId, { variables: restoredValues, secrets: hidden });
    await engine.up(program);
    expect(stored()).to.deep.equal({ ...restoredValues, ...hidden });
    clock.advance(MINUTE_MS);
    requests();
    await quiet(engine.up(program));
    expect(requests()).to.deep.equal([]);
    await quiet(engine.refresh());
    await quiet(engine.up(program));
  },
}));

const placeholders: readonly Scenario[] = [
  {
    title: "a secret made visible stays out of every plain output, and so does the mask of a variable that was hidden",
    onHosts: true,
    async run({ engine, environmentId, world, clock }) {
      await engine.up(set(environmentId, DECLARED));
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "TOKEN", value: "clear-text-by-hand", hidden: false });
      await engine.refresh();
      const { outputs, inputs } = engine.kept("vars");
      for (const bag of [outputs, inputs]) expect(bag["variables"]).to.deep.equal(DECLARED.variables);
      world.setVariable(environmentId, { name: "LEVEL", value: "now-a-hidden-value", hidden: true });
      await engine.refresh();
      for (const bag of [outputs, inputs, engine.kept("vars").outputs]) {
        const { secrets: _secrets, ...plain } = bag;
        expect(JSON.stringify(plain)).not.to.match(/clear-text-by-hand|head-and-middle|now-|\*/u);
      }
    },
  },
  {
    title:
      "ignoreChanges leaves a placeholder alone; where a change or triggers would have to send it, that name fails, the others are done",
    async run({ engine, environmentId, world, clock, puts }) {
      await engine.up(set(environmentId, DECLARED));
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "TOKEN", value: "changed-by-hand-entirely" });
      await engine.refresh();
      puts();
      const ignored = (inputs: Properties = {}) => ({
        vars: { ...set(environmentId, { ...DECLARED, ...inputs }).vars, ignoreChanges: ["secrets"] },
      });
      await quiet(engine.up(ignored()));
      expect(await errorsOf(engine.up(ignored({ triggers: { round: "2" } })))).to.match(/TOKEN: .*ignoreChanges/u);
      expect(puts()).to.deep.equal([["LEVEL", "OTHER", "REGION"]]);
      expect(await errorsOf(engine.up(ignored({ services: ["web"] })))).to.match(/TOKEN: .*ignoreChanges/u);
      expect(puts()).to.deep.equal([["LEVEL", "OTHER", "REGION"]]);
      expect(world.variable(environmentId, "TOKEN")?.value).to.equal("changed-by-hand-entirely");
      await engine.up(set(environmentId, { ...DECLARED, services: ["web"] }));
      expect(puts()).to.deep.equal([["TOKEN"]]);
    },
  },
  {
    title: "a text of the service that `ignoreChanges` keeps may look like a description of an object",
    onHosts: true,
    async run({ engine, environmentId, world, clock }) {
      const ignoreChanges = ["variables.LEVEL"];
      const program = { vars: { ...set(environmentId, DECLARED).vars, ignoreChanges } };
      await engine.up(program);
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "LEVEL", value: "[object Object]", hidden: false });
      await engine.refresh();
      await quiet(engine.up(program));
      const more = set(environmentId, { ...DECLARED, variables: { ...DECLARED.variables, MORE: "1" } });
      await engine.up({ vars: { ...more.vars, ignoreChanges } });
      expect(world.variable(environmentId, "MORE")?.value).to.equal("1");
      expect(world.variable(environmentId, "LEVEL")?.value).to.equal("[object Object]");
    },
  },
];

contract("EnvVarSet, drift", [...healed, ...awkward, ...placeholders]);

const DECLARED_TWO = { variables: { A: "1" }, secrets: { B: "secret-b-1234" } };

const gone: readonly Scenario[] = [
  ...(["404", "200"] as const).map((deletedEnvironmentVariables): Scenario => ({
    title: `a deleted environment whose variables answer ${deletedEnvironmentVariables}: refresh and destroy are clean, and say what stays`,
    choices: { deletedEnvironmentVariables },
    async run({ engine, environmentId, world, log }) {
      const stays = deletedEnvironmentVariables === "404";
      const told =
        /is marked as deleted, and .* they are not deleted\. If somebody revives it, they may be there again/u;
      const count = (): number => log.lines.filter(({ text }) => told.test(text)).length;
      await engine.up(set(environmentId, DECLARED_TWO));
      world.setFlags(environmentId, { deleted: true });
      await engine.refresh();
      expect(count()).to.equal(stays ? 1 : 0);
      expect(engine.state.size).to.equal(stays ? 0 : 1);
      world.setFlags(environmentId, { deleted: false });
      await engine.up(set(environmentId, { ...DECLARED_TWO, onConflict: "overwrite" }));
      world.setFlags(environmentId, { deleted: true });
      await engine.destroy();
      expect(count()).to.equal(stays ? 2 : 0);
      expect(engine.state.size).to.equal(0);
    },
  })),
  ...(["create", "update"] as const).map((step): Scenario => ({
    title: `the ${step} of a set in a deleted environment says what the preview says: it is deleted, and how it gets back`,
    async run({ engine, environmentId, world }) {
      if (step === "update") await engine.up(set(environmentId, { variables: { A: "0" } }));
      world.setFlags(environmentId, { deleted: true });
      expect(await errorsOf(engine.up(set(environmentId, DECLARED_TWO))))
        .to.contain(`environment shop (${environmentId}) is deleted.`)
        .and.to.match(/Revive it first: with an EnvironmentState whose state is "running"/u)
        .and.not.to.match(/does not exist|same organization/u);
      world.setFlags(environmentId, { deleted: false });
      await engine.up(set(environmentId, DECLARED_TWO));
    },
  })),
];

const troubles: readonly (readonly [string, FaultOptions])[] = [
  ["403", { status: 403 }],
  ["500", { status: 500 }],
  ["an answer that is no JSON", { malformed: true }],
  ["an answer of another shape", { status: 200, body: { data: [{ nothing: "here" }] } }],
];

const trouble: readonly Scenario[] = troubles.map(([what, fault]) => ({
  title: `${what} never removes anything from state, nor prints the token`,
  async run({ engine, environmentId, sandbox }) {
    const inputs = { environmentId, state: "running" };
    const others = {
      power: { type: "EnvironmentState", inputs },
      ...branches(environmentId, { branches: {}, rebuildOn: [] }),
    };
    await engine.up({ ...set(environmentId, DECLARED_TWO), ...others });
    const before = [...engine.state];
    const texts: string[] = [];
    for (const label of ["GET /env-vars", "GET /environment"]) sandbox.faults.add({ ...fault, label, times: Infinity });
    const refreshed = await failing(engine.refresh());
    expect(refreshed.errors).to.have.length(before.length);
    expect([...engine.state]).to.deep.equal(before);
    texts.push(...refreshed.errors);
    sandbox.faults.add({ ...fault, label: "PUT /env-vars" });
    const updated = await failing(
      engine.up(set(environmentId, { variables: { A: "2" }, secrets: { B: "secret-b-new-5678" } })),
    );
    expect(engine.kept("vars").outputs["secrets"]).not.to.deep.equal({});
    texts.push(...updated.errors);
    sandbox.faults.add({ ...fault, label: "DELETE /env-vars", times: Infinity });
    if (fault.malformed !== true && fault.status !== 200) {
      const destroyed = await failing(engine.destroy());
      expect(destroyed.errors).to.have.length(1);
      expect(engine.state.size).to.equal(1);
      texts.push(...destroyed.errors);
    }
    expect(texts.join("\n")).not.to.match(/secret-b|sandbox-token/u);
  },
}));

const advised: readonly (readonly [string, FaultOptions, string])[] = [
  [
    "a rejected token",
    { status: 401 },
    "Check the token in PREVIEWENV_API_TOKEN or, in a program, in previewenv:apiToken or a `Provider`",
  ],
  ["a redirect", { status: 302 }, "check previewenv:baseUrl"],
  ["an answer of something else", { malformed: true }, "Check previewenv:baseUrl"],
  ["too many requests", { status: 429 }, "lower previewenv:maxConcurrency"],
];

const settings: readonly Scenario[] = advised.map(([what, fault, advice]) => ({
  title: `${what}: only refresh and destroy say whose settings they use`,
  async run({ engine, environmentId, sandbox }) {
    await engine.up(set(environmentId, DECLARED_TWO));
    sandbox.faults.add({ ...fault, times: Infinity });
    const lastUp = "refresh and destroy use the stack config and the `Provider` resources of the last `pulumi up`";
    for (const failed of [await failing(engine.refresh()), await failing(engine.destroy())]) {
      const text = failed.errors.join("\n");
      // With `refresh: always` a plain `pulumi up` refreshes first, and would meet the same error for ever.
      expect(text).to.contain(advice).and.contain(lastUp).and.contain("run `pulumi up --refresh=false` first");
    }
    expect(await errorsOf(engine.up(set(environmentId, { variables: { A: "2" } }))))
      .to.contain(advice)
      .and.not.contain(lastUp);
  },
}));

contract("EnvVarSet, gone and trouble", [...gone, ...trouble, ...settings]);
