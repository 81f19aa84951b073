import { expect } from "chai";
import { requestTable, type SeenRequest } from "../../tools/tour/request-table";

function seen(...labels: readonly string[]): readonly SeenRequest[] {
  return labels.map((label) => ({ label, method: label.split(" ")[0] ?? "" }));
}

describe("tour: the table of requests", () => {
  it("has a row for each kind, by method, and a column for each step", () => {
    const steps = [
      seen("PATCH /environment", "GET /environment", "PUT /env-vars", "GET /env-vars"),
      seen(),
      seen(...Array.from({ length: 10 }, () => "GET /env-vars"), "DELETE /env-vars"),
    ];
    expect(requestTable(steps).split("\n")).to.deep.equal([
      "step                1  2   3  all",
      "GET /environment    1  .   .    1",
      "GET /env-vars       1  .  10   11",
      "PUT /env-vars       1  .   .    1",
      "PATCH /environment  1  .   .    1",
      "DELETE /env-vars    .  .   1    1",
      "all                 4  .  11   15",
    ]);
  });

  it("is not confused by steps without any request", () => {
    expect(requestTable([seen()]).split("\n")).to.deep.equal(["step  1  all", "all   .    ."]);
  });
});
