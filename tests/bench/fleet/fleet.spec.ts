import { expect } from "chai";
import type { FleetSample } from "./life";
import { readFleetPlan } from "./plan";
import { brokenPromises } from "./promises";
import { buildsReport, fleetReport } from "./report";

const cost = { cpuMs: 2_000, wallMs: 4_000, treeBytes: 0, providerBytes: 0 };
const sample = (
  operation: FleetSample["operation"],
  requests: FleetSample["requests"],
  { size = 30, program = "sets" }: Partial<FleetSample> = {},
): FleetSample => ({ ...cost, size, program, operation, requests });

describe("bench: fleet", () => {
  it("accepts what is promised for 30 environments, and any number of lists", () => {
    const samples = [
      sample("preview of all", { "GET /environments": 2, "GET /env-vars": 30 }),
      sample("preview of all", { "GET /environments": 2 }),
      sample("preview of all", { "GET /env-vars": 30, "GET /environment": 30 }, { program: "component" }),
      sample("create all", { "GET /environments": 4, "GET /env-vars": 30, "PUT /env-vars": 30 }),
      sample("no change", { "GET /environments": 2 }),
      sample("refresh", { "GET /env-vars": 30 }),
      sample("change all", { "GET /environments": 2, "PUT /env-vars": 30 }),
      sample(
        "change all",
        { "GET /environment": 70, "GET /build-history": 65, "PUT /env-vars": 30, "POST /rebuild": 30 },
        { program: "component" },
      ),
    ];
    expect(brokenPromises(samples)).to.deep.equal([]);
  });

  it("names requests that were not promised, and those that are missing", () => {
    expect(
      brokenPromises([
        sample("preview of all", { "GET /env-vars": 31, "GET /environment": 11 }),
        sample("preview of all", { "GET /env-vars": 30, "GET /environment": 31 }, { program: "component" }),
        sample("preview of all", { "PUT /env-vars": 1 }),
        sample("create all", { "GET /env-vars": 60, "PUT /env-vars": 29 }),
        sample("no change", { "GET /environment": 30 }),
        sample("refresh", {}),
        sample("change all", { "PUT /env-vars": 30, "POST /rebuild": 31 }, { program: "component" }),
      ]),
    ).to.deep.equal([
      "sets, 30 environments, preview of all: 11 GET /environment, 0 promised",
      "sets, 30 environments, preview of all: 31 looks by GET /env-vars, 30 promised",
      "component, 30 environments, preview of all: 31 looks by GET /environment, 30 promised",
      "sets, 30 environments, preview of all: 1 PUT /env-vars, 0 promised",
      "sets, 30 environments, create all: 60 GET /env-vars, 30 promised",
      "sets, 30 environments, create all: 29 PUT /env-vars, 30 promised",
      "sets, 30 environments, no change: 30 GET /environment, 0 promised",
      "sets, 30 environments, refresh: 0 GET /env-vars, 30 promised",
      "component, 30 environments, change all: 31 POST /rebuild, 30 promised",
    ]);
  });

  it("says how the cost of an environment grows", () => {
    const sizes = [30, 120, 400, 1_000];
    const grown = (cpuMs: (size: number) => number): string =>
      fleetReport(sizes.map((size) => ({ ...sample("create all", {}, { size }), cpuMs: cpuMs(size) })));
    expect(grown((size) => 2_000 + 15 * size)).to.match(/15\.00 ms, 15\.00 ms, 15\.00 ms +\| 1\.00 +\| linear/u);
    expect(grown((size) => 2_000 + size ** 2)).to.contain("steeper than linear");
  });

  it("says how many requests a second it cost to wait for builds", () => {
    const requests = { "GET /environment": 30, "PATCH /environment": 10 };
    expect(buildsReport([{ ...cost, builds: 10, parallel: 8, requests }])).to.match(/\| 40 +\| 10\.0 +\|/u);
  });

  it("reads its options", () => {
    expect(readFleetPlan(["--fleet", "--help"])).to.equal(undefined);
    expect(readFleetPlan(["--fleet"])).to.deep.include({ sizes: [30, 120, 400, 1_000], parallel: [8, 16, 32] });
    const given = ["--fleet", "--sizes", "30,120", "--programs", "component,sets", "--builds", "0"];
    expect(readFleetPlan(given)).to.deep.include({ sizes: [30, 120], programs: ["sets", "component"], builds: 0 });
    expect(() => readFleetPlan(["--sizes", "120,30"])).to.throw("--sizes");
    expect(() => readFleetPlan(["--programs", "some"])).to.throw("--programs");
  });
});
