import { expect } from "chai";
import { isMap, type Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, set, type Stage } from "../support/stage";

const KEY = "-----BEGIN KEY-----\nmiddle\n-----END KEY-----\n";
const SECRET = "secret-of-NAME-12345";
const PLACEHOLDER = /^previewenv:unknown:v1:/u;

/** One variable called NAME, declared by each resource that can. */
interface Declarer {
  readonly type: "EnvVarSet" | "EnvVar";
  readonly program: (stage: Stage, variable: Variable) => Program;
  /** The program without the name. */
  readonly without: (stage: Stage) => Program;
  /** What state has in the place of the value. */
  readonly value: (outputs: Properties) => unknown;
}

interface Variable extends Properties {
  readonly value: string;
  readonly hidden: boolean;
  /** Left out: overwrite. */
  readonly onConflict?: "fail";
  readonly services?: readonly string[];
}

const declarers: readonly Declarer[] = [
  {
    type: "EnvVarSet",
    program: ({ environmentId }, { value, hidden, ...rest }) =>
      set(environmentId, { [hidden ? "secrets" : "variables"]: { NAME: value }, onConflict: "overwrite", ...rest }),
    without: ({ environmentId }) => set(environmentId),
    value: ({ variables, secrets }) => ({ ...bag(variables), ...bag(secrets) })["NAME"],
  },
  {
    type: "EnvVar",
    program: ({ environmentId }, variable) => ({
      vars: { type: "EnvVar", inputs: { environmentId, name: "NAME", onConflict: "overwrite", ...variable } },
    }),
    without: () => ({}),
    value: ({ value }) => value,
  },
];

function bag(value: unknown): Properties {
  return isMap(value) ? value : {};
}

function warnings({ log }: Stage): readonly string[] {
  return log.lines.splice(0).flatMap(({ severity, text }) => (severity === "warning" ? [text] : []));
}

/** Ways in which an author gets a variable as it is declared, in a service that updates nothing but the value. */
const ways = {
  "it is deleted by hand, and a plain up": ({ world, environmentId }: Stage) => {
    world.deleteVariable(environmentId, "NAME");
    return Promise.resolve();
  },
  "its name leaves the program for one up": async ({ engine, values }: Stage, without: Program) => {
    await engine.up(without);
    expect(values()).to.deep.equal({});
  },
};

const valueOnly: readonly Scenario[] = declarers.flatMap(({ type, program, without, value }) => [
  ...Object.entries(ways).map(([way, follow]): Scenario => ({
    title: `${type}: a secret that the service keeps visible is an error, and not in state; then ${way}`,
    choices: { upsertOfExisting: "valueOnly" },
    environment: { variables: [{ name: "NAME", value: "for all to see", hidden: false }] },
    onHosts: type === "EnvVarSet" || way.startsWith("its name"),
    async run(stage) {
      const { engine, world, environmentId, clock, puts } = stage;
      clock.advance(5_000);
      const declared = program(stage, { value: SECRET, hidden: true });
      const text = await errorsOf(engine.up(declared));
      expect(text).to.match(/NAME(?: of environment .*)?: the service shows it to everybody/u);
      expect(text)
        .to.contain("delete it in the dashboard and run `pulumi up`")
        .and.to.contain("Use another secret")
        .and.not.to.contain(SECRET);
      expect(world.variable(environmentId, "NAME")).to.deep.include({ value: SECRET, hidden: false });
      expect(value(engine.kept("vars").outputs)).to.match(/^previewenv:unknown:v1:.*:visible$/u);
      expect(JSON.stringify(engine.kept("vars").outputs)).not.to.contain(SECRET);
      await engine.refresh();
      expect((await engine.preview(declared)).operations).to.deep.equal({ vars: "update" });
      puts();
      await failing(engine.up(declared));
      expect(puts()).to.deep.equal([["NAME"]]);
      await follow(stage, without(stage));
      await engine.up(declared);
      expect(world.variable(environmentId, "NAME")).to.deep.include({ value: SECRET, hidden: true });
      expect(value(engine.kept("vars").outputs)).to.equal(SECRET);
      puts();
      await quiet(engine.up(declared, { refresh: true }));
      expect(puts()).to.deep.equal([]);
    },
  })),
  {
    title: `${type}: a variable that the service goes on hiding is an error, and its mask is not in state`,
    choices: { upsertOfExisting: "valueOnly" },
    async run(stage) {
      const { engine, world, environmentId } = stage;
      await engine.up(program(stage, { value: SECRET, hidden: true }));
      const declared = program(stage, { value: "for all to see", hidden: false });
      expect(await errorsOf(engine.up(declared))).to.contain("the service hides it. To change that, delete");
      expect(world.variable(environmentId, "NAME")).to.deep.include({ value: "for all to see", hidden: true });
      expect(value(engine.kept("vars").outputs))
        .to.match(PLACEHOLDER)
        .and.not.to.contain("*");
      world.deleteVariable(environmentId, "NAME");
      await engine.up(declared);
      expect(world.variable(environmentId, "NAME")).to.deep.include({ hidden: false });
    },
  },
  ...[true, false].map((hidden): Scenario => ({
    title: `${type}: other services than declared (hidden: ${hidden}) are an error; declared as they are, nothing is sent`,
    choices: { upsertOfExisting: "valueOnly" },
    async run(stage) {
      const { engine, world, environmentId, puts } = stage;
      await engine.up(program(stage, { value: "first-value-1234", hidden, services: ["web"] }));
      const { revision } = engine.kept("vars").outputs;
      const changed = { value: SECRET, hidden, services: ["api", "worker"] };
      expect(await errorsOf(engine.up(program(stage, changed)))).to.contain(
        "the service shows it to web, and not to api, worker",
      );
      expect(world.variable(environmentId, "NAME")).to.deep.include({ value: SECRET, services: ["web"] });
      expect(value(engine.kept("vars").outputs)).to.equal(SECRET);
      // A build that depends on the set is due: the value is another one.
      if (type === "EnvVarSet") expect(engine.kept("vars").outputs["revision"]).not.to.equal(revision);
      expect((await engine.preview(program(stage, changed))).operations).to.deep.equal({ vars: "update" });
      puts();
      await engine.up(program(stage, { ...changed, services: ["web"] }));
      expect(puts()).to.deep.equal([]);
      await quiet(engine.up(program(stage, { ...changed, services: ["web"] })));
    },
  })),
]);

const others: Scenario = {
  title: "a visible value with existing() whose services the service keeps is an error that deletes nothing",
  choices: { upsertOfExisting: "valueOnly" },
  environment: { variables: [{ name: "NAME", value: "of the service ", hidden: false, services: ["web"] }] },
  async run({ engine, environmentId, world }) {
    const declared = set(environmentId, { variables: { NAME: "previewenv:existing:v1" }, services: ["api"] });
    expect(await errorsOf(engine.up(declared)))
      .to.contain("NAME: the service shows it to web, and not to api. To change that, use the dashboard. Or declare")
      .and.not.to.contain("delete it");
    expect(engine.kept("vars").outputs).to.deep.include({
      variables: { NAME: "previewenv:existing:v1" },
      scopes: { NAME: ["web"] },
    });
    await engine.destroy();
    expect(world.variable(environmentId, "NAME")).to.deep.include({ value: "of the service ", services: ["web"] });
  },
};

contract("answers that contradict what was sent", [...valueOnly, others]);

const forms: readonly Scenario[] = declarers.flatMap(({ type, program, value }) =>
  [true, false].map((hidden): Scenario => ({
    title: `${type}: a value that the service trims (hidden: ${hidden}) is one warning, and no drift until somebody changes it`,
    choices: { storedValue: "trimmed" },
    onHosts: hidden,
    async run(stage) {
      const { engine, world, environmentId, clock, puts } = stage;
      const declared = program(stage, { value: KEY, hidden });
      await engine.up(declared);
      const said = warnings(stage).filter((text) =>
        /of NAME shows .* without the white space at its ends\./u.test(text),
      );
      expect(said).to.have.length(1);
      expect(said.join("\n")).not.to.contain("middle");
      expect(value(engine.kept("vars").outputs)).to.equal(KEY);
      clock.advance(60_000);
      puts();
      await quiet(engine.refresh());
      await quiet(engine.up(declared, { refresh: true }));
      await quiet(engine.up(declared));
      expect([puts(), warnings(stage)]).to.deep.equal([[], []]);
      world.setVariable(environmentId, { name: "NAME", value: KEY.trim().replace("middle", "other "), hidden });
      expect((await engine.up(declared, { refresh: true })).operations).to.deep.equal({ vars: "update" });
      expect(world.variable(environmentId, "NAME")?.value).to.equal(KEY.trim());
      expect(warnings(stage)).to.have.length(1);
      await engine.up(program(stage, { value: KEY.trim(), hidden }));
      expect(warnings(stage)).to.deep.equal([]);
      await quiet(engine.up(program(stage, { value: KEY.trim(), hidden }), { refresh: true }));
    },
  })),
);

contract("values that the service stores in another form", forms);

/** A service that knows no capital letters. */
const renamed: Scenario = {
  title:
    "a name that the service stores in small letters is named by the error and by the delete, until it is declared so",
  onHosts: true,
  async run({ engine, environmentId, sandbox, world, values, log }) {
    const attributes = { name: "name", value: "se****************45", hidden: true, services: [] };
    const body = { data: [{ type: "env-var", attributes }] };
    const declared = set(environmentId, { secrets: { NAME: SECRET } });
    const small = set(environmentId, { secrets: { name: SECRET } });
    const named = /name not deleted. This stack may have written it under another form of its name/u;
    for (const next of [() => engine.destroy(), () => engine.up(small)]) {
      sandbox.faults.add({ label: "PUT /env-vars", status: 200, body });
      expect(await errorsOf(engine.up(declared))).to.match(
        /nor as failed, but lists name. If the service .+ declare it so/u,
      );
      world.setVariable(environmentId, { name: "name", value: SECRET, hidden: true });
      log.lines.length = 0;
      await next();
      const texts = log.lines.map(({ text }) => text).join("\n");
      if (engine.state.size === 0) expect(texts).to.match(named);
      else expect(texts).not.to.match(named);
    }
    await engine.destroy();
    expect(values()).to.deep.equal({});
  },
};

contract("names that the service stores in another form", [renamed]);

/** A PUT on which the service acts, and whose answer has no time. */
const timeless: readonly Scenario[] = declarers.map(({ type, program, value }) => ({
  title: `${type}: a write whose answer has no time gets that of the first refresh: drift by time, and no delete of what others wrote`,
  async run(stage) {
    const { engine, sandbox, world, environmentId, clock } = stage;
    const attributes = { name: "NAME", value: "se****************45", hidden: true, services: [] };
    const json = { data: [{ type: "env-var", attributes }] };
    sandbox.faults.add({ label: "PUT /env-vars", status: 200, body: json, acts: true });
    const declared = program(stage, { value: SECRET, hidden: true });
    await engine.up(declared);
    clock.advance(60_000);
    await quiet(engine.refresh());
    await quiet(engine.up(declared));
    world.setVariable(environmentId, { name: "NAME", value: SECRET.replace("NAME", "SAME"), hidden: true });
    await engine.destroy();
    expect(world.variable(environmentId, "NAME")).not.to.equal(undefined);
    world.deleteVariable(environmentId, "NAME");

    sandbox.faults.add({ label: "PUT /env-vars", status: 200, body: json, acts: true });
    await engine.up(declared);
    await engine.refresh();
    clock.advance(60_000);
    world.setVariable(environmentId, { name: "NAME", value: SECRET.replace("NAME", "SAME"), hidden: true });
    await engine.refresh();
    expect(value(engine.kept("vars").outputs)).to.match(PLACEHOLDER);
    await engine.up(declared);
    expect(world.variable(environmentId, "NAME")?.value).to.equal(SECRET);
  },
}));

contract("answers without times", timeless);
