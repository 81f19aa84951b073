import { expect } from "chai";
import { describeIn, yaml } from "../harness/languages";
import { branches, type Program } from "../harness/program";
import type { Project } from "../harness/project";
import { ENDLESS_SECONDS, ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { casesOf, crashed, isClean, titleOf, upWithBuild } from "./recovery";

const UP = ["up", "--yes", "--skip-preview"];
const HAND_MADE = { name: "HAND_MADE", value: "not ours", hidden: true };
const PENDING = /pending operation/u;

/** Environment, history, PATCH; then environment and history again, for as long as the build takes. */
const REQUESTS = 7;
const ACTED_FROM = 2;

const createCases = casesOf(REQUESTS, [
  { position: 2, victim: "engine", moment: "before" },
  { position: 2, victim: "provider", moment: "after" },
  { position: 5, victim: "engine", moment: "after" },
]);
const updateCases = casesOf(REQUESTS, [
  { position: 2, victim: "engine", moment: "after" },
  { position: 5, victim: "provider", moment: "before" },
]);

/** Worth its many CLI calls: what a killed process leaves in state, and what the next run makes of it, is the engine's doing. */
describeIn(
  "yaml",
  "engine, faults: branches whose run was killed while a build was asked for or waited for",
  function () {
    this.timeout(ENGINE_TEST_MS);
    const engine = useEngine();
    let project: Project;
    let environmentId: string;

    const program = (branch: string): Program => ({
      resources: [branches("branches", { environmentId, branches: { web: branch } })],
    });
    const builds = (): number => engine.sandbox.world.builds(environmentId).length;
    const branchesNow = (): readonly string[] =>
      (engine.sandbox.world.environments.get(environmentId)?.projects ?? []).map(({ branch }) => branch);

    /** A run is killed while its build takes for ever; the next one waits for that build, or starts the only one. */
    const killAndRecover = async (one: (typeof createCases)[number], branch: string): Promise<string> => {
      const { world } = engine.sandbox;
      const earlier = builds();
      const found = world.variable(environmentId, HAND_MADE.name);
      project.write(program(branch));
      world.slowNextBuild(environmentId, ENDLESS_SECONDS);
      await crashed(engine, project, { ...one, environmentId }, UP);
      const { position, moment } = one;
      const asked = position > ACTED_FROM || (position === ACTED_FROM && moment === "after") ? 1 : 0;
      expect(builds() - earlier).to.equal(asked);
      const { text } = await upWithBuild(engine, project, environmentId);
      expect(builds() - earlier, "builds of both runs").to.equal(1);
      expect(branchesNow()).to.deep.equal([branch, "main"]);
      expect(project.resource("branches").outputs?.["build"]).to.include({
        id: world.builds(environmentId)[0]?.id,
        successfullyBuilt: true,
      });
      expect(world.variable(environmentId, HAND_MADE.name)).to.deep.equal(found);
      await isClean(project);
      return text;
    };

    beforeEach(async () => {
      environmentId = engine.environment({ variables: [HAND_MADE] });
      project = await engine.project({ language: yaml() });
    });

    for (const one of createCases)
      it(`a create is finished by the next up, with one build: ${titleOf(one)}`, async () => {
        const text = await killAndRecover(one, "feature/one");
        if (one.victim === "provider") {
          expect(text).not.to.match(PENDING);
          return;
        }
        // The engine only forgets the interrupted create when it is told to.
        expect(text).to.match(PENDING);
        await project.refresh("--clear-pending-creates");
        expect((await project.up()).text).not.to.match(PENDING);
      });

    for (const one of updateCases)
      it(`an update is finished by the next up, with one build: ${titleOf(one)}`, async () => {
        project.write(program("main"));
        await project.up();
        await killAndRecover(one, "feature/two");
      });
  },
);
