import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultOptions, startSandbox } from "../../provider/src/sandbox";
import { type Report, reportSchema } from "../../provider/src/drift/report-schema";
import { JOB_VARIABLES } from "../support/job-variables";
import type { Run } from "./harness/cli";
import { javascript } from "./harness/languages";
import { branches, type Program, type ResourceEntry, set } from "./harness/program";
import type { Project } from "./harness/project";
import { type Engine, useEngine } from "./harness/suite";

const SECRET = "tiger-4711-and-more";
const BY_HAND = "edited by hand 0123456789";
const UNDEPLOYED = "the program has changes that were never deployed";

/** What `pulumi-previewenv drift` reports, as JSON, under what a job may set for everything that it runs. */
async function drift(project: Project, ...args: readonly string[]): Promise<Run & Report> {
  const run = await project.command(["drift", "--output", "json=report.json", ...args], JOB_VARIABLES);
  for (const value of [SECRET, BY_HAND]) expect(run.text).not.to.include(value);
  return { ...run, ...reportSchema.parse(JSON.parse(readFileSync(join(project.folder, "report.json"), "utf8"))) };
}

/** Environments by the letters that the programs below use, and those of a replacement that is not finished. */
interface Ids extends Readonly<Record<"a" | "b" | "c" | "d" | "e" | "f" | "gone", string>> {
  readonly moving: Readonly<Record<"base" | "left" | "moved" | "child", string>>;
}

const one = (
  name: string,
  environmentId: string,
  variables: Record<string, string>,
  dependsOn: readonly string[] = [],
) => set(name, { environmentId, variables }, { dependsOn });

const ordered = ({ c }: Ids): ResourceEntry => ({
  type: "EnvVar",
  name: "ordered",
  args: { environmentId: c, name: "ORDERED", value: "1", hidden: false },
});

const ignoring = ({ f }: Ids): ResourceEntry => one("ignoring", f, { IGNORING: "1" });

const keeping = ({ f }: Ids): ResourceEntry => one("keeping", f, { KEEPING: "1" });

const rebuilt = ({ a }: Ids): readonly ResourceEntry[] => [
  set("vars", { environmentId: a, variables: { A: "1" }, secrets: { S: SECRET } }),
  branches("branches", { environmentId: a, rebuildOn: [{ $output: ["vars", "revision"] }] }),
];

/** The middle one moves to another environment, and its variable stays in the one before. */
const replaced = ({ moving: { base, moved, child } }: Ids, environmentId = moved): readonly ResourceEntry[] => [
  one("base", base, { BASE: "1" }),
  one("moved", environmentId, { MOVED: "1" }, ["base"]),
  one("child", child, { CHILD: "1" }, ["moved"]),
];

const deployed = (ids: Ids, environmentId?: string): Program => ({
  resources: [
    ...rebuilt(ids),
    ...replaced(ids, environmentId),
    one("dropped", ids.b, { DROPPED: "1" }),
    one("other", ids.c, { OTHER: "1" }),
    one("edited", ids.d, { EDITED: "1" }),
    one("sibling", ids.e, { SIBLING: "1", CHANGED: "1" }),
    one("waiting", ids.f, { WAITING: "1" }),
    ignoring(ids),
    { ...keeping(ids), options: { protect: true, retainOnDelete: true } },
    ordered(ids),
    one("gone", ids.gone, { GONE: "1" }),
  ],
  outputs: { kept: "1", revision: { $output: ["other", "revision"] } },
});

/** Not deployed: it drops a resource, has a new one, and changes values and dependencies of others. */
const later = (ids: Ids): Program => ({
  resources: [
    ...rebuilt(ids),
    ...replaced(ids),
    one("other", ids.c, { OTHER: "2" }),
    one("edited", ids.d, { EDITED: "2" }),
    one("sibling", ids.e, { SIBLING: "1", CHANGED: "2" }),
    one("fresh", ids.b, { FRESH: "1" }),
    one("waiting", ids.f, { WAITING: "1" }, ["fresh"]),
    { ...ignoring(ids), options: { ignoreChanges: ["variables"] } },
    keeping(ids),
    { ...ordered(ids), options: { dependsOn: ["other"] } },
    // Neither would get through a preview that looks at the service.
    one("gone", ids.gone, { GONE: "1", LATER: "1" }),
    one("late", ids.gone, { LATE: "1" }),
  ],
  outputs: { kept: "1", revision: { $output: ["other", "revision"] } },
});

async function deploy(engine: Engine): Promise<{ project: Project; ids: Ids }> {
  const next = (): string => engine.environment();
  const moving = { base: next(), left: next(), moved: next(), child: next() };
  const ids = { a: next(), b: next(), c: next(), d: next(), e: next(), f: next(), gone: next(), moving };
  const project = await engine.project({
    settings: { options: { refresh: "always" } },
    env: { PREVIEWENV_BASE_URL: undefined, PREVIEWENV_MAX_RETRIES: "0" },
  });
  project.configure({ "previewenv:baseUrl": engine.sandbox.url });
  project.write(deployed(ids, moving.left));
  await project.up();
  const fault = engine.sandbox.faults.add({ method: "DELETE", status: 400, times: Infinity });
  project.write(deployed(ids));
  await project.failedUp();
  fault.remove();
  delete project.env["PULUMI_STACK"];
  return { project, ids };
}

/** Worth its CLI calls: what an update of some resources does to the others is the engine's doing. */
describe("engine: pulumi-previewenv drift --heal", function () {
  const engine = useEngine(this);
  const byHand = (id: string, name: string): void =>
    engine.sandbox.world.setVariable(id, { name, value: BY_HAND, hidden: false });

  it("restores what is unchanged in the program, with one build, and touches nothing else", async () => {
    const { project, ids } = await deploy(engine);
    project.write(later(ids));
    for (const [id, name] of [
      [ids.a, "A"],
      [ids.b, "DROPPED"],
      [ids.d, "EDITED"],
      [ids.e, "SIBLING"],
      [ids.f, "WAITING"],
      [ids.f, "IGNORING"],
      [ids.f, "KEEPING"],
      [ids.moving.base, "BASE"],
      [ids.moving.left, "MOVED"],
      [ids.moving.moved, "MOVED"],
      [ids.moving.child, "CHILD"],
    ] as const)
      byHand(id, name);
    engine.sandbox.world.deleteVariable(ids.c, "ORDERED");
    engine.sandbox.world.remove(ids.gone);

    let run: Awaited<ReturnType<typeof drift>> | undefined;
    const written = await engine.written(async () => (run = await drift(project, "--heal")));
    expect(run?.code, run?.text).to.equal(2);
    const [dev] = run?.stacks ?? [];
    expect(dev?.status).to.equal("partly healed");
    const rows = dev?.drift.map(({ resource, name = "", restored, reason = "" }) =>
      [resource, name, restored, reason].join("|"),
    );
    const unfinished =
      'an earlier update replaced "moved" and did not delete what it replaced: an update would delete that now';
    expect(rows).to.deep.equal([
      `base|BASE|false|${unfinished}`,
      "child|CHILD|true|",
      `dropped|DROPPED|false|${UNDEPLOYED}`,
      `edited|EDITED|false|${UNDEPLOYED}`,
      "gone||false|its environment is gone",
      `ignoring|IGNORING|false|${UNDEPLOYED}`,
      `keeping|KEEPING|false|${UNDEPLOYED}`,
      `moved|MOVED|false|${unfinished}`,
      "ordered|ORDERED|true|",
      `sibling|SIBLING|false|${UNDEPLOYED}`,
      "vars|A|true|",
      `waiting|WAITING|false|${UNDEPLOYED}`,
    ]);
    expect(dev?.builds.map(({ resource, result }) => `${resource} ${result}`)).to.deep.equal(["branches succeeded"]);

    expect(run?.text).to.include("Restore the rest and deploy the program: `pulumi up --refresh --stack STACK`.");

    const puts = ["PUT /env-vars", "PUT /env-vars", "PUT /env-vars"];
    expect(written.toSorted()).to.deep.equal(["POST /rebuild", ...puts]);
    expect(engine.values(ids.a)).to.deep.equal({ A: "1", S: SECRET });
    expect(engine.values(ids.b)).to.deep.equal({ DROPPED: BY_HAND });
    expect(engine.values(ids.c)).to.deep.equal({ OTHER: "1", ORDERED: "1" });
    expect(engine.values(ids.e)).to.deep.equal({ SIBLING: BY_HAND, CHANGED: "1" });
    expect(engine.values(ids.moving.left)).to.deep.equal({ MOVED: BY_HAND });
    expect(engine.values(ids.moving.child)).to.deep.equal({ CHILD: "1" });
    expect(project.export()).to.include("::dropped").and.include("::gone").and.not.include("::fresh");
    expect(project.resource("keeping")).to.include({ protect: true, retainOnDelete: true });
    expect((await project.run("stack", "--show-name")).text).to.include("no stack selected");
  });

  // With the plugin, the stack above has this setting, too.
  it("writes to no other service than the last up did, restores with another token, and a refused restore stays drift", async () => {
    await using other = await startSandbox({ token: engine.sandbox.token });
    const id = engine.environment();
    const token = { "previewenv:apiToken": engine.sandbox.token };
    const env = { PREVIEWENV_BASE_URL: undefined, PREVIEWENV_API_TOKEN: undefined, PREVIEWENV_MAX_RETRIES: "0" };
    const project = await engine.project({ language: javascript("dynamic"), env });
    project.configure({ ...token, "previewenv:baseUrl": engine.sandbox.url });
    project.write({ resources: [one("vars", id, { A: "1" })] });
    await project.up();
    byHand(id, "A");

    project.configure({ ...token, "previewenv:baseUrl": other.url });
    const left = await drift(project, "--heal");
    expect(left.code, left.text).to.equal(2);
    expect(left.stacks[0]?.drift.map(({ restored, reason }) => [restored, reason])).to.deep.equal([
      [false, "`previewenv:baseUrl` is not that of the last `up`, or is a secret"],
    ]);
    expect(other.journal.since(0)).to.deep.equal([]);
    expect(engine.values(id)).to.deep.equal({ A: BY_HAND });

    project.env["PREVIEWENV_API_TOKEN"] = engine.sandbox.token;
    project.configure({ "previewenv:baseUrl": engine.sandbox.url });
    const healed = await drift(project, "--heal");
    expect(healed.code, healed.text).to.equal(0);
    expect(engine.values(id)).to.deep.equal({ A: "1" });

    byHand(id, "A");
    await refuses(project, { method: "PUT", status: 400, times: Infinity });
    expectUnfinished(await drift(project));
  });

  // One that is refused as a whole is above, with the dynamic provider.
  it("a restore that the plugin is refused in part stays drift until an up has done it", async () => {
    const id = engine.environment();
    const project = await engine.project({ env: { PREVIEWENV_MAX_RETRIES: "0" } });
    project.write({ resources: [one("vars", id, { A: "1", B: "1" })] });
    await project.up();
    byHand(id, "A");
    await refuses(project, { refuse: { A: "not now" } });
    expectUnfinished(await drift(project, "--heal"));
    await project.up("--refresh");
    expect(engine.values(id)).to.deep.equal({ A: "1", B: "1" });
  });

  async function refuses(project: Project, fault: FaultOptions): Promise<void> {
    engine.sandbox.faults.add(fault);
    const { code, text } = await drift(project, "--heal");
    expect(code, text).to.equal(1);
    engine.sandbox.faults.clear();
  }

  function expectUnfinished({ code, stacks, text }: Awaited<ReturnType<typeof drift>>): void {
    expect(code, text).to.equal(2);
    expect(stacks[0]?.drift.map(({ kind, detail }) => `${kind}: ${detail}`)).to.deep.equal([
      "changed: the last update did not finish, and until one does, nothing else shows",
    ]);
    expect(text).to.include("Finish the last update: `pulumi up --refresh --stack STACK`.");
  }
});
