import { expect } from "chai";
import { javascript } from "../harness/languages";
import { branches, type Program, set } from "../harness/program";
import type { Project } from "../harness/project";
import { ENDLESS_SECONDS, ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { type Case, crashed, EVERYWHERE, isClean, titleOf, upWithBuild } from "./recovery";

const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];
const HAND_MADE = { name: "HAND_MADE", value: "not ours", hidden: true };
const NAMES = Array.from({ length: 50 }, (_, index) => `NAME_${index}`);

/** GET and three PUTs, then environment, history, PATCH, and looks at the build. */
const creates: readonly Case[] = [
  { position: 2, victim: "engine", moment: "after" },
  { position: 8, victim: "provider", moment: "after" },
];
/** Only with `npm run faults`: the native host has it at every boundary. */
const destroys: readonly Case[] = [{ position: 25, victim: "provider", moment: "before" }];

/** Worth its many CLI calls: what a killed process leaves in state is the engine's doing, and this host is Pulumi's own. */
describe("engine, faults: a set of 50 variables and branches over the dynamic host whose run was killed", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;
  let found: unknown;
  const values = Object.fromEntries(NAMES.map((name) => [name, `value of ${name}`]));

  const program = (): Program => ({
    resources: [
      set("vars", { environmentId, secrets: values }),
      branches("branches", {
        environmentId,
        branches: { web: "feature/one" },
        rebuildOn: [{ $output: ["vars", "revision"] }],
      }),
    ],
  });
  const foreign = (): unknown => engine.sandbox.world.variable(environmentId, HAND_MADE.name);

  beforeEach(async () => {
    environmentId = engine.environment({ variables: [HAND_MADE] });
    found = foreign();
    project = await engine.project({ language: javascript("dynamic"), env: { PREVIEWENV_BATCH_SIZE: "20" } });
    project.write(program());
  });

  for (const one of creates)
    it(`is whole after the next up, with one build: ${titleOf(one)}`, async () => {
      const { world } = engine.sandbox;
      const earlier = world.builds(environmentId).length;
      world.slowNextBuild(environmentId, ENDLESS_SECONDS);
      await crashed(engine, project, { ...one, environmentId }, UP);
      await upWithBuild(engine, project, environmentId);
      expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: HAND_MADE.value, ...values });
      expect(foreign()).to.deep.equal(found);
      expect(world.builds(environmentId).length - earlier).to.equal(1);
      await isClean(project);
    });

  for (const one of EVERYWHERE ? destroys : [])
    it(`is gone after the next destroy: ${titleOf(one)}`, async () => {
      await project.up();
      await crashed(engine, project, { ...one, environmentId }, DESTROY);
      await project.destroy();
      expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: HAND_MADE.value });
      expect(foreign()).to.deep.equal(found);
    });
});
