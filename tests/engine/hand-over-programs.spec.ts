import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

type Kind = "dynamic" | "native";
const KINDS: readonly Kind[] = ["dynamic", "native"];

const HEADER = (kind: Kind): string => `
const previewenv = require("${kind === "native" ? "pulumi-previewenv/native" : "pulumi-previewenv"}");
`;

/** X and S belong to the first set of each environment, or, once they have moved, to the second, with a value of this kind. */
const fleet = (
  kind: Kind,
  ids: readonly string[],
  environmentId: string,
  moved?: "old" | "new",
): string => `${HEADER(kind)}
for (const id of ${JSON.stringify(ids)}) {
  const environmentId = ${environmentId};
  new previewenv.EnvVarSet("giver-" + id, { environmentId, variables: { G: "g"${moved ? "" : ', X: "old"'} }, secrets: {${moved ? "" : ' S: "secret-old-1234"'} } });
  new previewenv.EnvVarSet("taker-" + id, { environmentId, variables: { T: "t"${moved ? `, X: "${moved}"` : ""} }, secrets: {${moved ? ` S: "secret-${moved}-1234"` : ""} } });
}
`;

/** Worth its 45 CLI calls: which resource the engine shows when, and what it does besides create, update and delete, is its own choice. */
describe("engine: programs in which variables move", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  const write = (project: Project, text: string): void => writeFileSync(join(project.folder, "index.js"), text);
  const valuesOf = (ids: readonly string[], name: string): readonly (string | undefined)[] => [
    ...new Set(ids.map((id) => engine.values(id)[name])),
  ];

  /** Notes names that are missing when a request comes. */
  function watch(ids: readonly string[]): ReadonlySet<string> {
    const missing = new Set<string>();
    engine.sandbox.faults.add({
      match: () => {
        for (const id of ids) for (const name of ["X", "S"]) if (!(name in engine.values(id))) missing.add(name);
        return false;
      },
    });
    return missing;
  }

  /** With one worker, the engine may show the old owner too late: then the error says which `up` moves the variable (docs/limits.md). */
  async function upOneByOne(project: Project): Promise<void> {
    try {
      await project.up("--parallel", "1");
    } catch (error) {
      expect(String(error))
        .to.include("already has a variable with another value")
        .and.include("`pulumi up --refresh`");
      await project.up("--refresh");
    }
  }

  afterEach(() => engine.sandbox.faults.clear());

  for (const kind of KINDS) {
    for (const [count, title, environmentId, value, move] of [
      [
        // More takers than the engine has workers: each must find its giver shown (`turnOf` in waiting-sets.ts).
        40,
        "ids that are looked up, new values: one up",
        "previewenv.getEnvironmentOutput({ id }).id",
        "new",
        async (project: Project): Promise<void> => void (await project.up()),
      ],
      [8, "plain ids, new values, --parallel 1: an up, or its advice,", "id", "new", upOneByOne],
    ] as const)
      it(`${count} environments, ${title} sends no DELETE, and the next preview is empty (${kind})`, async () => {
        const project = await engine.project({ language: javascript(kind) });
        const ids = Array.from({ length: count }, () => engine.environment());
        write(project, fleet(kind, ids, environmentId));
        await project.up();
        write(project, fleet(kind, ids, environmentId, value));
        const missing = watch(ids);
        const requests = await engine.requests(() => move(project));
        expect(requests).not.to.have.property("DELETE /env-vars");
        expect([...missing]).to.deep.equal([]);
        expect([valuesOf(ids, "X"), valuesOf(ids, "S")]).to.deep.equal([[value], [`secret-${value}-1234`]]);
        await project.preview("--expect-no-changes");
        const [first = ""] = ids;
        await project.destroy("--target", project.resource(`giver-${first}`).urn);
        expect(engine.values(first)).to.deep.equal({ T: "t", X: value, S: `secret-${value}-1234` });
      });

    it(`8 environments, every PUT answers 400: nothing is missing, and two up converge (${kind})`, async () => {
      const project = await engine.project({ language: javascript(kind) });
      const ids = Array.from({ length: 8 }, () => engine.environment());
      write(project, fleet(kind, ids, "id"));
      await project.up();
      write(project, fleet(kind, ids, "id", "new"));
      const missing = watch(ids);
      const trouble = engine.sandbox.faults.add({ label: "PUT /env-vars", status: 400, times: Infinity });
      await project.failedUp();
      expect([valuesOf(ids, "X"), valuesOf(ids, "S")]).to.deep.equal([["old"], ["secret-old-1234"]]);
      trouble.remove();
      await project.up();
      await project.up("--expect-no-changes");
      expect([...missing]).to.deep.equal([]);
      expect([valuesOf(ids, "X"), valuesOf(ids, "S")]).to.deep.equal([["new"], ["secret-new-1234"]]);
    });

    it(`deleteBeforeReplace within one environment, and the create is refused: the next up converges (${kind})`, async () => {
      const project = await engine.project({ language: javascript(kind) });
      const id = engine.environment();
      const text = (trigger: string): string => `${HEADER(kind)}
new previewenv.EnvVarSet("vars", { environmentId: "${id}", variables: { A: "1" }, secrets: { S: "secret-1234" }, triggers: { t: "${trigger}" } },
  { deleteBeforeReplace: true, replaceOnChanges: ["triggers"] });`;
      write(project, text("1"));
      await project.up();
      write(project, text("2"));
      engine.sandbox.faults.add({ label: "PUT /env-vars", status: 400 });
      await project.failedUp();
      await project.up();
      await project.up("--expect-no-changes");
      expect(engine.values(id)).to.deep.equal({ A: "1", S: "secret-1234" });
      await project.destroy();
      expect(engine.values(id)).to.deep.equal({});
    });

    it(`a name that moves between resources of two Providers is not deleted (${kind})`, async () => {
      const project = await engine.project({ language: javascript(kind) });
      const id = engine.environment();
      const text = (moved: boolean): string => `${HEADER(kind)}
const second = new previewenv.Provider("second", {});
new previewenv.EnvVarSet("giver", { environmentId: "${id}", variables: { G: "g"${moved ? "" : ', X: "x"'} } });
new previewenv.EnvVarSet("taker", { environmentId: "${id}", variables: { T: "t"${moved ? ', X: "x"' : ""} } }, { provider: second });`;
      write(project, text(false));
      await project.up();
      write(project, text(true));
      const missing = watch([]);
      expect(await engine.requests(() => project.up())).not.to.have.property("DELETE /env-vars");
      expect([...missing]).to.deep.equal([]);
      expect(engine.values(id)).to.deep.equal({ G: "g", T: "t", X: "x" });
      await project.up("--expect-no-changes");
    });
  }

  it("a name that moves between resources of the two hosts is not deleted", async () => {
    const project = await engine.project({ language: javascript("native") });
    const id = engine.environment();
    const text = (moved: boolean): string => `
const dynamic = require("pulumi-previewenv");
const native = require("pulumi-previewenv/native");
new dynamic.EnvVarSet("giver", { environmentId: "${id}", variables: { G: "g"${moved ? "" : ', X: "x"'} } });
new native.EnvVarSet("taker", { environmentId: "${id}", variables: { T: "t"${moved ? ', X: "x"' : ""} } });`;
    write(project, text(false));
    await project.up();
    write(project, text(true));
    expect(await engine.requests(() => project.up())).not.to.have.property("DELETE /env-vars");
    expect(engine.values(id)).to.deep.equal({ G: "g", T: "t", X: "x" });
  });

  it("the option import on a set deletes nothing of what the program does not declare (native)", async () => {
    const id = engine.environment({
      variables: [
        { name: "MINE", value: "1", hidden: false },
        { name: "THEIRS", value: "2", hidden: false },
        { name: "SECRET", value: "secret-1234", hidden: true },
      ],
    });
    const project = await engine.project({ language: javascript("native") });
    write(
      project,
      `${HEADER("native")}
new previewenv.EnvVarSet("vars", { environmentId: "${id}", variables: { MINE: "1" } }, { import: "${id}" });`,
    );
    expect(await engine.requests(() => project.up())).not.to.have.property("DELETE /env-vars");
    expect(engine.values(id)).to.deep.equal({ MINE: "1", THEIRS: "2", SECRET: "secret-1234" });
    await project.up("--expect-no-changes");
    await project.destroy();
    expect(engine.values(id)).to.deep.equal({ THEIRS: "2", SECRET: "secret-1234" });
  });
});
