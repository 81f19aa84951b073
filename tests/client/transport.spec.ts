import { execFileSync } from "node:child_process";
import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import manifest from "../../package.json";
import { requireRuntime } from "../../provider/src/client";
import { systemClock } from "../../provider/src/client/clock";
import { CancelledError, ConfigError, ConnectionError } from "../../provider/src/client/errors";
import { fakeClock } from "./support/fake-clock";
import { CLIENT, clientAt, clientOf, environmentItem, failure, ID, TOKEN } from "./support/samples";
import { type RawServer, type Reply, startRaw, startScript } from "./support/scripted-server";
import { type Connections, ServiceConnections } from "../../provider/src/client/connections";
import { abortable, forEachConcurrently } from "../../provider/src/client/concurrency";
import { RequestLimiter } from "../../provider/src/client/request-limiter";

const fine: Reply = { json: environmentItem() };

/** Requests that wait for each other: each round ends when as many are under way as there may be, however long that takes. */
class Rounds {
  /** The most that were under way at once. */
  most = 0;
  readonly #size: number;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves once a whole round has joined. */
  async join(): Promise<void> {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      // A turn later: one more that is let through comes now.
      if (this.#waiting.length >= this.#size) setImmediate(() => this.#end());
    });
    this.#running -= 1;
  }

  #end(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

describe("client/transport: connections", () => {
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
    expect(request?.headers).to.include({
      "x-api-token": TOKEN,
      "content-type": "application/json",
      "accept-encoding": "identity",
    });
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

  it("says that an answer is compressed, although the request asked for another one", async () => {
    const body = gzipSync(JSON.stringify(environmentItem()));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
    await using server = await startRaw((socket) => socket.end(Buffer.concat([Buffer.from(head), body])));
    await using client = clientAt(`http://127.0.0.1:${server.port}`, { maxRetries: 0 });
    expect(String(await failure(client.environments.get(ID)))).to.contain(
      "it is not JSON: it is compressed (content-encoding: gzip).",
    );
  });

  for (const status of [401, 403])
    it(`does not blame the token alone for a web page with ${status}`, async () => {
      const pages: readonly Reply[] = [
        { status, text: "<html>Sign in</html>" },
        { status, json: { errors: [{ title: "No" }] } },
      ];
      await using server = await startScript(pages);
      await using client = clientOf(server);
      const gateway = "a web page. A gateway, a proxy or a login page may have answered in its place";
      const [page, refusal] = [await failure(client.environments.get(ID)), await failure(client.environments.get(ID))];
      expect(String(page)).to.contain(gateway).and.contain("token").and.not.contain("Sign in");
      expect(String(refusal)).to.contain("token").and.not.contain(gateway);
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
});

const MAX_CONNECTIONS = 3;
/** Against hanging only. */
const HANGING_MS = 60_000;
const get = { method: "GET", path: "/api/v1/environment", headers: {}, body: undefined };

/** Closed when the test ends, or a test that fails would keep the process for ever. */
function connect(origin: string): Connections & AsyncDisposable {
  const connections = new ServiceConnections({
    baseUrl: { origin, prefix: "", loopback: true },
    proxy: undefined,
    maxConnections: MAX_CONNECTIONS,
    connectTimeoutMs: 600_000,
  });
  return Object.assign(connections, { [Symbol.asyncDispose]: () => connections.close() });
}

/** Sends one request. Notes whether it was sent. */
function follow(connections: Connections, signal = new AbortController().signal) {
  const seen = { sent: 0 };
  const answer = connections.exchange(get, { signal, onSent: () => (seen.sent += 1) });
  return { seen, answer };
}

const addressOf = ({ port }: RawServer): string => `http://127.0.0.1:${port}`;

describe("client/connections: an exchange", () => {
  it("ends a connection that is still being opened when it is closed", async () => {
    // It never answers the TLS greeting.
    const greeted = Promise.withResolvers<Socket>();
    await using silent = await startRaw((socket) => greeted.resolve(socket));
    await using connections = connect(`https://127.0.0.1:${silent.port}`);
    const ended = failure(follow(connections).answer);
    const socket = await greeted.promise;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await connections.close();
    await Promise.all([ended, closed]);
  });

  it("waits for the answer after a provisional one", async () => {
    const answer = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine";
    await using server = await startRaw((socket) => socket.end(answer));
    await using connections = connect(addressOf(server));
    expect(await follow(connections).answer).to.include({ status: 200, body: "fine" });
  });

  for (const [size, megabytes] of [
    ["more than a connection takes in", 8],
    ["no more than that", 0.1],
  ] as const)
    it(`ends connections on which a body was refused before it was read: ${size}`, async () => {
      const refused: Socket[] = [];
      await using server = await startRaw((socket, data) => {
        if (data.toString("latin1").startsWith("GET ")) {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine");
          return;
        }
        socket.pause();
        refused.push(socket);
        socket.write("HTTP/1.1 413 Content Too Large\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n");
      });
      await using connections = connect(addressOf(server));
      const signal = AbortSignal.timeout(HANGING_MS);
      const put = { ...get, method: "PUT", body: "x".repeat(megabytes * 1024 * 1024) };
      for (let time = 0; time < 20; time++) {
        const { status } = await connections.exchange(put, { signal, onSent: () => undefined });
        expect(status).to.equal(413);
      }
      expect(await follow(connections, signal).answer).to.include({ body: "fine" });
      expect(new Set(refused).size).to.equal(20);
      const ended = refused.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of refused) socket.removeAllListeners("data").resume();
      await Promise.all(ended);
    });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("forEachConcurrently", () => {
  it("does something with every item in order, so many at a time and no more", async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
    });
    expect(begun).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect(most).to.equal(3);
  });

  it("ends with the first failure, once nothing is under way any more", async () => {
    const ended: number[] = [];
    const error = await forEachConcurrently([1, 2, 3, 4], 2, async (item) => {
      await turn();
      if (item === 1) throw new Error("no");
      ended.push(item);
    }).catch((reason: Error) => reason.message);
    expect(error).to.equal("no");
    expect(ended).to.deep.equal([2, 3, 4]);
  });
});

describe("work that ends with a signal", () => {
  it("leaves no listener behind, so that thousands of requests of one signal cost no more each", async () => {
    const { signal } = new AbortController();
    await Promise.all([1, 2, 3].map((one) => abortable(Promise.resolve(one), signal, "enough")));
    await abortable(Promise.reject(new Error("no")), signal, "enough").catch(() => undefined);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });
});

const never = new AbortController().signal;

describe("client/request-limiter", () => {
  it("forgets a waiting request that is aborted, and lets the next one through", async () => {
    const limiter = new RequestLimiter(1, fakeClock());
    const place = await limiter.acquire(never);
    const impatient = new AbortController();
    const gone = failure(limiter.acquire(impatient.signal));
    const next = limiter.acquire(never);
    // One place too many would be given by now.
    await turn();
    impatient.abort();
    expect(await gone).to.equal(impatient.signal.reason);
    place[Symbol.dispose]();
    await next;
  });

  it("lets no waiting request through that the same signal aborts a moment later than the one before it", async () => {
    const limiter = new RequestLimiter(1, fakeClock());
    const run = new AbortController();
    const place = await limiter.acquire(run.signal);
    run.signal.addEventListener("abort", () => place[Symbol.dispose]());
    const waiting = failure(limiter.acquire(run.signal));
    const next = limiter.acquire(never);
    run.abort();
    expect(await waiting).to.equal(run.signal.reason);
    await next;
  });

  it("gives its place back when it is aborted during a pause", async () => {
    const clock = fakeClock();
    const limiter = new RequestLimiter(1, { ...clock, sleep: (_, signal) => Promise.reject(signal?.reason) });
    limiter.rateLimited(1_000);
    await failure(limiter.acquire(never));
    clock.nowMs += 1_000;
    await limiter.acquire(never);
  });
});

const OLDEST = manifest.engines.node.slice(">=".length);

describe("client", () => {
  it("loads no undici before its first request", () => {
    const program = `
      const { PreviewenvClient } = require(${JSON.stringify(require.resolve("../../dist/provider/src/client"))});
      new PreviewenvClient(${JSON.stringify(CLIENT)});
      console.log(Object.keys(require.cache).filter((file) => /[\\\\/]undici[\\\\/]/.test(file)).length);
    `;
    const output = execFileSync(process.execPath, ["-e", program]);
    expect(output.toString()).to.equal("0\n");
  });
});

describe("what runs the client", () => {
  for (const node of [`${OLDEST}.0`, "22.20.1", "24.0.0", "26.3.1"])
    it(`may be Node ${node}`, () => expect(() => requireRuntime({ node })).to.not.throw());

  for (const node of ["18.20.8", "20.20.2", "22.18.0", "22.9.0"])
    it(`is refused when it is Node ${node}, with the version that is needed and where the old one is`, () =>
      expect(() => requireRuntime({ node }))
        .to.throw(ConfigError, `needs Node ${OLDEST} or newer, and this is ${node}`)
        .with.property("message")
        .that.contains(process.execPath));

  it("is refused when it is Bun, with the entry that works there", () =>
    expect(() => requireRuntime({ node: "24.3.0", bun: "1.4.5" })).to.throw(ConfigError, "pulumi-previewenv/native"));
});
