import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lte } from "semver";
import { HOSTS, readFrozen, states } from "./fixtures/states";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

const stored = HOSTS.flatMap((host) =>
  Object.keys(readFrozen()).flatMap((file) => (file.endsWith(`/${host}.json`) ? [{ host, file }] : [])),
);

for (const { host, file } of stored) {
  const [version = ""] = file.split("/");
  // The program of a state is that of its own version, or of the last one before it that has one.
  const { FIXTURE_ID, kept, program, secrets, singles, variables, world } =
    states.findLast((one) => lte(one.version, version)) ?? states[0];

  /** Worth its CLI calls: state that a release wrote must work with every later one, and only the engine reads it as users' engines do. */
  describe(`engine, ${host}: state that version ${version} wrote`, function () {
    const engine = useEngine(this, world(true));
    let project: Project;

    before(async () => {
      project = await engine.project({ language: javascript(host) });
      project.write(program);
      project.restore(readFileSync(join(__dirname, "fixtures", file), "utf8"));
    });

    it("is previewed without a change and without a request, whichever resource it is of", async () => {
      expect(await engine.requests(() => project.preview("--expect-no-changes", "--diff"))).to.deep.equal({});
    });

    // What is done with state is the same code in the other host.
    if (host === "native") return;

    it("shows no drift when the service is as it was then", async () => {
      const run = await project.drift();
      expect(run.code, run.text).to.equal(0);
    });

    it("shows exactly what was changed since, and up --refresh writes just that", async () => {
      engine.sandbox.world.setVariable(FIXTURE_ID, { name: "PASSWORD", value: "changed by hand" });
      expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["PASSWORD"]]);
      expect(engine.values(FIXTURE_ID)).to.deep.equal({ ...variables, ...secrets, ...singles, ...kept });
    });

    it("is destroyed: its variables go, those of the service stay, and the branches found at create come back", async () => {
      await project.destroy();
      expect(engine.values(FIXTURE_ID)).to.deep.equal(kept);
      const projects = engine.sandbox.world.environments.get(FIXTURE_ID)?.projects;
      expect(projects?.map(({ branch }) => branch)).to.deep.equal(["main", "main"]);
    });
  });
}
