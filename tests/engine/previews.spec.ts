import { expect } from "chai";
import { javascript, describeIn, yaml } from "./harness/languages";
import { branches, set, oneSet, type Program } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";
import type { Project } from "./harness/project";
import { changedEntries, leaked } from "./harness/shown-text";

const THEIRS = "a value of somebody else";

/** Worth its 8 CLI calls: when the engine asks a provider in a preview, and what it keeps of that, is its own doing. */
describe("engine: previews that look at the service", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: what the up would stumble over is told once, with one GET of each kind; then nothing is asked`, async () => {
      const environmentId = engine.environment({ variables: [{ name: "A", value: THEIRS, hidden: false }] });
      const project = await engine.project({ language: javascript(host) });
      const vars = { environmentId, variables: { A: "mine", B: "1" } };
      const program = (repository: string, onConflict: string) => ({
        resources: [
          set("vars", { ...vars, onConflict }),
          set("more", { environmentId, variables: { C: "1" } }),
          branches("deployed", { environmentId, branches: { [repository]: "feature/x" } }),
        ],
      });
      project.write(program("web", "fail"));
      let mark = engine.sandbox.journal.mark();
      const { text } = await project.preview();
      expect(engine.counts(mark)).to.deep.equal({ "GET /env-vars": 1, "GET /environment": 1 });
      const diagnostics = text.slice(text.indexOf("Diagnostics:"));
      expect(diagnostics.match(/already has a variable .*: A\. Unless/gu), text).to.have.length(1);
      expect(text).not.to.contain(THEIRS);

      project.write(program("weeb", "overwrite"));
      expect((await project.end(1, "preview")).text).to.contain('no repository "weeb"');

      project.write(program("web", "overwrite"));
      mark = engine.sandbox.journal.mark();
      await project.succeed("up", "--yes");
      // One in the preview, and one by the set that may not overwrite.
      expect(engine.counts(mark)).to.include({ "GET /env-vars": 2, "PUT /env-vars": 2 });
      expect(project.export()).not.to.contain("__preview");
      expect(await engine.requests(() => project.preview("--expect-no-changes"))).to.deep.equal({});
    });
});

const first = { PASSWORD: "correct horse battery" };
const second = { PASSWORD: "tr0ub4dor and three", ADDED: "a secret that was added" };
const SECRETS = [...Object.values(first), ...Object.values(second)];

/** Worth its 7 CLI calls: what is shown, and when, is what the engine makes of the plugin's answers. */
describeIn("yaml", "engine: previews of a YAML program", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;
  let otherId: string;

  const program = (shown: string, secrets: Record<string, string>): Program => ({
    resources: [
      set("vars", { environmentId, variables: { SHOWN: shown, "with.dot": "1" }, secrets }),
      branches("branches", {
        environmentId,
        branches: { web: "feature/one" },
        rebuildOn: [{ $output: ["vars", "revision"] }],
      }),
      set("derived", {
        environmentId: otherId,
        variables: { URL: { $output: ["branches", "url"] }, OF: { $output: ["vars", "environmentId"] } },
      }),
    ],
    outputs: { url: { $output: ["branches", "url"] } },
  });

  before(async () => {
    environmentId = engine.environment();
    otherId = engine.environment();
    project = await engine.project({ language: yaml() });
  });

  afterEach("nothing printed shows a secret, nothing warns", () => {
    for (const { args, text } of project.runs) {
      expect(leaked(text, SECRETS), args.join(" ")).to.deep.equal([]);
      expect(text, args.join(" ")).not.to.include("warning:");
    }
  });

  it("a preview of its creation looks once at each environment, and calls unknown what only the service knows", async () => {
    project.write(program("one", first));
    let text = "";
    const requests = await engine.requests(async () => ({ text } = await project.preview("--diff")));
    expect(requests).to.deep.equal({ "GET /env-vars": 2, "GET /environment": 1 });
    expect(text)
      .to.match(/PASSWORD: \[secret\]/u)
      .and.match(/SHOWN +: "one"/u)
      .and.match(/onConflict +: "fail"/u)
      .and.match(/URL *: \[unknown\]/u)
      .and.match(new RegExp(`OF *: "${environmentId}"`, "u"))
      .and.match(/url *: \[unknown\]/u);
  });

  it("an up makes it, and a preview after it finds nothing to do", async () => {
    const requests = await engine.requests(() => project.up(), environmentId);
    expect(requests).to.include({ "PUT /env-vars": 1, "PATCH /environment": 1 });
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "one", "with.dot": "1", ...first });
    const { url } = engine.sandbox.world.environments.get(environmentId) ?? {};
    expect(engine.values(otherId)).to.include({ URL: url });
    expect(await engine.requests(() => project.preview("--expect-no-changes"))).to.deep.equal({});
  });

  it("a preview of an update names each variable, and knows the outputs that stay", async () => {
    project.write(program("two", second));
    const { text } = await project.preview("--diff");
    expect(changedEntries(text)).to.deep.equal(["ADDED", "PASSWORD", "SHOWN", "URL"]);
    expect(text)
      .to.match(/\+ ADDED +: \[secret\]/u)
      .and.match(/~ PASSWORD *: \[secret\] => \[secret\]/u)
      .and.match(/~ SHOWN *: "one" => "two"/u)
      .and.match(/~ URL *: "https:.*" => \[unknown\]/u);
  });

  it("another environmentId replaces, and the preview says so", async () => {
    project.write(oneSet({ environmentId, secrets: first }));
    await project.up();
    project.write(oneSet({ environmentId: otherId, secrets: first }));
    const { text } = await project.preview("--diff");
    expect(text)
      .to.include(`~ environmentId: "${environmentId}" => "${otherId}"`)
      .and.match(/\+-.*\(replace\)/u);
    await project.up();
    expect(engine.values(environmentId)).to.deep.equal({});
    expect(engine.values(otherId)).to.deep.equal(first);
  });
});
