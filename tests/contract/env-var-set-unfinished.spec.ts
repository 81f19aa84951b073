import { expect } from "chai";
import { isMap } from "../../provider/src/framework/properties";
import { contract, set } from "../support/stage";

const SECRET = "s3cr3t-battery-staple";

contract("EnvVarSet, unfinished updates", [
  {
    title: "a secret that one added is not in the inputs that a refresh reads, where the engine would not encrypt it",
    async run({ engine, environmentId, sandbox, clock, puts, values }) {
      await engine.up(set(environmentId, { variables: { A: "one" }, secrets: { OLD: "another-secret-1234" } }));
      clock.advance(5_000);
      const secrets = { A: SECRET, OLD: "another-secret-1234" };
      const program = set(environmentId, { variables: { B: "two" }, secrets });
      sandbox.faults.add({ refuse: { B: "no room" } });
      expect((await engine.up(program)).errors.join("\n")).to.contain("B: no room");
      await engine.refresh();
      const { inputs, outputs } = engine.kept("vars");
      expect(JSON.stringify(inputs["secrets"])).to.contain("another-secret-1234").and.not.to.contain("s3");
      expect(isMap(inputs["secrets"]) && inputs["secrets"]["A"]).to.match(/^previewenv:unknown:v1:/u);
      expect(outputs["secrets"]).to.deep.equal(inputs["secrets"]);
      puts();
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(puts()).to.deep.equal([["A", "B"]]);
      expect(values()).to.deep.equal({ A: SECRET, B: "two", OLD: "another-secret-1234" });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
]);
