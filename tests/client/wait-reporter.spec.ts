import { expect } from "chai";
import { WaitReporter } from "../../provider/src/client/wait-reporter";
import { fakeClock } from "./support/fake-clock";
import { clientOf, environmentItem, failure, ID } from "./support/samples";
import { type Reply, startScript } from "./support/scripted-server";

const fine: Reply = { json: environmentItem() };
const limited: Reply = { status: 429, headers: { "retry-after": "8" } };
const down: Reply = { status: 503 };

describe("client: what people are told while requests wait", () => {
  it("names the status, the attempts and the time once a wait is longer than 2 s, and nothing before", async () => {
    await using server = await startScript([down, down, down, { status: 502 }, fine, down, fine]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    const lines: string[] = [];
    client.onWait((text) => lines.push(text));
    await client.environments.get(ID);
    // Waits of 0.25, 0.5, 1 and 2 s.
    expect(lines).to.deep.equal(["2 s: waiting for the service: it answered 502; attempt 4"]);
    await client.environments.get(ID);
    expect(lines).to.have.length(1);
  });

  it("says at once how long a pause is that the service asks for", async () => {
    await using server = await startScript([limited, limited, limited, fine]);
    await using client = clientOf(server, { clock: fakeClock() });
    const lines: string[] = [];
    client.onWait((text) => lines.push(text));
    await client.environments.get(ID);
    const what = "0 s: waiting for the service: it answered 429";
    expect(lines).to.deep.equal([`${what}; attempt 1, next in 8 s`]);
  });

  it("repeats itself every 30 s at most", async () => {
    await using server = await startScript([down]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    const toldMs: number[] = [];
    client.onWait(() => toldMs.push(clock.nowMs));
    await failure(client.environments.get(ID));
    expect(toldMs).to.have.length(2);
    expect((toldMs[1] ?? 0) - (toldMs[0] ?? 0)).to.be.at.least(30_000);
  });

  it("tells no secret and no text of the service", async () => {
    await using server = await startScript([{ status: 503, json: { errors: [{ title: "token-0123456789" }] } }]);
    await using client = clientOf(server, { clock: fakeClock() });
    const lines: string[] = [];
    client.onWait((text) => lines.push(text));
    await failure(client.envVars.upsert(ID, [{ name: "A", value: "s3cr3t-value", hidden: true, services: [] }]));
    expect(lines).not.to.deep.equal([]);
    for (const line of lines) expect(line).to.match(/^\d+ s: waiting for the service: it answered 503; attempt \d+/u);
  });
});

describe("client/wait-reporter", () => {
  it("tells each who watches once for each reason, however many requests wait, and nobody who does not any more", () => {
    const clock = fakeClock();
    const waits = new WaitReporter(clock);
    const lines: string[] = [];
    const later: string[] = [];
    const stop = waits.listen((text) => lines.push(text));
    const note = (reason: string): void => waits.note({ reason, waitedMs: 3_000, nextMs: 0, attempts: 2 });
    note("it answered 503");
    waits.listen((text) => later.push(text));
    for (let request = 0; request < 100; request++) note("it answered 503");
    expect([lines.length, later.length]).to.deep.equal([1, 1]);
    note("no answer");
    stop();
    note("it answered 502");
    expect(lines).to.deep.equal([
      "3 s: waiting for the service: it answered 503; attempt 2",
      "3 s: waiting for the service: no answer; attempt 2",
    ]);
  });
});
