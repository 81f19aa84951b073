import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect } from "chai";
import { type Connections, ServiceConnections } from "../../provider/src/client/connections";
import { certificate } from "./support/certificate";
import { deferred, failure } from "./support/samples";
import { type RawServer, startRaw, startScript } from "./support/scripted-server";

const MAX_CONNECTIONS = 3;
/** Against hanging only. */
const HANGING_MS = 30_000;
const get = { method: "GET", path: "/api/v1/environment", headers: {}, body: undefined };

function connect(origin: string): Connections {
  return new ServiceConnections({
    baseUrl: { origin, prefix: "", loopback: true },
    proxy: undefined,
    maxConnections: MAX_CONNECTIONS,
    connectTimeoutMs: 600_000,
  });
}

/** Sends one request; notes whether it was sent. */
function follow(connections: Connections, signal = new AbortController().signal) {
  const seen = { sent: 0 };
  const answer = connections.exchange(get, { signal, onSent: () => (seen.sent += 1) });
  return { seen, answer };
}

const addressOf = ({ port }: RawServer): string => `http://127.0.0.1:${port}`;

describe("client/connections: an exchange", () => {
  it("gives the answer whole, and keeps its connection", async () => {
    await using server = await startScript([{ status: 201, headers: { "x-a": "b" }, text: "žluťoučký" }]);
    const connections = connect(server.url);
    for (let time = 0; time < 5; time++) {
      const { seen, answer } = follow(connections);
      const { status, headers, body } = await answer;
      expect({ status, body }).to.deep.equal({ status: 201, body: "žluťoučký" });
      expect(headers["x-a"]).to.equal("b");
      expect(seen.sent).to.equal(1);
    }
    expect(server.sockets.size).to.equal(1);
    await connections.close();
  });

  for (const method of ["PUT", "DELETE"])
    it(`sends a body as it is: ${method}`, async () => {
      await using server = await startScript([{ status: 204 }]);
      const connections = connect(server.url);
      const body = JSON.stringify({ value: "ž" });
      const headers = { "content-type": "application/json" };
      const { signal } = new AbortController();
      await connections.exchange({ ...get, method, headers, body }, { signal, onSent: () => undefined });
      expect(server.requests[0]).to.deep.include({ method, body: { value: "ž" } });
      expect(server.requests[0]?.headers).to.include({ "content-type": "application/json", "content-length": "14" });
      await connections.close();
    });

  for (const drop of ["silently", "midway"] as const)
    it(`fails when no whole answer comes, and knows that the request was sent: ${drop}`, async () => {
      await using server = await startScript([{ text: "fine" }, { drop }]);
      const connections = connect(server.url);
      await follow(connections).answer;
      const { seen, answer } = follow(connections);
      expect(await failure(answer)).to.be.instanceOf(Error);
      expect(seen.sent).to.equal(1);
      await connections.close();
    });

  it("fails when nothing listens, and knows that nothing was sent", async () => {
    const server = await startScript([{}]);
    const connections = connect(server.url);
    await server[Symbol.asyncDispose]();
    const { seen, answer } = follow(connections);
    expect(await failure(answer)).to.have.property("code", "ECONNREFUSED");
    expect(seen.sent).to.equal(0);
    await connections.close();
  });

  it("sends nothing when it is ended before", async () => {
    await using server = await startScript([{}]);
    const connections = connect(server.url);
    const { seen, answer } = follow(connections, AbortSignal.abort(new Error("ended")));
    expect(await failure(answer)).to.have.property("message", "ended");
    expect([seen.sent, server.requests.length]).to.deep.equal([0, 0]);
    await connections.close();
  });

  it("ends a request in flight with the reason", async () => {
    const arrived = deferred<void>();
    await using server = await startScript(() => {
      arrived.resolve();
      return { after: new Promise(() => undefined) };
    });
    const connections = connect(server.url);
    const end = new AbortController();
    const { answer } = follow(connections, end.signal);
    const ended = failure(answer);
    await arrived.promise;
    end.abort(new Error("ended"));
    expect(await ended).to.have.property("message", "ended");
    await connections.close();
  });

  it("ends a connection that is still being opened when it is closed", async () => {
    // It never answers the TLS greeting.
    const greeted = deferred<Socket>();
    await using silent = await startRaw((socket) => greeted.resolve(socket));
    const connections = connect(`https://127.0.0.1:${silent.port}`);
    const ended = failure(follow(connections).answer);
    const socket = await greeted.promise;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await connections.close();
    await Promise.all([ended, closed]);
  });

  it("waits for the answer after a provisional one", async () => {
    const answer = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine";
    await using server = await startRaw((socket) => socket.end(answer));
    const connections = connect(addressOf(server));
    expect(await follow(connections).answer).to.include({ status: 200, body: "fine" });
    await connections.close();
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
      const connections = connect(addressOf(server));
      const { signal } = new AbortController();
      const put = { ...get, method: "PUT", body: "x".repeat(megabytes * 1024 * 1024) };
      for (let time = 0; time < 20; time++) {
        const { status } = await connections.exchange(put, { signal, onSent: () => undefined });
        expect(status).to.equal(413);
      }
      expect(await follow(connections, AbortSignal.timeout(HANGING_MS)).answer).to.include({ body: "fine" });
      expect(new Set(refused).size).to.equal(20);
      const ended = refused.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of refused) socket.removeAllListeners("data").resume();
      await Promise.all(ended);
      await connections.close();
    });

  describe("with TLS", () => {
    const trusted = getCACertificates("default");

    before(() => setDefaultCACertificates([...trusted, certificate.cert]));

    after(() => setDefaultCACertificates(trusted));

    it("sends nothing to a service whose certificate it does not trust", async () => {
      setDefaultCACertificates(trusted);
      await using server = await startScript([{ text: "fine" }], certificate);
      const connections = connect(server.url);
      const { seen, answer } = follow(connections);
      expect(await failure(answer)).to.have.property("code", "DEPTH_ZERO_SELF_SIGNED_CERT");
      expect([seen.sent, server.requests.length]).to.deep.equal([0, 0]);
      await connections.close();
    });
  });
});
