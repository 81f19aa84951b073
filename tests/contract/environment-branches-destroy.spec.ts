import { expect } from "chai";
import { errorsOf, quiet } from "../support/stack";
import { branchChanges, branches, contract, type Scenario, type Stage } from "../support/stage";

type Branches = Readonly<Record<string, string>>;

/** Destroying, with what is declared about it. */
const destroying: readonly Scenario[] = [
  {
    title:
      "onDestroy restore puts back the declared repositories only, as they were at create, with the others as they are then",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = (web: string) => branches(environmentId, { branches: { web }, onDestroy: "restore" });
      await engine.up(program("a"));
      await engine.refresh();
      await engine.up(program("b"));
      world.switchBranch(environmentId, "api", "by-hand");
      await engine.destroy();
      expect(branchChanges(stage).at(-1)).to.deep.equal({ web: "main", api: "by-hand" });
    },
  },
  ...[false, true].map((refresh): Scenario => ({
    title: `onDestroy restore of a repository that somebody has switched ${refresh ? "before a refresh: it is restored" : "since: it keeps that branch, and a warning says so"}`,
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, log, world } = stage;
      await engine.up(branches(environmentId, { branches: { web: "a", api: "a" }, onDestroy: "restore" }));
      world.switchBranch(environmentId, "web", "hotfix");
      if (refresh) await engine.refresh();
      await engine.destroy();
      expect(branchChanges(stage).at(-1)).to.deep.equal({ web: refresh ? "main" : "hotfix", api: "main" });
      const warnings = log.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
      expect(warnings.join()).to.match(
        refresh
          ? /^$/u
          : /stay, .*last refresh, or the last `pulumi up` that changed this resource.*web@hotfix.*original ones: web@(?:main|\[secret\])/u,
      );
    },
  })),
  {
    title:
      "onDestroy restore of a resource that goes when another one has switched its branch calls that no foreign switch",
    async run({ engine, environmentId, log }) {
      await engine.up(branches(environmentId, { branches: { web: "a" }, onDestroy: "restore" }));
      const { deployed: renamed } = branches(environmentId, { branches: { web: "b" }, onDestroy: "restore" });
      await engine.up({ renamed });
      expect(log.lines.map(({ text }) => text).join())
        .to.contain("another resource declares")
        .and.not.to.contain("were switched");
    },
  },
  ...[
    { replace: ["deployed"] },
    { targetReplace: ["deployed"] },
    { targetReplace: ["deployed"], refresh: true },
    { replace: ["deployed"], deletesFirst: true },
  ].map(({ deletesFirst = false, ...how }): Scenario => ({
    title: `a forced replacement loses the original branches, and one warning names them (${Object.keys(how).join()}${deletesFirst ? ", deleteBeforeReplace" : ""})`,
    async run(stage) {
      const { engine, environmentId, log, world } = stage;
      const program = (web: string) => {
        const { deployed } = branches(environmentId, { branches: { web, api: "main" }, onDestroy: "restore" });
        return { deployed: { ...deployed, ...(deletesFirst && { deletesFirst }) } };
      };
      await engine.up(program("a"));
      expect(await engine.up(program("a"), how)).to.deep.include({ operations: { deployed: "replace" } });
      const warnings = log.lines.filter(({ severity }) => severity === "warning");
      expect(warnings).to.have.length(1);
      expect(warnings[0]?.text).to.contain("web@main").and.not.to.contain("api");
      expect(branchChanges(stage)).to.deep.equal([{ web: "a", api: "main" }]);
      expect(world.builds(environmentId)).to.have.length(2);
      expect(engine.kept("deployed").outputs["originalBranches"]).to.deep.equal({ web: "a", api: "main" });
    },
  })),
  {
    title:
      "onDestroy restore puts back repositories that joined the environment after the create, as they were when first declared",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, log } = stage;
      const program = (declared: Branches) => branches(environmentId, { branches: declared, onDestroy: "restore" });
      await engine.up(program({ web: "a" }));
      hasRepositories(stage, { web: "a", api: "main", docs: "main", blog: "main" });
      await engine.up(program({ web: "a", docs: "b" }), { refresh: true });
      const { originalBranches } = engine.kept("deployed").outputs;
      expect(originalBranches).to.deep.equal({ web: "main", api: "main", docs: "main" });
      await engine.up(program({ web: "a", docs: "b", blog: "main" }));
      await quiet(engine.up(program({ web: "a", docs: "b", blog: "main" }), { refresh: true }));
      await engine.up(program({ web: "a", docs: "b", blog: "c" }));
      await engine.destroy();
      expect(branchChanges(stage).at(-1)).to.deep.equal({ web: "main", api: "main", docs: "main", blog: "main" });
      expect(log.lines.filter(({ severity }) => severity === "warning")).to.deep.equal([]);
    },
  },
  ...([undefined, "a", "b"] as const).flatMap((followed) =>
    [false, true].map((refresh): Scenario => ({
      title: `onDestroy restore of a repository that was renamed${followed ? `, and declared under its new name at ${followed}` : ""}${refresh ? ", with a refresh" : ""}: it keeps its branch, and a warning says so`,
      async run(stage) {
        const { engine, environmentId, log } = stage;
        const program = (declared: Branches) => branches(environmentId, { branches: declared, onDestroy: "restore" });
        await engine.up(program({ web: "a" }));
        hasRepositories(stage, { website: "a", api: "main" });
        if (followed !== undefined) await engine.up(program({ website: followed }), { refresh });
        else if (refresh) await engine.refresh();
        const changes = branchChanges(stage).length;
        await engine.destroy();
        expect(engine.state.size).to.equal(0);
        expect(branchChanges(stage)).to.have.length(changes);
        const warnings = log.lines.flatMap(({ severity, text }) => (severity === "warning" ? [text] : []));
        expect(warnings.join("\n")).to.match(/environment shop .*: web@main/u);
        if (followed !== undefined) expect(warnings.join("\n")).to.contain(`: website@${followed}`);
      },
    })),
  ),
  ...[{}, { api: "b" }].map((earlier): Scenario => ({
    title: `onDestroy restore is silent about a repository that left and is not declared${"api" in earlier ? " any more" : ""}`,
    async run(stage) {
      const { engine, environmentId, log } = stage;
      const program = (declared: Branches) => branches(environmentId, { branches: declared, onDestroy: "restore" });
      await engine.up(program({ web: "a", ...earlier }));
      await engine.up(program({ web: "a" }));
      hasRepositories(stage, { web: "a" });
      await engine.destroy();
      expect(branchChanges(stage).at(-1)).to.deep.equal({ web: "main" });
      expect(log.lines.filter(({ severity }) => severity === "warning")).to.deep.equal([]);
    },
  })),
  {
    title: "onDestroy restore never takes a branch from this resource for an original one",
    async run(stage) {
      const { engine, environmentId, log } = stage;
      const program = (declared: Branches) => branches(environmentId, { branches: declared, onDestroy: "restore" });
      await engine.up(program({ web: "a" }));
      hasRepositories(stage, { website: "a", api: "main" });
      await engine.up(program({ website: "a" }));
      hasRepositories(stage, { web: "main", website: "a", api: "main" });
      await engine.up(program({ website: "b" }));
      await engine.destroy();
      expect(branchChanges(stage).at(-1)).to.deep.equal({ web: "main", website: "b", api: "main" });
      expect(await log.until(/branches stay, .*: website@b/u)).to.include({ severity: "warning" });
    },
  },
  {
    title:
      "onDestroy restore where two repositories have one name by now: an error before any request, and its way out works",
    async run({ engine, environmentId, requests, world }) {
      const more = { rebuildOn: [], onDestroy: "restore" };
      await engine.up(branches(environmentId, { branches: { web: "a" }, ...more }));
      world.remove(environmentId);
      const projects = ["acme", "partner"].map((orgName) => ({ orgName, repoName: "web", branch: "a" }));
      world.environments.add({ id: environmentId, name: "shop", projects });
      requests();
      expect(await errorsOf(engine.destroy())).to.match(
        /cannot restore the branches of environment shop \(.*\): it has .*\/web and partner\/web, .*replace `branches` by/u,
      );
      expect(requests()).to.deep.equal(["GET /environment"]);
      await engine.up(branches(environmentId, more));
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
      expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal([]);
    },
  },
  {
    title: "onDestroy restore that the service refuses names the way out, which works",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      const program = (onDestroy: string) => branches(environmentId, { branches: { web: "a" }, onDestroy });
      await engine.up(program("restore"));
      const body = { errors: [{ status: 400, title: "Branch main was not found" }] };
      sandbox.faults.add({ label: "PATCH /environment", status: 400, body });
      expect(await errorsOf(engine.destroy()))
        .to.contain("Branch main was not found")
        .and.to.match(/web@main.*`onDestroy: "retain"`, run `pulumi up`, then run `pulumi destroy` again/u);
      expect(engine.state.size).to.equal(1);
      await engine.up(program("retain"));
      await engine.destroy();
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("a");
    },
  },
  {
    title: "onDestroy restore of an environment that is gone is success, where the list of environments is answered",
    fresh: true,
    async run({ engine, environmentId, world, requests }) {
      await engine.up(branches(environmentId, { branches: { web: "a" }, onDestroy: "restore" }));
      world.remove(environmentId);
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal(["GET /environment", "GET /environments"]);
    },
  },
  {
    title: "onDestroy restore of a deleted environment reads no builds, because it may have no history",
    buildSeconds: 300,
    choices: { branchesShown: "afterBuild" },
    async run({ engine, environmentId, world, sandbox, requests }) {
      await engine.up(branches(environmentId, { branches: { web: "a" }, onDestroy: "restore", waitForBuild: false }));
      world.setFlags(environmentId, { deleted: true });
      sandbox.faults.add({ label: "GET /build-history", status: 404, times: Infinity });
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal(["GET /environment"]);
    },
  },
  ...(
    [
      ["is deleted", /are not restored/u, 0],
      ["is retired", /is retired, so its original branches are not restored: web@main$/u, 0],
      ["refuses them", /cannot be restored/u, 1],
      [
        "has two repositories of one name",
        /has .*\/web and partner\/web, so its original branches are not restored/u,
        0,
      ],
    ] as const
  ).map(([why, text, hits]): Scenario => ({
    title: `onDestroy restore: an up to another environment warns where the old one ${why}, and leaves nothing behind`,
    async run({ engine, environmentId, world, sandbox, log, addEnvironment }) {
      const inputs = { branches: { web: "a" }, onDestroy: "restore" };
      await engine.up(branches(environmentId, inputs));
      if (why === "is deleted" || why === "is retired") world.setFlags(environmentId, { [why.slice(3)]: true });
      if (why === "has two repositories of one name") {
        world.remove(environmentId);
        const projects = ["acme", "partner"].map((orgName) => ({ orgName, repoName: "web", branch: "a" }));
        world.environments.add({ id: environmentId, name: "shop", projects });
      }
      const id = addEnvironment({ projects: [{ repoName: "web", branch: "a" }] });
      const refused = { status: 400, body: { errors: [{ title: "No such branch" }] } };
      const fault = sandbox.faults.add({ ...refused, label: "PATCH /environment" });
      await engine.up(branches(id, inputs));
      expect(await log.until(text)).to.include({ severity: "warning" });
      expect(fault.hits).to.equal(hits);
      fault.remove();
      await quiet(engine.up(branches(id, inputs), { refresh: true }));
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
    },
  })),
  ...(["stopped", "retired", "deleted"] as const).flatMap((flag) =>
    (["fail", "skip", "wake"] as const).map((whenStopped): Scenario => ({
      title: `onDestroy restore of an environment that is ${flag}, with ${whenStopped}: ${whenStopped === "fail" ? "an error" : "a warning"} that says so, and no change, unless it has its branches already`,
      async run({ engine, environmentId, world, requests, log }) {
        const inputs = { branches: { web: "a" }, onDestroy: "restore" };
        await engine.up(branches(environmentId, { ...inputs, whenStopped }));
        world.setFlags(environmentId, { [flag]: true });
        requests();
        if (whenStopped === "fail") {
          expect(await errorsOf(engine.destroy())).to.match(
            new RegExp(`cannot restore .* it is ${flag}.*run \`pulumi up\`, then run \`pulumi destroy\` again`, "u"),
          );
          world.switchBranch(environmentId, "web", "main", { build: false });
        }
        await engine.destroy();
        if (whenStopped !== "fail")
          expect(await log.until(/branches are not restored/u)).to.include({ severity: "warning" });
        expect(new Set(requests())).to.deep.equal(new Set(["GET /environment"]));
      },
    })),
  ),
];

/** Another environment with the same id and these branches takes its place. */
function hasRepositories({ environmentId, world }: Stage, declared: Branches): void {
  world.remove(environmentId);
  const projects = Object.entries(declared).map(([repoName, branch]) => ({ repoName, branch }));
  world.environments.add({ id: environmentId, name: "shop", projects });
}

contract("EnvironmentBranches, destroy and refresh", destroying);
