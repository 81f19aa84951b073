import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario } from "../support/stage";

const MIB = 1024 * 1024;
const MAX_TEXT = 60 * 1024;

/** An environment as the service answers it, with a name, or repositories, of any size. */
function environment(id: string, name: string, repositories: number) {
  const projects = Array.from({ length: repositories }, (_, index) => ({
    repo_name: index === 0 ? "web" : `repository-${index}`,
    org_name: "acme",
    branch: index === 0 ? "feature/x" : "main",
    commit_hash: "c0ffee",
    pull_request_number: null,
  }));
  const flags = { processing: false, ready: true, retired: false, deleted: false, stopped: false };
  return { id, name, url: "https://shop.example.com", projects, ...flags };
}

/** A build of the declared branches that has failed. */
function failedBuild(id: string) {
  const projects = [{ repo_name: "web", repo_owner: "acme", branch: "feature/x", commit_hash: "c0ffee" }];
  return { id, projects, successfully_built: false, queued_at: "2026-01-01T00:00:00.000000Z" };
}

const sizes: Readonly<Record<string, { readonly name: string; readonly repositories: number; readonly ids: number }>> =
  {
    "a name of 15 MiB": { name: "n".repeat(15 * MIB), repositories: 2, ids: 10 },
    "a name of 900 KiB": { name: "n".repeat(900 * 1024), repositories: 2, ids: 10 },
    "five thousand repositories": { name: "shop", repositories: 5_000, ids: 10 },
    "build ids of 15 MiB": { name: "shop", repositories: 2, ids: 15 * MIB },
  };

/** Whatever the service answers once a write is out: what exists stays in state, and people can read why it failed. */
const scenarios: readonly Scenario[] = [
  ...Object.entries(sizes).map(([what, { name, repositories, ids }]): Scenario => ({
    title: `a build that fails, and ${what}: the resource stays in state, the text can be read, the next up is good`,
    async run({ engine, environmentId, sandbox }) {
      const answer = environment(environmentId, name, repositories);
      const history = { data: { name: "shop", builds: [failedBuild("b".repeat(ids))] }, id: environmentId, links: {} };
      sandbox.faults.add({ label: "GET /environment", after: 1, times: Infinity, status: 200, body: { data: answer } });
      sandbox.faults.add({ label: "GET /build-history", after: 1, times: Infinity, status: 200, body: history });
      const program = branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 1 });
      const run = await failing(engine.up(program));
      expect(run.errors.join("\n"))
        .to.match(/environment /u)
        .and.to.have.length.lessThan(MAX_TEXT);
      expect(engine.kept("deployed").outputs).to.deep.include({ branches: { web: "feature/x" } });
      sandbox.faults.clear();
      await engine.up(program);
      await engine.destroy();
    },
  })),
  {
    title: "a variable in doubt whose mask has 12 MiB: it stays in state, and the next up writes it",
    settings: { maxRetries: "0" },
    async run({ engine, environmentId, sandbox, values }) {
      const program = {
        one: {
          type: "EnvVar",
          inputs: { environmentId, name: "A", value: "secret-value-one", onConflict: "overwrite" },
        },
      };
      await engine.up(program);
      const changed = {
        one: {
          type: "EnvVar",
          inputs: { environmentId, name: "A", value: "secret-value-two", onConflict: "overwrite" },
        },
      };
      const attributes = {
        name: "A",
        value: "*".repeat(12 * MIB),
        hidden: true,
        services: [],
        created_at: "2026-01-01T00:00:00",
        updated_at: "2026-01-02T00:00:00",
      };
      const body = { data: [{ id: environmentId, type: "env-var", attributes }], included: { inherited: [] } };
      sandbox.faults.add({ label: "PUT /env-vars", dropBefore: true, times: Infinity });
      sandbox.faults.add({ label: "GET /env-vars", status: 200, body, times: Infinity });
      const run = await failing(engine.up(changed));
      expect(run.errors.join("\n").length).to.be.within(1, MAX_TEXT);
      expect(engine.kept("one").outputs).to.include({ name: "A" });
      sandbox.faults.clear();
      await engine.up(changed);
      expect(values()).to.deep.equal({ A: "secret-value-two" });
    },
  },
];

contract("answers of any size", scenarios);
