import { expect } from "chai";
import { javascript } from "./harness/languages";
import { branches, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";
import { changedEntries } from "./harness/text";

const HAND_MADE = { name: "NODE_ENV", value: "production", hidden: false };
const SECRETS = { API_KEY: "key-0123456789", DATABASE_URL: "postgres://first" };

/** Worth its 14 CLI calls: it is what a user of the quickstart lives through, in that order, on the real engine. */
describe("engine: the tour", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;

  const program = (secrets: Record<string, string>): Program => ({
    resources: [
      set("vars", {
        environmentId,
        variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" },
        secrets,
        services: ["worker", "web"],
      }),
      branches("branches", {
        environmentId,
        branches: { web: "feature/checkout" },
        rebuildOn: [{ $output: ["vars", "revision"] }],
      }),
    ],
    outputs: { url: { $output: ["branches", "url"] } },
  });
  const builds = (): number => engine.sandbox.world.builds(environmentId).length;

  before(async () => {
    environmentId = engine.environment({ variables: [HAND_MADE] });
    project = await engine.project({ language: javascript("dynamic") });
    project.write(program(SECRETS));
  });

  it("a first preview reads the variables and the environment once, and writes nothing", async () => {
    const reads = { "GET /env-vars": 1, "GET /environment": 1 };
    expect(await engine.requests(() => project.preview())).to.deep.equal(reads);
  });

  it("up from nothing writes the variables in one request and causes one build", async () => {
    const [earlier, counts] = [builds(), await engine.requests(() => project.up())];
    expect(counts).to.include({ "GET /env-vars": 1, "PUT /env-vars": 1, "PATCH /environment": 1 });
    expect(counts).not.to.have.property("POST /rebuild");
    expect(builds() - earlier).to.equal(1);
    expect(engine.values(environmentId)).to.deep.equal({
      NODE_ENV: "production",
      LOG_LEVEL: "debug",
      FEATURE_CHECKOUT: "on",
      ...SECRETS,
    });
    const written = engine.sandbox.world.variables(environmentId, ["LOG_LEVEL", "API_KEY"]);
    expect(written.map(({ hidden }) => hidden)).to.deep.equal([false, true]);
    expect(written.map(({ services }) => services.toSorted())).to.deep.equal([
      ["web", "worker"],
      ["web", "worker"],
    ]);
    expect(project.runs.at(-1)?.text).to.include("https://env-1.preview.example");
  });

  it("preview --expect-no-changes shows nothing and asks the service nothing", async () => {
    expect(await engine.requests(() => project.preview("--expect-no-changes"))).to.deep.equal({});
  });

  it("preview --refresh --diff names exactly what was changed by hand", async () => {
    const { world } = engine.sandbox;
    world.setVariable(environmentId, { name: "DATABASE_URL", value: "mysql://other", services: ["web", "worker"] });
    world.deleteVariable(environmentId, "LOG_LEVEL");
    world.switchBranch(environmentId, "web", "main");
    world.finishBuilds(environmentId);
    const { text } = await project.preview("--refresh", "--diff");
    const names = ["API_KEY", "DATABASE_URL", "FEATURE_CHECKOUT", "LOG_LEVEL", "NODE_ENV", "api", "web"];
    expect(changedEntries(text).filter((name) => names.includes(name))).to.deep.equal([
      "DATABASE_URL",
      "LOG_LEVEL",
      "web",
    ]);
    expect(text).to.match(/~ web\s*: "main" => "feature\/checkout"/u);
    expect(text).to.match(/~ DATABASE_URL\s*: \[secret\] => \[secret\]/u);
  });

  it("refresh --preview-only --expect-no-changes exits 7 on drift", async () => {
    expect((await project.drift()).code).to.equal(7);
  });

  it("up --refresh sends exactly what was changed, and causes one build", async () => {
    const earlier = builds();
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["DATABASE_URL", "LOG_LEVEL"]]);
    expect(builds() - earlier).to.equal(1);
    expect(engine.values(environmentId)).to.include({ ...SECRETS, LOG_LEVEL: "debug", NODE_ENV: "production" });
    expect(engine.sandbox.world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/checkout");
  });

  it("refresh --preview-only --expect-no-changes exits 0 right after an up", async () => {
    const run = await project.drift();
    expect(run.code, run.text).to.equal(0);
  });

  for (const [title, ...again] of [
    ["the next up sends only that one"],
    ["up --refresh sends only that one", "--refresh"],
  ])
    it(`a variable that the service refused is named with its reason, and ${title}`, async () => {
      const secrets = { API_KEY: `key-${title}`, DATABASE_URL: `postgres://${title}` };
      project.write(program(secrets));
      engine.sandbox.faults.add({ refuse: { DATABASE_URL: "quota exceeded" } });
      const sent = await engine.sent(() => project.failedUp());
      expect(sent).to.deep.equal([["API_KEY", "DATABASE_URL"]]);
      expect(project.runs.at(-1)?.text).to.match(/DATABASE_URL: .*quota exceeded/u);
      expect(engine.values(environmentId)).to.include({ API_KEY: secrets.API_KEY });

      expect(await engine.sent(() => project.up(...again))).to.deep.equal([["DATABASE_URL"]]);
      expect(engine.values(environmentId)).to.include(secrets);
    });

  it("destroy deletes what was declared, keeps the rest, and builds nothing", async () => {
    const [earlier, counts] = [builds(), await engine.requests(() => project.destroy())];
    expect(counts).to.deep.equal({ "GET /env-vars": 1, "DELETE /env-vars": 4 });
    expect(engine.values(environmentId)).to.deep.equal({ NODE_ENV: "production" });
    expect(builds()).to.equal(earlier);
    expect(project.export()).not.to.include('"urn"');
  });
});
