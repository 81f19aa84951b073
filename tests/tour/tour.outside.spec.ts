import { expect } from "chai";
import { hasPulumi, stackFiles, TourProcess } from "./tour-process";

const TOUR_MS = 900_000;

// Worth its half minute: it is the first command of the README, and each step of it checks what it shows, on the real engine.
describe("tour: on the real CLI", function () {
  this.timeout(TOUR_MS);
  const earlier = stackFiles();

  before(function () {
    if (!hasPulumi()) this.skip();
  });

  it("goes through all steps, and leaves nothing behind", async () => {
    using tour = new TourProcess([], { PREVIEWENV_API_TOKEN: "a-real-token", NO_COLOR: "" });
    const { exitCode, output } = await tour.ended;
    expect(exitCode, output).to.equal(0);
    const headings = output.match(/^== \d\. /gmu) ?? [];
    expect(headings.join("")).to.equal("== 0. == 1. == 2. == 3. == 4. == 5. == 6. == 7. ");
    expect(output).to.contain("PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN are not used");
    expect(output).to.match(/^Every check passed, in \d+ s\.$/mu);
    expect(output).not.to.contain("\u001b");
    expect(tour.leftFolders).to.deep.equal([]);
    expect(stackFiles()).to.deep.equal(earlier);
  });

  it("ends by Ctrl-C with exit code 130, and leaves nothing behind", async () => {
    using tour = new TourProcess();
    await tour.printed("EnvVarSet vars creating");
    expect(tour.leftFolders).to.have.lengthOf(1);
    tour.interrupt();
    const { exitCode, output } = await tour.ended;
    expect(exitCode, output).to.equal(130);
    expect(output, "the CLI was told").to.contain("cancelling");
    expect(output).to.contain("stopped by SIGINT");
    expect(tour.leftFolders).to.deep.equal([]);
    expect(stackFiles()).to.deep.equal(earlier);
  });
});
