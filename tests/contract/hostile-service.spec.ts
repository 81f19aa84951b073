import { expect } from "chai";
import { errorsOf, failing } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";

/** Clears the screen, colours, links, turns the direction, and fakes a line of the engine. */
const EVIL = "x\u001b[2J\u009b31m\u001b]8;;http://evil.example\u0007\r\nerror: none\u202e\u200b\u2028y";
/** What a terminal acts upon or does not show. A line break of our own is none. */
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
      const errors = [{ title: EVIL }];
      sandbox.faults.add({ label: "GET /environment", after: 2, times: 1, status: 503, body: { errors } });
      const program = branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 1 });
      const run = await failing(engine.up(program));
      expect(run.errors.join("\n")).to.match(/build x\\u\{1b\}\[2J/u);
      expect(shown(stage, run.errors)).not.to.match(ACTS);
      const strangers = await failing(engine.up(branches(environmentId, { branches: { other: "main" } })));
      expect(strangers.errors.join("\n")).to.contain('It has "web", "x\\u{1b}[2J');
      expect(shown(stage, strangers.errors)).not.to.match(ACTS);
    },
  },
  {
    title: "refusals: titles, reasons of a 207 and names in conflicts act upon no terminal",
    onHosts: true,
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
];

contract("texts of a hostile service", texts);

const KIB = 1024;

const large: readonly Scenario[] = [
  {
    title: "a set with more than an error can carry is refused before any request",
    // Over gRPC only the real engine takes 9 MiB, Node's own client does not.
    needsTime: true,
    async run({ engine, environmentId, requests }) {
      const secrets = Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`N${index}`, "s".repeat(160 * KIB)]),
      );
      const text = await errorsOf(engine.up(set(environmentId, { secrets })));
      expect(text).to.match(/secrets.*8 MiB.*several/su);
      expect(text.length).to.be.lessThan(60 * KIB);
      expect(requests()).to.deep.equal([]);
    },
  },
  {
    title: "413 for one variable names it, keeps what was stored before it, and the next up goes on",
    settings: { batchSize: "4" },
    fresh: true,
    async run({ engine, environmentId, sandbox, values }) {
      const variables = { A: "1", B: "2", HUGE: "3", I: "4", J: "5" };
      const fault = sandbox.faults.add({ match: ({ names }) => names.includes("HUGE"), status: 413, times: Infinity });
      expect(await errorsOf(engine.up(set(environmentId, { variables }))))
        .to.match(/^ {2}HUGE: Could not .* too large: make its values shorter\. Variables in the request: HUGE\.$/mu)
        .and.to.match(/^ {2}I, J: not sent, because an earlier request failed$/mu);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "1", B: "2" });
      fault.remove();
      await engine.up(set(environmentId, { variables }));
      expect(values()).to.deep.equal(variables);
    },
  },
];

contract("bounds: large requests, answers and states", large);
