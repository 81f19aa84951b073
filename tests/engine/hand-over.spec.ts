import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** As many as the engine has on most machines. */
const WORKERS = "16";
/** More than there are workers: each of so many takers must find its giver shown (`turnOf` in waiting-sets.ts). */
const MANY = 20;

const ENTRIES = { dynamic: "pulumi-previewenv", native: "pulumi-previewenv/native" } as const;
type Kind = keyof typeof ENTRIES;
const KINDS: readonly Kind[] = ["dynamic", "native"];

/** X and S belong to the first set of each environment, or, once they have moved, to the second, with new values. */
const fleet = (kind: Kind, ids: readonly string[], environmentId: string, moved: boolean): string => `
const previewenv = require("${ENTRIES[kind]}");
for (const id of ${JSON.stringify(ids)}) {
  const environmentId = ${environmentId};
  new previewenv.EnvVarSet("giver-" + id, ${moved ? '{ environmentId, variables: { G: "g" } }' : '{ environmentId, variables: { G: "g", X: "old" }, secrets: { S: "secret-old-1234" } }'});
  new previewenv.EnvVarSet("taker-" + id, ${moved ? '{ environmentId, variables: { T: "t", X: "new" }, secrets: { S: "secret-new-1234" } }' : '{ environmentId, variables: { T: "t" } }'});
}
`;

/** Two sets of two modules or Providers. X belongs to one of them. */
const pair = (header: string, id: string, options: string, isMoved: boolean): string => `${header}
new first.EnvVarSet("giver", { environmentId: "${id}", variables: ${isMoved ? '{ G: "g" }' : '{ G: "g", X: "x" }'} });
new second.EnvVarSet("taker", { environmentId: "${id}", variables: ${isMoved ? '{ T: "t", X: "x" }' : '{ T: "t" }'} }${options});
`;

/** Worth its 20 CLI calls: in which order the engine shows, creates, updates and deletes resources is its own choice. */
describe("engine: handing variables over", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  const write = (project: Project, text: string): void => writeFileSync(join(project.folder, "index.js"), text);

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

  for (const kind of KINDS)
    for (const [count, title, environmentId, move] of [
      [
        MANY,
        "ids that are looked up: one up",
        "previewenv.getEnvironmentOutput({ id }).id",
        (one: Project) => one.up("--parallel", WORKERS),
      ],
      [3, "plain ids, --parallel 1: an up, or its advice,", "id", upOneByOne],
    ] as const)
      it(`${count} environments, ${title} sends no DELETE, and the next preview is empty (${kind})`, async () => {
        const project = await engine.project({ language: javascript(kind) });
        const ids = Array.from({ length: count }, () => engine.environment());
        write(project, fleet(kind, ids, environmentId, false));
        await project.up();
        write(project, fleet(kind, ids, environmentId, true));
        const missing = watch(ids);
        expect(await engine.requests(() => move(project))).not.to.have.property("DELETE /env-vars");
        expect([...missing]).to.deep.equal([]);
        for (const id of ids)
          expect(engine.values(id)).to.deep.equal({ G: "g", T: "t", X: "new", S: "secret-new-1234" });
        await project.preview("--expect-no-changes");
        const [first = ""] = ids;
        await project.destroy("--target", project.resource(`giver-${first}`).urn);
        expect(engine.values(first)).to.deep.equal({ T: "t", X: "new", S: "secret-new-1234" });
      });

  for (const [title, header, options] of [
    [
      "two Providers",
      `const first = require("${ENTRIES.dynamic}"), second = first, provider = new first.Provider("second", {});`,
      ", { provider }",
    ],
    ["the two hosts", `const first = require("${ENTRIES.dynamic}"), second = require("${ENTRIES.native}");`, ""],
  ] as const)
    it(`a name that moves between resources of ${title} is not deleted`, async () => {
      const project = await engine.project({ language: javascript("native") });
      const id = engine.environment();
      write(project, pair(header, id, options, false));
      await project.up();
      write(project, pair(header, id, options, true));
      expect(await engine.requests(() => project.up())).not.to.have.property("DELETE /env-vars");
      expect(engine.values(id)).to.deep.equal({ G: "g", T: "t", X: "x" });
    });
});
