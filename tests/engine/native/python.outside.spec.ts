import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describeIn } from "../harness/languages";
import { leaked } from "../harness/leaks";
import { usePython } from "../harness/python";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";

const [FIRST, SECOND] = ["correct horse battery", "tr0ub4dor and three"];

/** Worth its 7 CLI calls: the generated SDK is nowhere else run. */
describeIn("python", "engine, native: a Python program", function () {
  this.timeout(ENGINE_TEST_MS);
  const python = usePython();
  const engine = useEngine();

  it("goes from up to destroy with the generated SDK", async () => {
    const project = await engine.project({ language: python("python") });
    const environmentId = engine.environment();
    const write = (shown: string, password: string): void =>
      writeFileSync(join(project.folder, "values.json"), JSON.stringify({ environmentId, shown, password }));
    write("one", FIRST);
    await project.up();
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "one", PASSWORD: FIRST });
    const { stdout } = await project.succeed("stack", "output", "--json");
    const projects = engine.sandbox.world.environments.get(environmentId)?.projects ?? [];
    expect(JSON.parse(stdout)).to.deep.equal({
      url: "https://env-1.preview.example",
      commits: projects.map(({ commitHash }) => commitHash),
      secrets: "[secret]",
    });
    await project.preview("--expect-no-changes");

    write("two", SECOND);
    engine.sandbox.world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand" });
    const { code, text } = await project.drift();
    expect(code, text).to.equal(7);
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["PASSWORD", "SHOWN"]]);
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "two", PASSWORD: SECOND });
    expect(project.export()).not.to.include(SECOND);
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
    for (const run of project.runs) expect(leaked(run.text, [FIRST, SECOND]), run.args.join(" ")).to.deep.equal([]);
  });
});
