import { expect } from "chai";
import { adopt } from "../../provider/src/adopt/run";
import type { Selector } from "../../provider/src/adopt/arguments";
import type { Language } from "../../provider/src/adopt/usage";
import { SIGNATURE } from "../../provider/src/framework/properties";
import { SEED } from "../../provider/src/sandbox";
import { failureOf, startService } from "../functions/service";
import { readYaml, runTypeScript } from "./support/program";

const ID = SEED.shopPullRequest;

async function start() {
  const service = await startService();
  const warnings: string[] = [];
  const context = {
    ...service.context,
    log: { ...service.context.log, warn: (text: string) => void warnings.push(text) },
  };
  return {
    ...service,
    warnings,
    take: (selector: Selector = { id: ID }, language: Language = "typescript") => adopt(context, selector, language),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

describe("adopt: reading an environment", () => {
  it("declares what the service has, with two GET, and shows nothing hidden", async () => {
    await using service = await start();
    const { sandbox, take, warnings } = service;
    sandbox.world.setVariable(ID, { name: "TOKEN", value: "abcdefghijklmnopqrstuvwxyz", hidden: true });

    const program = await take();

    expect(service.asked()).to.deep.equal(["GET /environment", "GET /env-vars"]);
    const variables = sandbox.world.variables(ID);
    const { vars, branches } = runTypeScript(program).resources;
    expect(vars?.inputs.variables).to.deep.equal(
      Object.fromEntries(variables.filter(({ hidden }) => !hidden).map(({ name, value }) => [name, value])),
    );
    expect(vars?.inputs.secrets).to.have.all.keys(variables.filter(({ hidden }) => hidden).map(({ name }) => name));
    expect(branches?.inputs.branches).to.deep.equal({ web: "main", api: "main" });
    expect(program)
      .not.to.contain("***")
      .and.not.to.match(/abcde|wxyz/u);
    expect(warnings).to.deep.equal([]);
  });

  it("finds it by filters, which the program then has, with the list and one GET", async () => {
    await using service = await start();
    const filters = { repoName: "web", pullRequestNumber: 42 };

    const program = await service.take({ filters });

    expect(runTypeScript(program).filters).to.deep.equal(filters);
    expect(program).not.to.contain(`"${ID}"`);
    expect(service.asked().map((label) => label.split("?")[0]?.trim().split(" ").slice(0, 2).join(" "))).to.deep.equal([
      "GET /environments",
      "GET /env-vars",
    ]);
  });

  for (const language of ["typescript", "yaml"] as const)
    it(`writes the id into the program when a branch finds it: the program may switch that branch, in ${language}`, async () => {
      await using service = await start();
      service.sandbox.world.environments.add({
        name: "other",
        projects: [{ repoName: "web", branch: "feature/other" }],
      });

      const program = await service.take({ filters: { repoName: "web", branch: "feature/other" } }, language);

      const { filters, resources } = language === "yaml" ? readYaml(program) : runTypeScript(program);
      expect(filters).to.equal(undefined);
      expect(resources["branches"]?.inputs.environmentId).to.match(/^[0-9a-f-]{36}$/u);
      expect(resources["branches"]?.inputs.branches).to.deep.equal({ web: "feature/other" });
    });

  it("warns of each thing that it leaves out, and writes it as a comment", async () => {
    await using service = await start();
    const { world } = service.sandbox;
    const projects = [
      { repoName: "web\u0085", branch: "main" },
      { repoName: "api", branch: "main\n" },
      { repoName: "docs", branch: "main" },
    ];
    const secret = (name: string, value = "", more = {}) => ({
      name,
      value: `top secret ${value}`,
      hidden: false,
      ...more,
    });
    const variables = [
      ...["__proto__", SIGNATURE, "a\nb", "fn::secret"].map((name) => secret(name)),
      secret("HALF", "\ud800"),
      secret("URL", "[object Promise]"),
      secret("SCOPED", "", { hidden: true, services: ["web\n"] }),
    ];
    const { id } = world.environments.add({ name: "odd", projects, variables });

    const program = await service.take({ id }, "yaml");

    expect(service.warnings).to.deep.equal([
      `not declared: variable "${SIGNATURE}", because it has a name that a map in a program cannot have`,
      'not declared: variable "HALF", because it has a value that no program can mean',
      'not declared: variable "SCOPED", because it is limited to a service whose name is empty, or has a character that no program can declare',
      'not declared: variable "URL", because it has a value that no program can mean',
      'not declared: variable "__proto__", because it has a name that a map in a program cannot have',
      'not declared: variable "a\\u{a}b", because it has a control character in its name',
      'not declared: variable "fn::secret", because it has a name that begins with `fn::`, which Pulumi YAML takes for a function',
      'not declared: repository "api", because it has a branch that no program can declare',
      'not declared: repository "web\\u{85}", because it has a name that a map in a program cannot have',
    ]);
    for (const warning of service.warnings) expect(program).to.contain(`# N${warning.slice(1)}.\n`);
    expect(readYaml(program).resources["branches"]?.inputs.branches).to.deep.equal({ docs: "main" });
    expect(program).not.to.contain("top secret");
  });

  for (const value of ["previewenv:existing:v1", "previewenv:unknown:v1:2026-01-31T09:30:00:ab****yz"])
    it(`is an error when a visible value is a marker: ${value}`, async () => {
      await using service = await start();
      service.sandbox.world.setVariable(ID, { name: "ODD", value, hidden: false });
      expect(await failureOf(service.take()))
        .to.contain('"ODD"')
        .and.not.to.contain("ab****yz");
    });

  it("does not take a service where every address answers 404 for one that lacks the environment", async () => {
    await using service = await start();
    service.sandbox.faults.add({ status: 404, times: Infinity });
    for (const selector of [{ id: ID }, { filters: { repoName: "web" } }])
      expect(await failureOf(service.take(selector))).to.contain("heck previewenv:baseUrl (PREVIEWENV_BASE_URL)");
  });

  it("is an error in words of the command when no environment or more than one matches", async () => {
    await using service = await start();
    expect(await failureOf(service.take({ filters: { repoName: "wbe" } }))).to.equal(
      'no environment matches repoName "wbe". Check the filters, and that the token belongs to the organization. Did you mean "web"?',
    );
    expect(await failureOf(service.take({ filters: { repoName: "web" } })))
      .to.match(/^3 environments match repoName "web":\n/u)
      .and.match(/Give more filters, or the id\.$/u);
  });

  it("is an error that says so when the environment is deleted, before its variables are read", async () => {
    await using service = await start();
    service.sandbox.world.setFlags(ID, { deleted: true });
    expect(await failureOf(service.take())).to.match(/^environment shop-pr-42 \(.*\) is deleted\. Revive it first/u);
    expect(service.asked()).to.deep.equal(["GET /environment"]);
  });
});
