import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describeIn, plugins, yaml } from "./harness/languages";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const PASSWORD = "correct horse battery";
const SEEDED = [
  { name: "SHOWN", value: "as it is", hidden: false, services: ["web"] },
  { name: "PASSWORD", value: PASSWORD, hidden: true },
  { name: "SINGLE", value: "also as it is", hidden: false },
];

/** Worth its 4 CLI calls: what is generated of an import, and what the next `up` makes of it, is the engine's doing. */
describeIn("yaml", "engine: import into a YAML program", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("by command: the generated program changes nothing, and writes a hidden variable once its value is declared", async () => {
    const project = await engine.project({ language: yaml() });
    const environmentId = engine.environment({ variables: SEEDED });
    const resources = [
      { type: "previewenv:index:EnvVarSet", name: "vars", id: `${environmentId}?names=PASSWORD,SHOWN` },
      { type: "previewenv:index:EnvVar", name: "single", id: `${environmentId}/SINGLE` },
      { type: "previewenv:index:EnvironmentBranches", name: "branches", id: environmentId },
      { type: "previewenv:index:EnvironmentState", name: "state", id: environmentId },
    ];
    writeFileSync(join(project.folder, "found.json"), JSON.stringify({ resources }));
    const { text } = await project.succeed(
      "import",
      "--file",
      "found.json",
      "--yes",
      "--skip-preview",
      "--protect=false",
    );
    expect(text)
      .to.match(/warning: .*hides the value of PASSWORD/u)
      .and.not.include(PASSWORD);
    const generated = text.slice(text.indexOf("\nresources:"));
    expect(generated)
      .to.match(/PASSWORD:\n +fn::secret: previewenv:existing:v1/u)
      .and.match(/scopes:\n +SHOWN:\n +- web/u);
    expect(generated)
      .to.match(/SHOWN: as it is/u)
      .and.match(/web: main/u)
      .and.match(/state: running/u);

    const write = (program: string): void =>
      writeFileSync(
        join(project.folder, "Pulumi.yaml"),
        `name: engine-specs\nruntime: yaml\nplugins: ${JSON.stringify(Object.values(plugins())[0])}\n${program}`,
      );
    write(generated);
    const untouched = await engine.requests(() => project.up());
    expect(Object.keys(untouched).filter((label) => !label.startsWith("GET "))).to.deep.equal([]);
    expect(project.runs.at(-1)?.text).to.match(/5 unchanged/u);

    write(generated.replace("previewenv:existing:v1", PASSWORD));
    expect(await engine.sent(() => project.up())).to.deep.equal([["PASSWORD"]]);
    await project.preview("--expect-no-changes");
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "as it is", SINGLE: "also as it is", PASSWORD });
    expect(project.export()).not.to.include(PASSWORD);
  });
});
