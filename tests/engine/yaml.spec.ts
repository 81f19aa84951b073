import { expect } from "chai";
import { describeIn, yaml } from "./harness/languages";
import { branches, oneSet, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";
import { changedEntries, leaked } from "./harness/shown-text";

const first = { PASSWORD: "correct horse battery" };
const second = { PASSWORD: "tr0ub4dor and three", ADDED: "a secret that was added" };
const SECRETS = [...Object.values(first), ...Object.values(second)];

/** Worth its 14 CLI calls: what is shown, and when, is what the engine makes of the plugin's answers. */
describeIn("yaml", "engine: the life of a YAML program", function () {
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

  it("an up sends what changed, and rebuilds once", async () => {
    const builds = engine.sandbox.world.builds(environmentId).length;
    const sent = await engine.sent(() => project.up());
    expect(sent).to.deep.equal([["ADDED", "PASSWORD", "SHOWN"]]);
    expect(engine.sandbox.world.builds(environmentId).length - builds).to.equal(1);
  });

  it("a preview of a refresh ends with 7 and names what was changed by hand; refresh and up put it back", async () => {
    const { world } = engine.sandbox;
    world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand" });
    world.setVariable(environmentId, { name: "SHOWN", value: "changed by hand", hidden: false });
    const found = await project.end(7, "refresh", "--preview-only", "--expect-no-changes", "--diff");
    expect(changedEntries(found.text)).to.deep.equal(["PASSWORD", "SHOWN"]);
    expect(found.text)
      .to.match(/~ PASSWORD *: \[secret\] => \[secret\]/u)
      .and.match(/~ SHOWN *: "two" => "changed by hand"/u);
    await project.refresh();
    expect((await engine.sent(() => project.up()))[0]).to.deep.equal(["PASSWORD", "SHOWN"]);
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "two", "with.dot": "1", ...second });
    expect((await project.drift()).code).to.equal(0);
  });

  it("destroy takes away its variables, and nothing else", async () => {
    engine.sandbox.world.setVariable(environmentId, { name: "HAND_MADE", value: "not ours" });
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: "not ours" });
    expect(engine.values(otherId)).to.deep.equal({});
    expect(engine.sandbox.world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/one");
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
    expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: "not ours" });
    expect(engine.values(otherId)).to.deep.equal(first);
  });
});
