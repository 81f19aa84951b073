import { expect } from "chai";
import { ArgumentError } from "../../provider/src/client/errors";
import { environmentPath, path } from "../../provider/src/client/call";
import { ID } from "./support/samples";

describe("client/call: paths", () => {
  it("encodes each value into exactly one segment", () => {
    const names = ["A", "a b", "a/b", "a?b#c", "%2e%2e", "ü", "..a", "a+b&c=d", "a\nb"];
    expect(names.map((name) => path`/env-vars/${name}`)).to.deep.equal([
      "/env-vars/A",
      "/env-vars/a%20b",
      "/env-vars/a%2Fb",
      "/env-vars/a%3Fb%23c",
      "/env-vars/%252e%252e",
      "/env-vars/%C3%BC",
      "/env-vars/..a",
      "/env-vars/a%2Bb%26c%3Dd",
      "/env-vars/a%0Ab",
    ]);
  });

  it("keeps what stands between and after the values", () => {
    expect(path`/a/${"b"}/c/${"d"}/e`).to.equal("/a/b/c/d/e");
  });

  for (const refused of ["", ".", "..", "a\ud800"]) {
    it(`refuses ${JSON.stringify(refused)}`, () => {
      expect(() => path`/env-vars/${refused}`).to.throw(ArgumentError);
    });
  }

  it("accepts a UUID of any version as an environment, and nothing else", () => {
    expect(environmentPath(ID, "/stop")).to.equal(`/api/v1/environment/${ID}/stop`);
    expect(environmentPath(ID.toUpperCase())).to.equal(`/api/v1/environment/${ID.toUpperCase()}`);
    for (const id of ["", "..", "shop", `${ID}/stop`, `${ID}\n`, ID.slice(1)]) {
      expect(() => environmentPath(id), id).to.throw(ArgumentError, "not a UUID");
    }
  });
});
