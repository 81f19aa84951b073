import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describeIn, yaml, usePython } from "./harness/languages";
import type { Argument } from "./harness/program";
import type { Project } from "./harness/project";
import { type Engine, useEngine } from "./harness/suite";

const REPOSITORY = "fleet";
const KEY = "correct horse battery";
/** Every spelling of a proxy that nothing listens at, and what people except from it: this machine is not among them, or written with a blank. */
const DEAD_PROXIES = {
  ...Object.fromEntries(
    ["grpc_proxy", "http_proxy", "https_proxy", "all_proxy"]
      .flatMap((name) => [name, name.toUpperCase()])
      .map((name) => [name, "http://127.0.0.1:9"]),
  ),
  no_proxy: "localhost, 127.0.0.1",
  NO_PROXY: ".example",
};
/** Three pages of ten environments. */
const PAGES = { choices: { maxPageSize: 4 } };

/** A program over all open pull requests, in one language. */
interface Fleet {
  readonly project: Project;
  /** Writes the program with another value of one variable, and perhaps with a Provider of its own. */
  readonly write: (level: string, provider?: string) => void;
}

/** What each language promises, over ten environments of pull requests and one of none. */
function keepsItsPromises(engine: Engine, begin: () => Promise<Fleet>): void {
  const ids = new Map<string, string>();
  let fleet: Fleet;
  const id = (name: string): string => ids.get(name) ?? "";
  const levels = (): readonly (string | undefined)[] => [...ids.values()].map((one) => engine.values(one)["LEVEL"]);
  const up = async (level: string, provider?: string): Promise<Record<string, number>> => {
    fleet.write(level, provider);
    return engine.requests(() => fleet.project.up());
  };

  before(async () => {
    for (let number = 1; number <= 10; number++) {
      const projects = [{ repoName: REPOSITORY, branch: `feature/${number}`, pullRequestNumber: number }];
      ids.set(`pr-${number}`, engine.environment({ name: `pr-${number}`, projects }));
    }
    engine.environment({ name: "none", projects: [{ repoName: REPOSITORY, branch: "main" }] });
    fleet = await begin();
  });

  it("writes each environment once, with its own values, and asks for the list alone when nothing changed", async () => {
    const requests = await up("1");
    expect(requests).to.include({ "PUT /env-vars": 10, "POST /rebuild": 10 });
    expect(engine.values(id("pr-7"))).to.deep.equal({ LEVEL: "1", NAME: "pr-7", PR: "7", KEY });
    expect(fleet.project.export())
      .to.contain(`::${id("pr-7")}-app`)
      .and.not.contain(KEY);
    expect(Object.keys(await up("1"))).to.deep.equal(["GET /environments"]);
  });

  it("a page that fails ends the run before anything is deleted", async () => {
    fleet.write("2");
    const fault = engine.sandbox.faults.add({ label: "GET /environments", status: 403, after: 1, times: Infinity });
    const requests = await engine.requests(async () => {
      expect((await fleet.project.run("up", "--yes", "--skip-preview")).code).not.to.equal(0);
    });
    fault.remove();
    expect(fault.hits).to.be.greaterThan(0);
    expect(requests).not.to.have.any.keys("DELETE /env-vars", "PUT /env-vars");
    expect(levels()).to.deep.equal(Array(10).fill("1"));
    expect(fleet.project.export()).to.contain(id("pr-10"));
  });

  it("what the list lacks stays although another Provider's process alone sees the program, and is taken over later", async () => {
    await up("1", "first");
    const fault = engine.sandbox.faults.add({ unlisted: [id("pr-5")], times: Infinity });
    const requests = await up("1", "second");
    fault.remove();
    expect(requests).to.include({ "GET /environment": 1 }).and.not.have.any.keys("DELETE /env-vars");
    expect(fleet.project.runs.at(-1)?.text).to.contain(`environment pr-5 (${id("pr-5")}) exists`);
    expect(levels()).to.deep.equal(Array(10).fill("1"));
    await up("1", "second");
    expect(fleet.project.export()).to.contain(`::${id("pr-5")}-app`);
  });

  it("a destroy deletes, also after a refresh", async () => {
    await fleet.project.refresh();
    await fleet.project.destroy();
    expect(levels()).to.deep.equal(Array(10).fill(undefined));
  });
}

describeIn("python", "engine, native: a loop over all pull requests in a Python program", function () {
  const python = usePython();
  const engine = useEngine(this, PAGES);

  keepsItsPromises(engine, async () => {
    const project = await engine.project({ language: python("every-pull-request") });
    const write = (level: string, provider?: string): void =>
      writeFileSync(
        join(project.folder, "values.json"),
        JSON.stringify({ repo: REPOSITORY, level, key: KEY, provider }),
      );
    return { project, write };
  });
});

describeIn("yaml", "engine, native: PreviewEnvironments in a YAML program", function () {
  const engine = useEngine(this, PAGES);
  const args = (level: string): Record<string, Argument> => ({
    match: { repoName: REPOSITORY },
    pullRequestsOnly: true,
    variableSets: {
      app: {
        variables: { LEVEL: level },
        secrets: { KEY: { $secret: KEY } },
        variablesFrom: { NAME: "name", PR: "pullRequestNumber" },
      },
    },
  });

  keepsItsPromises(engine, async () => {
    const project = await engine.project({ language: yaml(), env: DEAD_PROXIES });
    const write = (level: string, provider?: string): void => {
      const providers = provider === undefined ? [] : [{ name: provider, args: {} }];
      const options = provider === undefined ? {} : { provider };
      project.write({
        providers,
        resources: [{ type: "PreviewEnvironments", name: "all", args: args(level), options }],
      });
    };
    return { project, write };
  });
});
