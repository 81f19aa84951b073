import { expect } from "chai";
import { SEED, startSandbox } from "../../provider/src/sandbox";
import { hasPulumi, stackFiles, TourProcess } from "./tour-process";

const TOUR_MS = 900_000;

describe("tour: the command", function () {
  it("ends with exit code 2 and touches nothing when a real service is named without the flag", async () => {
    await using sandbox = await startSandbox();
    const settings = { PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token };
    using tour = new TourProcess(["--environment", SEED.shopMain], settings);
    const { exitCode, output } = await tour.ended;
    expect(exitCode).to.equal(2);
    expect(output).to.contain("--preview-real-service");
    expect(sandbox.journal.entries).to.deep.equal([]);
  });

  it("says in one line that there is no CLI", async () => {
    using tour = new TourProcess([], { PATH: "", PREVIEWENV_PULUMI_BIN: "" });
    const { exitCode, output } = await tour.ended;
    expect(exitCode).to.equal(1);
    expect(output.trimEnd().split("\n").at(-1)).to.match(/^There is no pulumi on PATH\./u);
    expect(tour.leftFolders).to.deep.equal([]);
  });
});

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
    expect(output).to.match(/^step +1  2  3  4 +5 +6 +7 +all$/mu);
    expect(output).to.match(/^Everything was as announced, in \d+ s\.$/mu);
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

  it("previews an environment of a real service with the flag, and only reads", async () => {
    await using sandbox = await startSandbox();
    const settings = { PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token };
    using tour = new TourProcess(["--environment", SEED.shopMain, "--preview-real-service"], settings);
    const { exitCode, output } = await tour.ended;
    expect(exitCode, output).to.equal(0);
    expect(output).to.contain("+ 3 to create");
    expect(sandbox.journal.entries.map(({ label }) => label)).to.deep.equal(["GET /environment"]);
    expect(sandbox.journal.entries[0]?.environmentId).to.equal(SEED.shopMain);
  });
});
