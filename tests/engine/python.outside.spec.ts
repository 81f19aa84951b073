import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describeIn, usePython } from "./harness/languages";
import { leaked } from "./harness/shown-text";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const [FIRST, SECOND] = ["correct horse battery", "tr0ub4dor and three"];

/** Worth its 8 CLI calls: how an SDK sends the inputs of a component is nowhere else seen. */
describeIn("python", "engine: PreviewEnvironment in a Python program", function () {
  this.timeout(ENGINE_TEST_MS);
  const python = usePython();
  const engine = useEngine();

  it("goes from a preview to destroy", async () => {
    const project = await engine.project({ language: python("python-component") });
    const environmentId = engine.environment({ name: "component" });
    const otherId = engine.environment();
    const builds = (): number => engine.sandbox.world.builds(environmentId).length;
    const write = (shown: string, password: string, name: string = "component"): void =>
      writeFileSync(join(project.folder, "values.json"), JSON.stringify({ name, otherId, shown, password }));
    write("one", FIRST);
    const { text } = await project.preview("--diff");
    expect(text)
      .to.contain(`environmentId: "${environmentId}"`)
      .and.match(/SHOWN *: "one"/u)
      .and.match(/REVISION *: \[unknown\]/u)
      .and.match(/PASSWORD *: \[secret\]/u);
    const before = builds();
    await project.up();
    expect(builds() - before).to.equal(1);
    expect(engine.values(environmentId)).to.include({ SHOWN: "one", PASSWORD: FIRST });
    const url = engine.sandbox.world.environments.get(environmentId)?.url;
    const outputs: unknown = JSON.parse((await project.succeed("stack", "output", "--json")).stdout);
    expect(outputs).to.deep.equal({ environmentId, url, branches: ["feature/one", "main"] });
    await project.preview("--expect-no-changes");

    write("two", SECOND);
    engine.sandbox.world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand" });
    expect((await project.drift()).code).to.equal(7);
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["SHOWN"], ["PASSWORD"]]);
    expect(engine.values(environmentId)).to.include({ SHOWN: "two", PASSWORD: SECOND });

    write("two", SECOND, "nowhere");
    const failed = await project.failedUp();
    expect(failed.text).to.contain('no environment matched name "nowhere"').and.contain("'shop'");
    expect(project.export()).not.to.include(SECOND);
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
    for (const run of project.runs) expect(leaked(run.text, [FIRST, SECOND]), run.args.join(" ")).to.deep.equal([]);
  });
});
