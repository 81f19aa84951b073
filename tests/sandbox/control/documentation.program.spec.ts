import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import * as z from "zod";
import { SEED } from "../../../provider/src/sandbox";
import { type Fixture, start } from "../caller";

const run = promisify(execFile);
const ADDRESS = "http://127.0.0.1:4010";
const page = readFileSync(join(__dirname, "../../../docs/sandbox.md"), "utf8");
const lines = page.split("\n").filter((line) => line.startsWith("curl "));
const Refusal = z.object({ errors: z.tuple([z.object({ title: z.string() })]) });

/** Such as "POST faults". */
function requestOf(line: string): string {
  const method = /-X (\S+)/u.exec(line)?.[1] ?? (line.includes(" -d ") ? "POST" : "GET");
  return `${method} ${/__sandbox\/(\w+)/u.exec(line)?.[1]}`;
}

/** Everything that a control request can change. */
async function whole(fixture: Fixture): Promise<string> {
  const answers = await Promise.all(["state", "journal", "faults"].map((path) => fixture.control("GET", path)));
  return JSON.stringify([fixture.clock.now(), ...answers.map(({ text }) => text)]);
}

/** A sandbox in which each documented request has something to do. */
async function busy(): Promise<Fixture> {
  const fixture = await start();
  await fixture.call("GET", "");
  fixture.sandbox.faults.add({ status: 503 });
  fixture.sandbox.world.failNextBuild(SEED.shopPullRequest);
  fixture.sandbox.world.pushCommit(SEED.shopPullRequest, "api");
  fixture.sandbox.world.slowNextBuild(SEED.shopPullRequest, 9);
  return fixture;
}

describe("sandbox: docs/sandbox.md", () => {
  before(async function () {
    await run("sh", ["-c", "curl --version"]).catch(() => this.skip());
  });

  for (const line of lines) {
    it(`runs as it is written: ${line.replaceAll(SEED.shopPullRequest, "...")}`, async () => {
      await using fixture = await busy();
      const before = await whole(fixture);

      const { stdout } = await run("sh", ["-c", `${line.replace(ADDRESS, fixture.sandbox.url)} -fsS --noproxy '*'`]);

      if (requestOf(line).startsWith("GET")) expect(JSON.parse(stdout)).to.be.an("object");
      else expect(await whole(fixture)).to.not.equal(before);
    });
  }

  it("has a line for each control request, and for no other", async () => {
    await using fixture = await start();
    const { json } = await fixture.control("GET", "unknown");

    const known = Refusal.parse(json)
      .errors[0].title.replace(/^.*There are: /u, "")
      .split(", ");
    expect([...new Set(lines.map(requestOf))]).to.have.members(known);
  });
});
