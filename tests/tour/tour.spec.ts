import { expect } from "chai";
import { TourProcess } from "./tour-process";

describe("tour: the command", function () {
  it("takes no arguments: exit code 2, and nothing is started", async () => {
    using tour = new TourProcess(["--environment", "11111111-1111-4111-8111-111111111142"]);
    const { exitCode, output } = await tour.ended;
    expect([exitCode, output]).to.deep.equal([2, "usage: npm start   (the tour takes no arguments)\n"]);
    expect(tour.leftFolders).to.deep.equal([]);
  });

  it("says in one line that there is no CLI", async () => {
    using tour = new TourProcess([], { PATH: "", PREVIEWENV_PULUMI_BIN: "" });
    const { exitCode, output } = await tour.ended;
    expect(exitCode).to.equal(1);
    expect(output.trimEnd().split("\n").at(-1)).to.match(/^There is no pulumi on PATH\./u);
    expect(tour.leftFolders).to.deep.equal([]);
  });
});
