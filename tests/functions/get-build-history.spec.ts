import { expect } from "chai";
import { getBuildHistory } from "../../provider/src/functions/get-build-history";
import { type EnvironmentSeed, SEED } from "../../provider/src/sandbox";
import { failureOf, startService } from "./service";

const ID = SEED.shopPullRequest;
const BUILDS = 45;

function withBuilds(builds: number): readonly EnvironmentSeed[] {
  return [{ id: ID, name: "shop", projects: [{ repoName: "web", branch: "main", pullRequestNumber: 42 }], builds }];
}

describe("getBuildHistory", () => {
  for (const [limit, pages] of [
    [1, 1],
    [20, 1],
    [21, 2],
    [1000, 3],
    [undefined, 3],
  ] as const)
    it(`with a limit of ${limit} asks for ${pages} of 3 pages, each with the filter`, async () => {
      await using service = await startService({ environments: withBuilds(BUILDS) });

      const { builds } = await getBuildHistory.invoke(service.context, {
        environmentId: ID,
        successfullyBuilt: true,
        ...(limit !== undefined && { limit }),
      });

      const all = service.sandbox.world.builds(ID).map(({ id }) => id);
      expect(builds.map(({ id }) => id)).to.deep.equal(all.slice(0, limit));
      const asked = ["", "&page=2", "&page=3"].map((page) => `GET /build-history successfully_built=true${page}`);
      expect(service.asked()).to.deep.equal(asked.slice(0, pages));
    });

  it("applies the filter again, before the limit, where the service ignores it", async () => {
    await using service = await startService({ environments: withBuilds(1) });
    const build = (id: string, successfully_built: boolean | null) => ({
      id,
      successfully_built,
      queued_at: "2026-01-02T03:04:05.000006Z",
      projects: [],
    });
    const body = {
      data: { name: "shop", builds: [build("running", null), build("failed", false), build("good", true)] },
      links: { next: "" },
    };
    service.sandbox.faults.add({ label: "GET /build-history", status: 200, body });

    const { builds } = await getBuildHistory.invoke(service.context, {
      environmentId: ID,
      successfullyBuilt: true,
      limit: 1,
    });

    expect(builds.map(({ id }) => id)).to.deep.equal(["good"]);
  });

  for (const [args, text] of [
    [{}, "getBuildHistory: environmentId must be a string"],
    [{ environmentId: ID, limit: 0 }, "limit must be greater than 0"],
    [{ environmentId: ID, limit: 1.5 }, "limit must be a whole number"],
    [{ environmentId: ID, limt: 1 }, 'limt is not an argument of this function. Did you mean "limit"?'],
  ] as const)
    it(`refuses ${JSON.stringify(args)} before any request`, async () => {
      await using service = await startService();

      expect(await failureOf(getBuildHistory.invoke(service.context, args))).to.include(text);
      expect(service.asked()).to.deep.equal([]);
    });
});
