import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../provider/src/sandbox";
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

/** Environments by the letters that the programs below use. */
type Ids = Readonly<Record<"a" | "b" | "c" | "d" | "e" | "f" | "gone", string>>;

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

const deployed = (ids: Ids): Program => ({
  resources: [
    ...rebuilt(ids),
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
  const [a = "", b = "", c = "", d = "", e = "", f = "", gone = ""] = Array.from({ length: 7 }, () =>
    engine.environment(),
  );
  const ids = { a, b, c, d, e, f, gone };
  const settings = { options: { refresh: "always" } };
  const project = await engine.project({ settings, env: { PREVIEWENV_MAX_RETRIES: "0" } });
  project.write(deployed(ids));
  await project.up();
  delete project.env["PULUMI_STACK"];
  return { project, ids };
}

/** Worth its 15 CLI calls: what an update of some resources does to the others is the engine's doing. */
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
    expect(rows).to.deep.equal([
      `dropped|DROPPED|false|${UNDEPLOYED}`,
      `edited|EDITED|false|${UNDEPLOYED}`,
      "gone||false|its environment is gone",
      `ignoring|IGNORING|false|${UNDEPLOYED}`,
      `keeping|KEEPING|false|${UNDEPLOYED}`,
      "ordered|ORDERED|true|",
      `sibling|SIBLING|false|${UNDEPLOYED}`,
      "vars|A|true|",
      `waiting|WAITING|false|${UNDEPLOYED}`,
    ]);
    expect(dev?.builds.map(({ resource, result }) => `${resource} ${result}`)).to.deep.equal(["branches succeeded"]);

    expect(written.toSorted()).to.deep.equal(["POST /rebuild", "PUT /env-vars", "PUT /env-vars"]);
    expect(engine.values(ids.a)).to.deep.equal({ A: "1", S: SECRET });
    expect(engine.values(ids.b)).to.deep.equal({ DROPPED: BY_HAND });
    expect(engine.values(ids.c)).to.deep.equal({ OTHER: "1", ORDERED: "1" });
    expect(engine.values(ids.e)).to.deep.equal({ SIBLING: BY_HAND, CHANGED: "1" });
    expect(project.export()).to.include("::dropped").and.include("::gone").and.not.include("::fresh");
    expect(project.resource("keeping")).to.include({ protect: true, retainOnDelete: true });
    expect((await project.run("stack", "--show-name")).text).to.include("no stack selected");
  });

  it("leaves what a replacement did not delete, and restores what does not belong to it", async () => {
    const [a, b, c, d] = [engine.environment(), engine.environment(), engine.environment(), engine.environment()];
    const project = await engine.project({ env: { PREVIEWENV_MAX_RETRIES: "0" } });
    const program = (id: string): Program => ({
      resources: [
        one("base", a, { BASE: "1" }),
        one("moved", id, { MOVED: "1" }, ["base"]),
        one("child", d, { CHILD: "1" }, ["moved"]),
      ],
    });
    project.write(program(b));
    await project.up();
    const fault = engine.sandbox.faults.add({ method: "DELETE", status: 400, times: Infinity });
    project.write(program(c));
    await project.failedUp();
    fault.remove();
    byHand(a, "BASE");
    byHand(b, "MOVED");
    byHand(c, "MOVED");
    byHand(d, "CHILD");

    let run: Awaited<ReturnType<typeof drift>> | undefined;
    const written = await engine.written(async () => (run = await drift(project, "--heal")));
    expect(run?.code, run?.text).to.equal(2);
    const reason =
      'an earlier update replaced "moved" and did not delete what it replaced: an update would delete that now';
    expect(run?.stacks[0]?.drift.map((item) => [item.resource, item.restored, item.reason])).to.deep.equal([
      ["base", false, reason],
      ["child", true, undefined],
      ["moved", false, reason],
    ]);
    expect(run?.text).to.include("Restore the rest and deploy the program: `pulumi up --refresh`.");
    expect(written).to.deep.equal(["PUT /env-vars"]);
    expect(engine.values(b)).to.deep.equal({ MOVED: BY_HAND });
    expect(engine.values(d)).to.deep.equal({ CHILD: "1" });

    await project.up("--refresh");
    expect([a, b, c].map((id) => engine.values(id))).to.deep.equal([{ BASE: "1" }, {}, { MOVED: "1" }]);
  });

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: writes to no other service than the last up did, and restores with another token`, async () => {
      await using other = await startSandbox({ token: engine.sandbox.token });
      const id = engine.environment();
      const token = { "previewenv:apiToken": engine.sandbox.token };
      const env = { PREVIEWENV_BASE_URL: undefined, PREVIEWENV_API_TOKEN: undefined };
      const project = await engine.project({ language: javascript(host), env });
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
    });

  // Each is the host in which nothing else tells of it: the mark of the dynamic provider, and the engine's errors of the plugin.
  for (const { host, how, fault } of [
    { host: "dynamic", how: "as a whole", fault: { method: "PUT", status: 400, times: Infinity } },
    { host: "native", how: "in part", fault: { refuse: { A: "not now" } } },
  ] as const)
    it(`${host}: a restore that the service refuses ${how} stays drift until an up has done it`, async () => {
      const id = engine.environment();
      const project = await engine.project({ language: javascript(host), env: { PREVIEWENV_MAX_RETRIES: "0" } });
      project.write({ resources: [one("vars", id, { A: "1", B: "1" })] });
      await project.up();
      byHand(id, "A");
      engine.sandbox.faults.add(fault);
      const refused = await drift(project, "--heal");
      expect(refused.code, refused.text).to.equal(1);
      engine.sandbox.faults.clear();

      const again = await drift(project, "--heal");
      expect(again.code, again.text).to.equal(2);
      expect(again.stacks[0]?.drift.map(({ kind, detail }) => `${kind}: ${detail}`)).to.deep.equal([
        "changed: the last update did not finish, and until one does, nothing else shows",
      ]);
      expect(again.text).to.include("Finish the last update: `pulumi up --refresh`.");
      await project.up("--refresh");
      expect(engine.values(id)).to.deep.equal({ A: "1", B: "1" });
      const healed = await drift(project);
      expect(healed.code, healed.text).to.equal(0);
    });
});
