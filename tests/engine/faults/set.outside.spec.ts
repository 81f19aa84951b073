import { expect } from "chai";
import { describeIn, yaml } from "../harness/languages";
import { oneSet, type Program } from "../harness/program";
import type { Project } from "../harness/project";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { type Case, casesOf, crashed, isClean, titleOf } from "./recovery";

const SIZE = 50;
/** 50 variables in batches of 20 are 3 PUTs. */
const BATCH_SIZE = 20;
const HAND_MADE = { name: "HAND_MADE", value: "not ours", hidden: true };
const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];

/** GET, three PUTs. */
const CREATE_REQUESTS = 4;
/** 40 values change, 5 names come, 5 go: GET, three PUTs, five DELETEs. */
const UPDATE_REQUESTS = 9;

const createCases = casesOf(CREATE_REQUESTS, [
  { position: 0, victim: "engine", moment: "after" },
  { position: 1, victim: "provider", moment: "before" },
  { position: 2, victim: "engine", moment: "after" },
  { position: 3, victim: "provider", moment: "after" },
]);
const updateCases = casesOf(UPDATE_REQUESTS, [
  { position: 1, victim: "engine", moment: "after" },
  { position: 3, victim: "provider", moment: "after" },
  { position: 6, victim: "engine", moment: "before" },
]);
const destroyCases = casesOf(SIZE, [
  { position: 0, victim: "engine", moment: "before" },
  { position: SIZE / 2, victim: "provider", moment: "after" },
  { position: SIZE - 1, victim: "engine", moment: "after" },
]);

/** What is declared: half of it secret; an odd version has 5 names that an even one has not, and the other way round. */
function declared(version: number): { variables: Record<string, string>; secrets: Record<string, string> } {
  const values = Array.from({ length: SIZE }, (_, index) => {
    const moves = index % 10 === 0;
    const name = `${index % 2 === 0 ? "SHOWN" : "SECRET"}_${index}${moves && version % 2 === 1 ? "_ODD" : ""}`;
    return [name, index % 10 === 1 ? "always the same" : `value ${index} of version ${version}`] as const;
  });
  const those = (kind: string): Record<string, string> =>
    Object.fromEntries(values.filter(([name]) => name.startsWith(kind)));
  return { variables: those("SHOWN"), secrets: those("SECRET") };
}

/** Worth its many CLI calls: what a killed process leaves in state, and what the next run makes of it, is the engine's doing. */
describeIn("yaml", "engine, faults: a set of 50 variables whose run was killed", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;
  let version = 0;

  const program = (): Program => oneSet({ environmentId, ...declared(version) });
  const foreign = (): unknown => engine.sandbox.world.variable(environmentId, HAND_MADE.name);
  let found: unknown;
  const isAsDeclared = (): void => {
    const { variables, secrets } = declared(version);
    expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: HAND_MADE.value, ...variables, ...secrets });
    expect(foreign()).to.deep.equal(found);
  };

  before(async () => {
    environmentId = engine.environment({ variables: [HAND_MADE] });
    found = foreign();
    project = await engine.project({ language: yaml(), env: { PREVIEWENV_BATCH_SIZE: String(BATCH_SIZE) } });
  });

  describe("while it was created", () => {
    beforeEach(() => {
      version += 1;
      project.write(program());
    });
    afterEach(() => project.destroy());

    for (const one of createCases)
      it(`is whole after the next up: ${titleOf(one)}`, async () => {
        await crashed(engine, project, { ...one, environmentId }, UP);
        await project.up();
        isAsDeclared();
        await isClean(project);
      });
  });

  it("that a program declares otherwise meanwhile is a conflict that names what was written, and onConflict takes it over", async () => {
    version += 1;
    project.write(program());
    await crashed(engine, project, { position: 2, victim: "provider", moment: "before", environmentId }, UP);
    const written = Object.keys(engine.values(environmentId)).filter((name) => name !== HAND_MADE.name);
    expect(written).to.have.length(BATCH_SIZE);
    version += 2;
    project.write(program());
    const { text } = await project.failedUp();
    const [changed = ""] = written.filter((name) => declared(version).variables[name]?.startsWith("value"));
    expect(text).to.include("Nothing was written").and.include(changed);
    project.write(oneSet({ environmentId, ...declared(version), onConflict: "overwrite" }));
    await project.up();
    isAsDeclared();
    await project.destroy();
  });

  describe("while it was updated", () => {
    before(async () => {
      project.write(program());
      await project.up();
    });

    for (const one of updateCases)
      it(`is whole after the next up: ${titleOf(one)}`, async () => {
        version += 1;
        project.write(program());
        await crashed(engine, project, { ...one, environmentId }, UP);
        await project.up();
        isAsDeclared();
        await isClean(project);
      });
  });

  describe("while it was destroyed", () => {
    beforeEach(async () => {
      project.write(program());
      await project.up();
    });

    for (const one of destroyCases)
      it(`${isOdd(one) ? "is gone after the next destroy" : "is whole after up --refresh"}: ${titleOf(one)}`, async () => {
        await crashed(engine, project, { ...one, environmentId }, DESTROY);
        if (isOdd(one)) {
          await project.destroy();
          expect(engine.values(environmentId)).to.deep.equal({ HAND_MADE: HAND_MADE.value });
          expect(foreign()).to.deep.equal(found);
          return;
        }
        await project.up("--refresh");
        isAsDeclared();
        await isClean(project);
      });
  });
});

/** So that both ways on are tried. */
function isOdd({ position }: Case): boolean {
  return position % 2 === 1;
}
