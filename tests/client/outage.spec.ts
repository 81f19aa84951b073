import { expect } from "chai";
import { PreviewenvClient } from "../../provider/src/client";
import type { Connections } from "../../provider/src/client/connections";
import { ConnectionError, ServerError } from "../../provider/src/client/errors";
import { fakeClock } from "./support/fake-clock";
import { CLIENT, clientOf, environmentItem, envVarItem, failure, ID } from "./support/samples";
import { type Reply, startScript } from "./support/scripted-server";
import { Chance } from "../simulation/chance";
import { SimulatedProcess } from "../simulation/processes";
import { Timeline } from "../simulation/timeline";
import { WaitReporter } from "../../provider/src/client/wait-reporter";

const fine: Reply = { json: environmentItem() };
const down: Reply = { status: 503 };
const UNSENT = /^Could not delete .+: the service has answered no request for \d+ s\. Run the command again later\.$/u;

describe("client: an outage", () => {
  it("is borne for 60 s, and the error names attempts, time and the setting", async () => {
    await using server = await startScript([down]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    const startMs = clock.nowMs;
    const error = await failure(client.environments.get(ID));
    expect(error).to.be.instanceOf(ServerError);
    expect(clock.nowMs - startMs).to.be.within(60_000, 68_000);
    const seconds = Math.round((clock.nowMs - startMs) / 1_000);
    expect(error)
      .to.have.property("message")
      .that.includes(` Tried for ${seconds} s (previewenv:maxRetries is not set).`);
  });

  it("is survived when it is over within 60 s, whatever it was", async () => {
    const troubles: Reply[] = [down, { drop: "silently" }, { status: 502 }, { drop: "midway" }, { status: 504 }];
    const script = [...troubles, ...troubles].slice(1);
    await using server = await startScript([...script, fine]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    expect(await client.environments.get(ID)).to.have.property("name", "shop");
    expect(clock.sleeps).to.deep.equal([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  });

  it("lets one later request in 5 s try, once, until one is answered, in whatever words", async () => {
    let reply = down;
    await using server = await startScript(() => reply);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    await failure(client.environments.get(ID));
    for (let time = 0; time < 2; time++) {
      const before = server.requests.length;
      const unsent = await failure(client.envVars.delete(ID, "A"));
      expect(unsent).to.be.instanceOf(ConnectionError).with.property("message").that.matches(UNSENT);
      expect(unsent).to.have.property("sent", false);
      clock.nowMs += 5_000;
      const errors = await Promise.all(["B", "C"].map((name) => failure(client.envVars.delete(ID, name))));
      expect(server.requests.length - before).to.equal(1);
      expect(errors[0])
        .to.have.property("message")
        .that.matches(/ Tried once \(previewenv:maxRetries is not set\)\.$/u);
      expect(errors[1]).to.have.property("message").that.matches(UNSENT);
    }
    clock.nowMs += 5_000;
    reply = { status: 400 };
    await failure(client.environments.get(ID));
    reply = down;
    const before = server.requests.length;
    await failure(client.environments.get(ID));
    expect(server.requests.length - before).to.be.greaterThan(5);
  });

  it("begins anew after an answer of another request, 10 minutes for one request at most", async () => {
    await using server = await startScript(({ url }) => (url.endsWith("/env-vars") ? down : fine));
    const clock = fakeClock();
    let answered = 0;
    await using client = clientOf(server, {
      clock: Object.assign(clock, {
        sleep: async (ms: number) => {
          clock.nowMs += ms;
          await client.environments.get(ID);
          answered += 1;
        },
      }),
    });
    const startMs = clock.nowMs;
    const error = await failure(client.envVars.list(ID));
    expect(error).to.be.instanceOf(ServerError);
    expect(clock.nowMs - startMs).to.be.within(600_000, 608_000);
    expect(answered).to.be.greaterThan(60);
  });

  it("is borne for 2 s only by a request whose caller looks again by itself, and that time counts for others", async () => {
    await using server = await startScript([down]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    const beganMs = clock.nowMs;
    while (clock.nowMs - beganMs < 60_000) {
      const startMs = clock.nowMs;
      await failure(client.environments.get(ID, { maxRetryMs: 2_000 }));
      expect(clock.nowMs - startMs).to.be.within(2_000, 10_000);
    }
    const before = server.requests.length;
    expect(await failure(client.envVars.delete(ID, "A")))
      .to.have.property("message")
      .that.matches(UNSENT);
    expect(server.requests).to.have.length(before);
  });

  it("is not taken for one by a write that follows long after a failure that nobody has borne", async () => {
    await using server = await startScript([down, down, { json: { data: [envVarItem("A")] } }]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock });
    await failure(client.environments.act("rebuild", ID));
    clock.nowMs += 300_000;
    const { written } = await client.envVars.upsert(ID, [{ name: "A", value: "on", hidden: false, services: [] }]);
    expect(written.map(({ name }) => name)).to.deep.equal(["A"]);
  });
});

/** A service that answers every request with 503. */
function setUp() {
  const timeline = new Timeline();
  const { clock } = new SimulatedProcess(1, timeline, new Chance(1));
  const sent: string[] = [];
  let takesMs = 0;
  const connections: Connections = {
    async exchange({ path }, { onSent }) {
      sent.push(path.split("/").at(-1) ?? "");
      onSent();
      if (takesMs > 0) await timeline.sleep(takesMs);
      return { status: 503, headers: {}, body: "" };
    },
    close: () => Promise.resolve(),
  };
  const client = new PreviewenvClient({
    ...CLIENT,
    maxConcurrency: 4,
    clock: { ...clock, random: () => 1 },
    connections,
  });
  const remove = (name: string, ms: number = 0): Promise<unknown> => {
    takesMs = ms;
    return failure(client.envVars.delete(ID, name));
  };
  return { timeline, sent, remove };
}

const many = Array.from({ length: 200 }, (_, index) => `NAME_${index}`);

describe("client: an outage of many requests", () => {
  it("fails at its end those who wait for their turn, and does not send them", async () => {
    const { timeline, remove, sent } = setUp();
    const startMs = timeline.now();
    const errors = await timeline.run(Promise.all(many.map((name) => remove(name, 30_000))));
    // Without that, two hundred requests of half a minute, four at a time, take 25 minutes.
    expect(timeline.now() - startMs).to.be.within(60_000, 130_000);
    const unsent = errors.filter((error) => error instanceof ConnectionError && !error.sent);
    expect(unsent).to.have.length(many.length - new Set(sent).size);
    // An error that lists them shows each text once.
    expect(new Set(errors.map(String)).size).to.be.below(5);
    expect(unsent[0])
      .to.have.property("message")
      .that.matches(
        /^Could not delete a variable of environment \S+: the service has answered no request for \d+ s\./u,
      );
  });

  it("wakes those who sleep", async () => {
    const { timeline, remove, sent } = setUp();
    await timeline.run(Promise.all(["A", "B", "C"].map((name) => remove(name))));
    const counts = ["A", "B", "C"].map((name) => sent.filter((one) => one === name).length);
    // One of them finds that it is over. The others need not find it too.
    expect(Math.max(...counts) - Math.min(...counts)).to.equal(1);
  });
});

const limited: Reply = { status: 429, headers: { "retry-after": "8" } };

describe("client: what people are told while requests wait", () => {
  for (const [what, script, line] of [
    // Waits of 0.25, 0.5, 1 and 2 s.
    [
      "once a wait is longer than 2 s, and nothing before",
      [down, down, down, { status: 502, json: { errors: [{ title: "token-0123456789" }] } }],
      "2 s: # 502; attempt 4",
    ],
    [
      "at once how long a pause the service asks for",
      [limited, limited, limited],
      "0 s: # 429; attempt 1, next in 8 s",
    ],
  ] as const)
    it(`names the status, the attempts and the time, and no text of the service: ${what}`, async () => {
      await using server = await startScript([...script, fine, down, fine]);
      await using client = clientOf(server, { clock: fakeClock() });
      const lines: string[] = [];
      client.onWait((text) => lines.push(text));
      for (let time = 0; time < 2; time++) await client.environments.get(ID);
      expect(lines).to.deep.equal([line.replace("#", "waiting for the service: it answered")]);
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
