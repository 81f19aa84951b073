import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import { SEED } from "../../provider/src/sandbox";
import { javascript } from "./harness/languages";
import { useEngine } from "./harness/suite";

const program = (lookedAt: string): string => `
const pulumi = require("@pulumi/pulumi");
const previewenv = require("pulumi-previewenv");
const shop = previewenv.getEnvironmentOutput({ repoName: "web", pullRequestNumber: 42 });
const vars = new previewenv.EnvVarSet("vars", { environmentId: shop.id, variables: { WRITTEN: "just now" } });
// Depends on the set: the answer holds what this very run has written.
const listed = previewenv.getEnvVarsOutput({ environmentId: shop.id }, { dependsOn: [vars] });
// Somebody else's variables. When they change, this environment is rebuilt.
const shared = previewenv.EnvVarSet.get("shared", "${lookedAt}");
new previewenv.EnvironmentBranches("rebuilt", { environmentId: "${lookedAt}", rebuildOn: [shared.revision] });
exports.url = shop.url;
exports.names = previewenv.getEnvironmentsOutput({ orgName: "acme" }).environments.apply((all) => all.map(({ name }) => name));
exports.builds = previewenv.getBuildHistoryOutput({ environmentId: shop.id, limit: 1 }).builds.apply(({ length }) => length);
exports.written = listed.variables.apply((all) => all.find(({ name }) => name === "WRITTEN")?.value);
exports.masked = listed.variables.apply((all) => all.filter(({ hidden }) => hidden).every(({ value }) => value === undefined));
exports.bypass = previewenv.getBypassTokenOutput({ environmentId: shop.id }).bypassToken;
exports.plain = previewenv.getEnvironment({ id: "${SEED.shopPullRequest}" }).then(({ name }) => name);
`;

/** Two resources and outputs of them, a component and two outputs wait for an answer that does not come. */
const FAILING = `
const previewenv = require("pulumi-previewenv");
const shop = previewenv.getEnvironmentOutput({ repoName: "wbe", pullRequestNumber: 42 });
const vars = new previewenv.EnvVarSet("vars", { environmentId: shop.id, variables: { A: "1" } });
const deployed = new previewenv.EnvironmentBranches("branches", { environmentId: shop.id, rebuildOn: [vars.revision] });
const component = new previewenv.PreviewEnvironment("component", { environment: { repoName: "wbe" }, rebuildOn: [1] });
exports.deployed = deployed.url;
exports.component = component.url;
exports.url = shop.url;
exports.title = shop.apply(({ name }) => name.toUpperCase());
`;

const Outputs = z.object({
  url: z.string(),
  names: z.array(z.string()),
  builds: z.number(),
  written: z.string(),
  masked: z.boolean(),
  bypass: z.string(),
  plain: z.string(),
});

/** Worth its CLI calls: functions run in the program, and only the engine shows what a preview knows and state keeps, and
 * how a resource is read that the program only looks at. */
describe("engine: functions and looks", function () {
  const engine = useEngine(this);

  it("answer in a program, wait for what they depend on, keep the bypass token a secret; a look rebuilds nothing again", async () => {
    const variables = [{ name: "TOKEN", value: "somebody else's token" }];
    const lookedAt = engine.environment({ variables });
    const project = await engine.project({ language: javascript("dynamic") });
    writeFileSync(join(project.folder, "index.js"), program(lookedAt));
    expect((await project.preview()).text).to.match(/written\s*: \[unknown\]/u);
    expect(await engine.written(() => project.up(), lookedAt)).to.deep.equal(["POST /rebuild"]);
    expect(await engine.written(() => project.up("--expect-no-changes"), lookedAt)).to.deep.equal([]);
    const { text } = await project.succeed("stack", "output", "--json", "--show-secrets");
    const outputs = Outputs.parse(JSON.parse(text.slice(text.indexOf("{"))));
    expect(outputs).to.deep.include({ url: "https://shop-pr-42.preview.example", plain: "shop-pr-42", builds: 1 });
    expect(outputs).to.deep.include({ written: "just now", masked: true });
    expect(outputs.names).to.include.members(["shop-pr-42", "shop-main"]);
    expect(outputs.bypass).not.to.equal("");
    expect(project.export()).not.to.contain(outputs.bypass);
    expect((await project.run("stack", "output")).text).not.to.contain(outputs.bypass);
  });

  it("fail with one text for a wrong filter, without a stack and without what waits for the answer", async () => {
    const project = await engine.project({ language: javascript("dynamic") });
    writeFileSync(join(project.folder, "index.js"), FAILING);
    const { code, text } = await project.run("preview");
    expect(code, text).to.equal(1);
    expect(text).to.contain('error: getEnvironment: no environment matched repoName "wbe"');
    // Pulumi reads the first of the exported outputs after it has failed, which Node.js warns of.
    expect(text).not.to.contain("error serializing").and.not.contain("PromiseRejectionHandledWarning");
    expect(text, "a stack trace").not.to.match(/^\s+at /mu);
  });
});
