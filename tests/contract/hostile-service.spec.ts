import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";

/** Clears the screen, colours, links, turns the direction, and fakes a line of the engine. */
const EVIL = "x\u001b[2J\u009b31m\u001b]8;;http://evil.example\u0007\r\nerror: none\u202e\u200b\u2028y";
/** What a terminal acts upon or does not show; a line break of our own is none. */
const ACTS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^error: none/mu;

/** The texts of a run, and those that were logged so far. */
function shown({ log }: Stage, errors: readonly string[]): string {
  return [...errors, ...log.lines.map(({ text }) => text)].join("\n");
}

const texts: readonly Scenario[] = [
  {
    title: "a build that fails: name, url, branches, commits and build ids act upon no terminal",
    environment: {
      name: EVIL,
      url: EVIL,
      projects: [
        { repoName: "web", branch: "main" },
        { repoName: EVIL, branch: EVIL },
      ],
    },
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      const projects = ["web", EVIL].map((repo_name) => ({
        repo_name,
        repo_owner: EVIL,
        branch: repo_name === "web" ? "feature/x" : EVIL,
        commit_hash: EVIL,
        pull_request_number: null,
      }));
      const build = { id: EVIL, projects, successfully_built: false, queued_at: "2026-01-01T00:00:00.000000Z" };
      const body = { data: { name: EVIL, builds: [build] }, id: environmentId, type: "application", links: {} };
      // The first look, before the change, shows an empty history.
      sandbox.faults.add({ label: "GET /build-history", after: 1, times: Infinity, status: 200, body });
      sandbox.faults.add({
        label: "GET /environment",
        after: 2,
        times: 1,
        status: 503,
        body: { errors: [{ title: EVIL }] },
      });
      const program = branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 1 });
      const run = await failing(engine.up(program));
      expect(run.errors.join("\n")).to.match(/build x\\u\{1b\}\[2J/u);
      expect(shown(stage, run.errors)).not.to.match(ACTS);
      const strangers = await failing(engine.up(branches(environmentId, { branches: { other: "main" } })));
      expect(strangers.errors.join("\n")).to.contain('it has "web", "x\\u{1b}[2J');
      expect(shown(stage, strangers.errors)).not.to.match(ACTS);
    },
  },
  {
    title: "refusals: titles, reasons of a 207 and names in conflicts act upon no terminal",
    environment: { variables: [{ name: "A\u202eB", value: "foreign", hidden: false }] },
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      sandbox.faults.add({ refuse: { C: EVIL } });
      const refused = await failing(engine.up(set(environmentId, { variables: { C: "1", D: "2" } })));
      expect(refused.errors.join("\n")).to.match(/^ {2}C: x error: none y$/mu);
      sandbox.faults.add({ label: "PUT /env-vars", status: 400, body: { errors: [{ status: 400, title: EVIL }] } });
      const titled = await failing(engine.up(set(environmentId, { variables: { C: "1", D: "2", E: "3" } })));
      expect(titled.errors.join("\n")).to.contain('"x error: none y"');
      const conflict = await failing(
        engine.up(set(environmentId, { variables: { "A\u202eB": "mine", C: "1", D: "2" } })),
      );
      expect(conflict.errors.join("\n")).to.contain("A\\u{202e}B");
      expect(shown(stage, [...refused.errors, ...titled.errors, ...conflict.errors])).not.to.match(ACTS);
    },
  },
  {
    title: "pruning: names of others that cannot be deleted act upon no terminal",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      const program = set(environmentId, { variables: { A: "1" }, prune: true });
      await engine.up(program);
      world.setVariable(environmentId, { name: EVIL, value: "1", hidden: false });
      sandbox.faults.add({ method: "DELETE", times: Infinity, status: 500, body: { errors: [{ title: EVIL }] } });
      const run = await failing(engine.up(program, { refresh: true }));
      expect(run.errors.join("\n")).to.contain("x\\u{1b}[2J").and.to.contain('"x error: none y"');
      expect(shown(stage, run.errors)).not.to.match(ACTS);
    },
  },
];

const PLAIN_NAMES = ["constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__", "key", "value"];

const names: readonly Scenario[] = [
  {
    title: "variables called like something that every object has are written, seen to drift, restored and deleted",
    async run({ engine, environmentId, world, clock, values }) {
      const entries = (value: string) => Object.fromEntries(PLAIN_NAMES.map((name) => [name, value]));
      const program = set(environmentId, { variables: entries("1"), secrets: { prototype: "secret-value-1" } });
      await engine.up(program);
      expect(values()).to.deep.equal({ ...entries("1"), prototype: "secret-value-1" });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      clock.advance(5_000);
      world.setVariable(environmentId, { name: "constructor", value: "hand", hidden: false });
      world.deleteVariable(environmentId, "toString");
      const { paths } = await engine.up(program, { refresh: true });
      expect(paths).to.deep.equal({ vars: ["variables.constructor", "variables.toString"] });
      expect(values()).to.deep.equal({ ...entries("1"), prototype: "secret-value-1" });
      await engine.up(set(environmentId, { variables: { valueOf: "1" } }));
      expect(values()).to.deep.equal({ valueOf: "1" });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "a conflict with a variable called like something that every object has is one; without one there is none",
    environment: { variables: [{ name: "toString", value: "foreign", hidden: false }] },
    async run({ engine, environmentId }) {
      const both = { toString: "1", constructor: "1" };
      expect((await failing(engine.up(set(environmentId, { variables: both })))).errors.join()).to.match(
        /declared: toString\. /u,
      );
      await engine.up(set(environmentId, { variables: { constructor: "1" } }));
    },
  },
  {
    title: "pruning takes such names of others, and leaves __proto__, which the way to the engine cannot carry",
    async run({ engine, environmentId, world, values }) {
      const program = set(environmentId, { variables: { A: "1" }, prune: true });
      await engine.up(program);
      for (const name of ["__proto__", "constructor", "hasOwnProperty"])
        world.setVariable(environmentId, { name, value: "1", hidden: false });
      await engine.refresh();
      const { paths } = await engine.preview(program);
      expect(paths).to.deep.equal({ vars: ["variables.constructor", "variables.hasOwnProperty"] });
      await engine.up(program);
      expect(world.variables(environmentId).map(({ name }) => name)).to.deep.equal(["A", "__proto__"]);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      expect(Object.keys(values())).to.include("A");
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
    },
  },
  {
    title: "a single variable called __proto__ is a variable like any other",
    async run({ engine, environmentId, world }) {
      const inputs = { environmentId, name: "__proto__", value: "1", hidden: false };
      const program = { one: { type: "EnvVar", inputs } };
      await engine.up(program);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ one: "same" });
      expect(world.variables(environmentId).map(({ name }) => name)).to.deep.equal(["__proto__"]);
      await engine.destroy();
      expect(world.variables(environmentId)).to.deep.equal([]);
    },
  },
];

contract("texts of a hostile service", texts);
contract("names that are more than data to JavaScript", names);
