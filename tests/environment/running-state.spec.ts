import { expect } from "chai";
import { flagsFromRefusal } from "../../provider/src/environment/running-state";

describe("environment/running-state: what a refusal says about the flags", () => {
  it("reads the specification's titles of what is already so", () => {
    expect(flagsFromRefusal("stop", ["Environment is not running"])).to.deep.equal({ stopped: true });
    expect(flagsFromRefusal("restart", ["Environment is not retired"])).to.deep.equal({ retired: false });
    expect(flagsFromRefusal("revive", ["Environment is already active"])).to.deep.equal({ deleted: false });
  });

  it("says nothing for other titles, for none, and for a rebuild, whose refusal means the opposite", () => {
    expect(flagsFromRefusal("stop", ["Environment is not retired"])).to.deep.equal({});
    expect(flagsFromRefusal("stop", [])).to.deep.equal({});
    expect(flagsFromRefusal("rebuild", ["Environment is not active"])).to.deep.equal({});
  });
});
