import { expect } from "chai";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportSchema } from "../../provider/src/drift/report-schema";
import { JOB_VARIABLES } from "../support/job-variables";
import { javascript } from "./harness/languages";
import type { Run } from "./harness/cli";
import { branches, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { SECRETS_PROVIDER } from "./harness/stored-stack";
import { useEngine } from "./harness/suite";

const SECRETS = { API_KEY: "key-0123456789abcdef", PASSWORD: "tiger-4711-and-more", TOKEN: "token-0123456789abcdef" };
const VARIABLES = { EDITED: "as declared", DELETED: "as declared", COVERED: "as declared", MOVED: "as declared" };
/** A Pulumi secret where the service shows it. */
const MARKED = "marked-as-a-secret-0815";
const FOREIGN = "nobody declares this one";
const VALUES = [...Object.values(SECRETS), MARKED, FOREIGN, "edited by hand 0123456789", "previewenv:unknown"];

/**
 * Worth its CLI calls: a scheduled job believes this exit code, and the report must name what the real engine found. Each runs under
 * what a job may set for everything that it runs.
 */
describe("engine: pulumi-previewenv drift", function () {
  const engine = useEngine(this);
  let project: Project;
  let ids: readonly string[];
  let program: Program;

  const drift = async (args: string, env: NodeJS.ProcessEnv = {}): Promise<Run> => {
    const run = await project.command(["drift", ...args.split(" ").filter(Boolean)], { ...JOB_VARIABLES, ...env });
    for (const value of VALUES) expect(run.text).not.to.include(value);
    return run;
  };
  const file = (name: string): string => readFileSync(join(project.folder, name), "utf8");
  const one = (): string => ids[0] ?? "";
  const stackName = async (): Promise<string> => (await project.succeed("stack", "--show-name")).stdout.trim();

  before(async () => {
    ids = [1, 2, 3, 4, 5].map(() => engine.environment());
    const [environmentId = "", pruned = "", gone = "", single = "", asleep = ""] = ids;
    program = {
      resources: [
        set("vars", { environmentId, variables: { ...VARIABLES, MARKED: { $secret: MARKED } }, secrets: SECRETS }),
        set("whole", { environmentId: asleep, variables: { $secret: { WHOLE: MARKED } } }),
        set("pruned", { environmentId: pruned, variables: { KEPT: "1" }, prune: true }),
        branches("branches", { environmentId, branches: { web: "main" } }),
        { type: "EnvVar", name: "single", args: { environmentId: single, name: "ONE", value: "1", hidden: false } },
        { type: "EnvironmentState", name: "state", args: { environmentId: asleep, state: "running" } },
      ],
    };
    project = await engine.project({ language: javascript("dynamic") });
    project.write({ resources: [set("vars", { environmentId: gone, variables: { A: "1" } })] });
    await project.select();
    await project.succeed("stack", "init", "pr-7", "--secrets-provider", SECRETS_PROVIDER);
    await project.up();
    await project.select();
    project.write(program);
    await project.up();
  });

  it("says that all stacks are in sync, and writes nothing", async () => {
    const written = await engine.written(async () => {
      const run = await drift("");
      expect(run.code, run.text).to.equal(0);
      expect(run.stdout).to.equal("in sync: dev, pr-7\n\n2 stacks: 2 in sync.\n");
      // Side by side: both have begun before one has ended.
      const progress = run.text.match(/^(?:dev|pr-7): .*\n/gmu)?.join("");
      expect(progress).to.match(/^dev: looking\npr-7: looking\n(?:dev|pr-7): in sync \(1 of 2\)\n/u);
    });
    expect(written).to.deep.equal([]);
    expect(await stackName()).to.equal("dev");
  });

  it("names each kind of drift in each form, calls an environment gone that is, and never runs the program", async () => {
    const { world } = engine.sandbox;
    const [, pruned = "", gone = "", single = "", asleep = ""] = ids;
    world.setVariable(one(), { name: "EDITED", value: "edited by hand 0123456789", hidden: false });
    world.setVariable(one(), { name: "MARKED", value: "edited by hand 0123456789", hidden: false });
    world.setVariable(asleep, { name: "WHOLE", value: "edited by hand 0123456789", hidden: false });
    world.setVariable(one(), { name: "COVERED", value: "as declared", hidden: true });
    world.setVariable(one(), { name: "MOVED", value: "as declared", hidden: false, services: ["web"] });
    world.setVariable(one(), { name: "API_KEY", value: "edited by hand 0123456789", hidden: true });
    world.setVariable(one(), { name: "TOKEN", value: SECRETS.TOKEN, hidden: false });
    for (const name of ["DELETED", "PASSWORD"]) world.deleteVariable(one(), name);
    world.setVariable(pruned, { name: "EXTRA", value: FOREIGN, hidden: true });
    world.switchBranch(one(), "web", "feature/x");
    world.deleteVariable(single, "ONE");
    world.setFlags(asleep, { stopped: true });
    world.remove(gone);

    const [summary, prints] = [join(project.folder, "summary.md"), join(project.folder, "prints.cjs")];
    writeFileSync(summary, "earlier\n");
    writeFileSync(prints, 'console.log("a module of the job");\n');
    // Neither the program nor what loads it would work.
    writeFileSync(join(project.folder, "program.json"), "{");
    const run = await drift("--output json=drift.json --summary", {
      GITHUB_STEP_SUMMARY: summary,
      NODE_OPTIONS: `${project.env["NODE_OPTIONS"]} --require ${JSON.stringify(prints)}`,
      HTTP_PROXY: "http://127.0.0.1:1",
    });
    expect(run.code, run.text).to.equal(2);
    const { stacks, ...whole } = reportSchema.parse(JSON.parse(file("drift.json")));
    expect(whole).to.deep.include({ version: 1, status: "drift", exitCode: 2, drifted: 14, ignored: 0 });
    expect(stacks.map(({ stack, status }) => `${stack} ${status}`)).to.deep.equal(["dev drift", "pr-7 gone"]);
    const rows = stacks[0]?.drift.map(({ resource, name = "", kind, detail = "" }) =>
      [resource, name, kind, detail].join("|"),
    );
    expect(rows).to.deep.equal([
      "branches|web|branch|main -> feature/x",
      "pruned|EXTRA|added|",
      "single|ONE|deleted|or its environment is gone",
      "state||state|running -> stopped",
      "vars|API_KEY|changed|value",
      "vars|COVERED|hidden|now hidden, and its value may differ too",
      "vars|DELETED|deleted|",
      "vars|EDITED|changed|",
      "vars|MARKED|changed|",
      "vars|MOVED|services|now web",
      "vars|PASSWORD|deleted|",
      "vars|TOKEN|hidden|now visible, and its value may differ too",
      "whole|WHOLE|changed|",
    ]);
    const dated = stacks[0]?.drift.filter(({ since }) => since !== undefined).map(({ name }) => name);
    expect(dated).to.deep.equal(["EXTRA", "API_KEY", "COVERED", "EDITED", "MARKED", "MOVED", "TOKEN", "WHOLE"]);

    expect(file("summary.md"))
      .to.match(/^earlier\n## Drift/u)
      .and.include("| `vars` | EnvVarSet | `EDITED` | changed | since ");
    // A resource of the stack knows it, and the sets do not.
    const { name = "-", url = "-" } = engine.sandbox.world.environments.get(one()) ?? {};
    expect(file("summary.md")).to.include(`[\`${name}\`](${url}`);
    expect(run.stdout).to.include(`  environment ${name} ${url}\n`).and.include(`  environment ${pruned}\n`);
    expect(run.stdout).to.include("a module of the job\n");
    for (const text of [file("summary.md"), file("drift.json")])
      for (const value of VALUES) expect(text).not.to.include(value);
  });

  it("heals what drifted, and deploys nothing else", async () => {
    const later = set("later", { environmentId: one(), variables: { NOT_YET: "1" } });
    project.write({ resources: [...program.resources, later] });
    const { code, text } = await drift("--stack dev --heal");
    expect(code, text).to.equal(0);
    expect(text).to.include("dev: restoring").and.include("dev: healed").and.include("EDITED");
    expect(engine.values(one())).to.deep.equal({ ...VARIABLES, MARKED, ...SECRETS });
    expect(engine.values(ids[1] ?? "")).to.deep.equal({ KEPT: "1" });
    expect(engine.values(ids[3] ?? "")).to.deep.equal({ ONE: "1" });
    expect(engine.sandbox.world.environments.get(ids[4] ?? "")?.stopped).to.equal(false);
    expect(engine.sandbox.world.environments.get(one())?.projects[0]?.branch).to.equal("main");
  });

  it("calls no stack in sync whose state a refresh or a failed up has brought to what somebody changed", async () => {
    project.write(program);
    const edit = (value: string) => engine.sandbox.world.setVariable(one(), { name: "EDITED", value, hidden: false });
    edit("a first one 0123456789");
    await project.succeed("refresh", "--yes", "--skip-preview");
    const checked = await drift("--stack dev");
    expect(checked.code, checked.text).to.equal(1);
    expect(checked.stdout).to.match(
      /^dev: error\n {2}`pulumi refresh` stored changes \(\S+\), so .*`pulumi up --refresh --stack dev`\.\n/u,
    );

    const conflict = set("later", { environmentId: one(), variables: { EXISTS: "1" } });
    engine.sandbox.world.setVariable(one(), { name: "EXISTS", value: FOREIGN, hidden: false });
    edit("a second one 0123456789");
    project.write({ resources: [...program.resources.filter(({ name }) => name !== "vars"), conflict] });
    await project.failedUp("--refresh");
    project.write(program);
    expect((await drift("--stack dev")).stdout).to.include("`pulumi up` failed (");
    await project.up();
    expect(engine.values(one())).to.include(VARIABLES);
  });

  it("is sure after an up, reports all other stacks, and names the one, when the state of a stack cannot be read", async () => {
    truncateSync(join(project.stores[0] ?? "", ".pulumi", "stacks", "engine-specs", "pr-7.json"), 100);
    const { code, stdout } = await drift("--output markdown=drift.md --output json=drift.json");
    expect(code, stdout).to.equal(1);
    expect(stdout).to.match(/^pr-7: error\n {2}.*checkpoint.*\n\nin sync: dev\n\n2 stacks: 1 in sync, 1 error\.\n$/u);
    expect(file("drift.md")).to.include("### `pr-7`: error\n\n```text\n").and.include("2 stacks: 1 in sync, 1 error.");
    const { status, stacks } = reportSchema.parse(JSON.parse(file("drift.json")));
    expect([status, ...stacks.map(({ stack }) => stack)]).to.deep.equal(["error", "dev", "pr-7"]);
  });
});
