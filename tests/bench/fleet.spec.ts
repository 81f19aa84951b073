import { expect } from "chai";
import { brokenPromises, type FleetSample, fleetTable } from "./measure-fleet";

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
      "sets, 30 environments, preview of all: 31 GET /env-vars, 30 promised",
      "sets, 30 environments, preview of all: 11 GET /environment, 0 promised",
      "component, 30 environments, preview of all: 31 GET /environment, 30 promised",
      "sets, 30 environments, preview of all: 1 PUT /env-vars, 0 promised",
      "sets, 30 environments, create all: 60 GET /env-vars, 30 promised",
      "sets, 30 environments, create all: 29 PUT /env-vars, 30 promised",
      "sets, 30 environments, no change: 30 GET /environment, 0 promised",
      "sets, 30 environments, refresh: 0 GET /env-vars, 30 promised",
      "component, 30 environments, change all: 31 POST /rebuild, 30 promised",
    ]);
  });

  it("says what each further environment costs", () => {
    const samples = [30, 120, 400].map((size) => ({
      ...sample("create all", {}, { size }),
      cpuMs: 2_000 + 15 * size,
    }));
    expect(fleetTable(samples).match(/15\.00 ms/gu)).to.have.lengthOf(2);
  });
});
