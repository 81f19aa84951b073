import { expect } from "chai";
import { operations } from "./contenders";
import { broken } from "./requests";

const calm = { mostInFlight: 8, connections: 8 };

describe("bench: requests", () => {
  it("accepts what is promised for 250 variables", () => {
    const counts = [{ GET: 1 }, { GET: 1, PUT: 3 }, {}, { GET: 1 }, { PUT: 1 }, { PUT: 3 }, { GET: 1, DELETE: 250 }];
    const problems = operations.flatMap((operation, index) =>
      broken(operation, 250, { counts: counts[index] ?? {}, ...calm }),
    );
    expect(problems).to.deep.equal([]);
  });

  it("names what was promised and what was sent", () => {
    const problems = broken("create", 100, { counts: { PUT: 2, GET: 1 }, ...calm });
    expect(problems).to.deep.equal(["1 GET, 1 PUT promised, 1 GET, 2 PUT sent"]);
  });

  it("refuses a request in a preview", () => {
    expect(broken("preview", 1, { counts: { GET: 1 }, ...calm })).to.deep.equal(["none promised, 1 GET sent"]);
  });

  it("refuses more than 8 requests in flight and more than 8 connections", () => {
    const problems = broken("destroy", 9, { counts: { GET: 1, DELETE: 9 }, mostInFlight: 9, connections: 10 });
    expect(problems).to.deep.equal(["9 requests in flight at once", "10 connections"]);
  });
});
