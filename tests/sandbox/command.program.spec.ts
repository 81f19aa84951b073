// Its options and help: tests/command.
import { expect } from "chai";
import { SEED, startSandbox } from "../../provider/src/sandbox";
import { Command, ROOT, send } from "./caller";

describe("sandbox: command", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`says where it listens, serves, and ends with 0 on ${signal}`, async () => {
      using command = new Command("--port", "0", "--token", "demo", "--build-seconds", "0.5");
      const greeting = await command.greeting();
      const url = /listens on (\S+)/.exec(greeting)?.[1] ?? "";

      expect(greeting).to.include(`PREVIEWENV_BASE_URL=${url}`).and.include("PREVIEWENV_API_TOKEN=demo");
      expect(greeting).to.include(`${SEED.shopPullRequest}  shop-pr-42  running`);
      expect(greeting).to.include(`by hand: ${url}/\n`);
      expect((await send("GET", url + ROOT, { token: "demo" })).status).to.equal(200);
      command.child.kill(signal);

      expect(await command.outcome).to.include({ code: 0, stderr: "" });
    });
  }

  it("says in one line that the port is in use", async () => {
    await using sandbox = await startSandbox();

    const { port } = new URL(sandbox.url);
    const outcome = await new Command("--port", port).outcome;

    expect(outcome).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: `Port ${port} is in use, perhaps by another sandbox: choose another with --port, or --port 0 for a free one.\n`,
    });
  });
});
