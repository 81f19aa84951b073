import { expect } from "chai";
import { describeIn, yaml } from "../harness/languages";
import { branches, type Program, set } from "../harness/program";
import type { Project } from "../harness/project";
import { ENDLESS_SECONDS, ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { type Case, crashed, EVERYWHERE, titleOf, upWithBuild } from "./recovery";

const UP = ["up", "--yes", "--skip-preview"];
const HAND_MADE = { name: "HAND_MADE", value: "not ours", hidden: true };

/** A kill of the engine, and what has become of the build meanwhile. */
interface Kill extends Case {
  readonly label: string;
  readonly isBuilt?: true;
}

const kill = (label: string, position: number, moment: Case["moment"], isBuilt?: true): Kill => ({
  victim: "engine",
  label,
  position,
  moment,
  ...(isBuilt && { isBuilt }),
});

/** The single variable, the set, the branches, and the first look at the build. */
const BOUNDARIES = [
  ["PUT /env-vars", 0],
  ["PUT /env-vars", 1],
  ["PATCH /environment", 0],
  ["GET /build-history", 1],
] as const;

const everywhere: readonly Kill[] = BOUNDARIES.flatMap(([label, position]) => [
  kill(label, position, "before"),
  kill(label, position, "after"),
]).concat(kill("GET /build-history", 1, "after", true));

const creates = EVERYWHERE ? everywhere : [kill("GET /build-history", 1, "after", true)];
const updates = EVERYWHERE ? everywhere : [kill("PATCH /environment", 0, "after")];

const nameOf = (one: Kill): string => `${titleOf(one)}${one.isBuilt === true ? ", and its build has ended" : ""}`;

/** What is declared in each version: a shown value, a hidden one, and a name that only this version has. */
const variablesOf = (version: number): Readonly<Record<string, string>> => ({
  SHOWN: `shown ${version}`,
  [`ONLY_${version}`]: "here",
});
const secretsOf = (version: number): Readonly<Record<string, string>> => ({ PASSWORD: `correct horse ${version}` });

/** Worth its CLI calls: what the engine keeps in state without checkpoints, and makes of it in the next run, is its own doing. */
describeIn("yaml", "engine, faults: a run without checkpoints that was killed", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;

  // One after the other, so that each boundary is the same one in every run.
  const program = (version: number): Program => ({
    resources: [
      { type: "EnvVar", name: "single", args: { environmentId, name: "SINGLE", value: `single ${version}` } },
      set(
        "vars",
        { environmentId, variables: variablesOf(version), secrets: secretsOf(version) },
        { dependsOn: ["single"] },
      ),
      {
        ...branches("branches", { environmentId, branches: { web: `v${version}` } }),
        options: { dependsOn: ["vars"] },
      },
    ],
  });
  const builds = (): number => engine.sandbox.world.builds(environmentId).length;

  beforeEach(async () => {
    environmentId = engine.environment({ variables: [HAND_MADE] });
    project = await engine.project({ language: yaml(), env: { PULUMI_SKIP_CHECKPOINTS: "true" } });
  });

  /** A run is killed; the same command brings everything to what is declared, with one build in all, and then has nothing to do. */
  const killAndRepeat = async (one: Kill, version: number): Promise<void> => {
    const { world } = engine.sandbox;
    const earlier = builds();
    const stateBefore = project.export();
    project.write(program(version));
    world.slowNextBuild(environmentId, ENDLESS_SECONDS);
    await crashed(engine, project, { ...one, environmentId }, UP);
    expect(project.export(), "nothing of the killed run is in state").to.equal(stateBefore);
    if (one.isBuilt === true) world.finishBuilds(environmentId);
    const { text } = await upWithBuild(engine, project, environmentId);
    expect(text).not.to.match(/pending operation/u);
    expect(builds() - earlier, "builds of both runs").to.equal(1);
    expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal(`v${version}`);
    expect(engine.values(environmentId)).to.deep.equal({
      HAND_MADE: HAND_MADE.value,
      SINGLE: `single ${version}`,
      ...variablesOf(version),
      ...secretsOf(version),
    });
    await project.up("--refresh", "--expect-no-changes");
  };

  for (const one of creates)
    it(`a create is done by the next up, with one build: ${nameOf(one)}`, () => killAndRepeat(one, 1));

  for (const one of updates)
    it(`an update is done by the next up, with one build: ${nameOf(one)}`, async () => {
      project.write(program(1));
      await project.up();
      await killAndRepeat(one, 2);
    });
});
