import { execFile } from "node:child_process";
import { inspect, promisify } from "node:util";
import { expect } from "chai";
import { CancelledError, ConnectionError, systemClock } from "../../provider/src/client";
import { fakeClock } from "./support/fake-clock";
import { Rounds } from "./support/rounds";
import { CLIENT, clientAt, clientOf, environmentItem, failure, ID, TOKEN } from "./support/samples";
import { type Reply, startRaw, startScript } from "./support/scripted-server";

const fine: Reply = { json: environmentItem() };
const run = promisify(execFile);

describe("client/transport: connections", () => {
  it("keeps one connection for requests one after the other", async () => {
    await using server = await startScript([fine]);
    await using client = clientOf(server);
    for (let request = 0; request < 20; request++) await client.environments.get(ID);
    expect(server.requests).to.have.length(20);
    expect(server.sockets.size).to.equal(1);
  });

  it("has at most maxConcurrency requests in flight, and reaches that", async () => {
    const rounds = new Rounds(3);
    await using server = await startScript(async () => {
      await rounds.join();
      return fine;
    });
    await using client = clientOf(server, { maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => client.environments.get(ID)));
    expect(rounds.most).to.equal(3);
    expect(server.sockets.size).to.equal(3);
  });

  it("sends the token, who it is, and JSON", async () => {
    await using server = await startScript([{ status: 204 }]);
    await using client = clientOf(server, { baseUrl: `${server.url}/x/` });
    await client.environments.loadSnapshot(ID, { sequenceNumber: 3 });
    const [request] = server.requests;
    expect(request?.url).to.equal(`/x/api/v1/environment/${ID}/snapshot-load`);
    expect(request?.headers).to.include({ "x-api-token": TOKEN, "content-type": "application/json" });
    expect(request?.headers["user-agent"]).to.match(/^[a-z-]+\/\d+\.\d+\.\d+/u);
  });

  it("reads characters that arrive in pieces", async () => {
    const body = Buffer.from(JSON.stringify(environmentItem(ID, { name: "Grüße 🚀" })));
    const pieces = Array.from(body, (byte) =>
      Buffer.concat([Buffer.from("1\r\n"), Buffer.of(byte), Buffer.from("\r\n")]),
    );
    const head = Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    await using server = await startRaw((socket) =>
      socket.write(Buffer.concat([head, ...pieces, Buffer.from("0\r\n\r\n")])),
    );
    await using client = clientAt(`http://127.0.0.1:${server.port}`);
    expect(await client.environments.get(ID)).to.have.property("name", "Grüße 🚀");
  });

  it("says of a garbled answer only what kind of trouble it is", async () => {
    await using garbled = await startRaw((socket) => socket.end("s3cr3t garbage\r\n\r\n"));
    await using client = clientAt(`http://127.0.0.1:${garbled.port}`, { maxRetries: 0 });
    const error = await failure(client.environments.get(ID));
    expect(error).to.be.instanceOf(ConnectionError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.to.include("s3cr3t");
  });
});

describe("client/transport: cancelling", () => {
  it("ends a connection attempt that hangs, and knows that nothing was sent", async () => {
    // It accepts, and never answers the TLS greeting.
    await using silent = await startRaw(() => undefined);
    await using client = clientAt(`https://127.0.0.1:${silent.port}`);
    const abort = new AbortController();
    const ended = failure(client.environments.get(ID, { signal: abort.signal }));
    await silent.connected;
    abort.abort();
    expect(await ended)
      .to.be.instanceOf(CancelledError)
      .with.property("sent", false);
  });

  it("ends the wait for a free place, and the request is never sent", async () => {
    const arrived = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await startScript(() => {
      arrived.resolve();
      return { ...fine, after: promise };
    });
    await using client = clientOf(server, { maxConcurrency: 1 });
    const first = client.environments.get(ID);
    await arrived.promise;
    const abort = new AbortController();
    const second = failure(client.environments.get(ID, { signal: abort.signal }));
    abort.abort();
    expect(await second)
      .to.be.instanceOf(CancelledError)
      .with.property("sent", false);
    resolve();
    await first;
    expect(server.requests).to.have.length(1);
  });

  for (const [what, status] of [
    ["a repetition", 503],
    ["a pause", 429],
  ] as const) {
    it(`ends the wait for ${what}`, async () => {
      await using server = await startScript([{ status, headers: { "retry-after": "50" } }]);
      const abort = new AbortController();
      const sleeping = { ...fakeClock(), sleep };
      async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
        const slept = systemClock.sleep(ms, signal);
        abort.abort();
        await slept;
      }
      await using client = clientOf(server, { clock: sleeping });
      const error = await failure(client.environments.get(ID, { signal: abort.signal }));
      expect(error).to.be.instanceOf(CancelledError);
      expect(server.requests).to.have.length(1);
    });
  }

  it("warns of nothing when many calls share one signal", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    await using server = await startScript([fine]);
    await using client = clientOf(server);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => client.environments.get(ID, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).to.deep.equal([]);
  });

  it("ends calls under way when the client is closed, and refuses later ones", async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await startScript(() => {
      arrived.resolve();
      return { after: new Promise(() => undefined) };
    });
    const client = clientOf(server);
    const ended = failure(client.environments.get(ID));
    await arrived.promise;
    await client.close();
    await client.close();
    expect(await ended).to.be.instanceOf(CancelledError);
    expect(await failure(client.environments.get(ID))).to.be.instanceOf(CancelledError);
    expect(server.requests).to.have.length(1);
  });

  it("lets the process exit after close", async () => {
    await using server = await startScript([{ ...fine, headers: { "keep-alive": "timeout=600" } }]);
    const program = `
      const { PreviewenvClient, systemClock } = require(${JSON.stringify(require.resolve("../../dist/provider/src/client"))});
      const client = new PreviewenvClient({ ...${JSON.stringify({ ...CLIENT, baseUrl: server.url })}, clock: systemClock });
      client.environments.get("${ID}").then(() => client.close()).then(() => console.log("closed"));
    `;
    // Against hanging only: the connection could be kept for ten minutes.
    const { stdout } = await run(process.execPath, ["-e", program], {
      timeout: 60_000,
    });
    expect(stdout).to.equal("closed\n");
  });
});
