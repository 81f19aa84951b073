import { expect } from "chai";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SEED } from "../../provider/src/sandbox";
import { isolated, type Run, start } from "./harness/cli";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const ROOT = resolve(__dirname, "..", "..");
const ID = SEED.shopPullRequest;
const DATABASE_URL = "postgres://preview:tiger-4711@db.example/shop";

/** Worth its dozen CLI calls: teams copy these commands into their CI as they stand. */
describe("engine: examples/pull-request", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let temporary: string;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  before(() => {
    temporary = mkdtempSync(join(tmpdir(), "previewenv-engine-"));
    folder = join(temporary, "preview");
    for (const name of ["home", "backend"]) mkdirSync(join(temporary, name));
    // Stack files and installed packages are the developer's own, not part of the example.
    const isOwn = (file: string): boolean => !/node_modules|Pulumi\..+\.yaml$/u.test(file.slice(ROOT.length));
    cpSync(join(ROOT, "examples", "pull-request"), folder, { recursive: true, filter: isOwn });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    env = {
      ...isolated(join(temporary, "home"), join(temporary, "backend")),
      PREVIEWENV_BASE_URL: engine.sandbox.url,
      PREVIEWENV_API_TOKEN: engine.sandbox.token,
      PULL_REQUEST: "42",
      BRANCH: "feature/checkout",
      DATABASE_URL,
    };
  });
  after(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));

  const preview = async (direction: "up" | "down"): Promise<Run> => {
    const run = await start({ folder, env }, "bash", ["./preview.sh", direction]).done;
    expect(run.code, run.text).to.equal(0);
    expect(run.text).not.to.include(DATABASE_URL);
    return run;
  };
  const branch = (): string | undefined => engine.sandbox.world.environments.get(ID)?.projects[0]?.branch;

  it("opened: the variables are there, and the branch is deployed", async () => {
    await preview("up");
    expect(engine.values(ID)).to.include({ DATABASE_URL, LOG_LEVEL: "debug", NODE_ENV: "production" });
    expect(branch()).to.equal("feature/checkout");
  });

  it("synchronised without a change: nothing is written and nothing is built", async () => {
    const counts = await engine.requests(() => preview("up"));
    expect(Object.keys(counts).filter((label) => !label.startsWith("GET "))).to.deep.equal([]);
  });

  it("synchronised after a change by hand: it is put back", async () => {
    engine.sandbox.world.deleteVariable(ID, "LOG_LEVEL");
    expect(await engine.sent(() => preview("up"))).to.deep.equal([["LOG_LEVEL"]]);
  });

  it("closed: the variables go, those of others stay", async () => {
    await preview("down");
    expect(engine.values(ID)).to.include({ NODE_ENV: "production" }).and.not.have.any.keys("DATABASE_URL", "LOG_LEVEL");
  });

  it("closed twice: ends well", async () => {
    expect(await engine.requests(() => preview("down"))).to.deep.equal({});
  });

  for (const end of ["deleted", "removed"] as const)
    it(`closed when the environment is ${end} already: ends well`, async () => {
      const { world } = engine.sandbox;
      env["PULL_REQUEST"] = end === "deleted" ? "42" : "43";
      const { id } =
        end === "deleted"
          ? { id: ID }
          : world.environments.add({
              name: "other",
              projects: [{ repoName: "web", branch: "main", pullRequestNumber: 43 }],
            });
      await preview("up");
      if (end === "deleted") world.setFlags(id, { deleted: true });
      else world.remove(id);
      await preview("down");
    });
});
