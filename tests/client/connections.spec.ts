import type { Socket } from "node:net";
import { expect } from "chai";
import { type Connections, ServiceConnections } from "../../provider/src/client/connections";
import { failure } from "./support/samples";
import { type RawServer, startRaw } from "./support/scripted-server";

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
