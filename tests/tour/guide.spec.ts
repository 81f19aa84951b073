import { expect } from "chai";
import { Guide, CheckFailedError } from "../../tools/tour/guide";
import { Pulumi } from "../../tools/tour/pulumi";
import { Screen } from "../../tools/tour/screen";
import { openWorkspace } from "../../tools/tour/workspace";
import { startSandbox } from "../../provider/src/sandbox";

describe("tour: checks", () => {
  it("are shown when they hold, and end the tour when they do not", async () => {
    let shown = "";
    const screen = new Screen((text) => (shown += text), false);
    await using sandbox = await startSandbox();
    using workspace = openWorkspace({}, {});
    const guide = new Guide(new Pulumi(workspace, screen, new AbortController().signal), sandbox, screen);
    guide.check("water is wet", true);
    expect(() => guide.check("fire is wet", false)).to.throw(CheckFailedError, "fire is wet");
    expect(shown).to.equal("  ok: water is wet\n");
  });
});
