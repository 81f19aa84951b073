import { once } from "node:events";
import { createServer as createProxy } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { type Answer, MAX_ANSWER_BYTES, ServiceConnections } from "../../provider/src/client/connections";
import { ANSWER_TOO_LARGE } from "../../provider/src/client/unreachable";
import { listen } from "../support/listen";
import { certificate } from "./support/certificate";
import { deferred, failure } from "./support/samples";

const MIB = 1024 * 1024;
/** What the system and a proxy take in beyond what anybody reads. */
const IN_BETWEEN_BYTES = 48 * MIB;
/** Ends an answer that nobody ends. */
const ENOUGH_BYTES = 4 * (MAX_ANSWER_BYTES + IN_BETWEEN_BYTES);

/** How an answer begins, and what follows again and again. */
interface Endless {
  readonly head: string;
  readonly piece: string;
}

const text = "x".repeat(MIB);
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const bodies: Readonly<Record<string, Endless>> = {
  "without a length": { head: "HTTP/1.1 200 OK\r\n\r\n", piece: text },
  "with a length of 1 TB": { head: "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n", piece: text },
  "in chunks": { head: chunked, piece: `${MIB.toString(16)}\r\n${text}\r\n` },
  "in one chunk": { head: `${chunked}ffffffffff\r\n`, piece: text },
};

/** A server whose answer to the first bytes does not end. */
interface EndlessServer extends AsyncDisposable {
  readonly port: number;
  /** Settles when its first connection is closed, with how much was sent until then. */
  readonly closed: Promise<number>;
}

async function startEndless({ head, piece }: Endless, secure: boolean): Promise<EndlessServer> {
  const closed = deferred<number>();
  const sockets = new Set<Socket>();
  const answer = (socket: Socket): void => {
    sockets.add(socket);
    let sent = 0;
    socket.on("error", () => socket.destroy());
    socket.once("close", () => closed.resolve(sent));
    const send = (error?: Error | null): void => {
      // Not after an error: Node would call back at once, for ever.
      if (error) return;
      sent += piece.length;
      if (sent >= ENOUGH_BYTES) socket.destroy();
      else socket.write(piece, send);
    };
    socket.once("data", () => socket.write(head, send));
  };
  const server = secure ? createSecureServer(certificate, answer) : createServer(answer);
  const port = await listen(server);
  return { port, closed: closed.promise, [Symbol.asyncDispose]: () => end(server, sockets) };
}

async function end(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** A proxy that makes tunnels. */
async function startTunnels(): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const proxy = createProxy().on("connect", ({ url = "" }, client: Socket) => {
    const service = connect(Number(new URL(`http://${url}`).port), "127.0.0.1");
    sockets.add(client).add(service);
    client.write("HTTP/1.1 200 Connected\r\n\r\n");
    pipeline(client, service, () => service.destroy());
    pipeline(service, client, () => client.destroy());
  });
  return { port: await listen(proxy), [Symbol.asyncDispose]: () => end(proxy, sockets) };
}

const at = (port: number): string => `http://127.0.0.1:${port}`;

async function ask(origin: string, proxy?: string): Promise<Answer> {
  const connections = new ServiceConnections({
    baseUrl: { origin, prefix: "", loopback: false },
    proxy: proxy === undefined ? undefined : { address: proxy, variable: "HTTPS_PROXY" },
    maxConnections: 3,
    connectTimeoutMs: 600_000,
  });
  const { signal } = new AbortController();
  const request = { method: "GET", path: "/api/v1/environment", headers: {}, body: undefined };
  // Not closed after the answer: the connection has to end by itself.
  return connections.exchange(request, { signal, onSent: () => undefined });
}

/** The ways to a service. */
const ways: Readonly<Record<string, { secure: boolean; ask: (port: number, tunnels: string) => Promise<Answer> }>> = {
  straight: { secure: false, ask: (port) => ask(at(port)) },
  "straight, with TLS": { secure: true, ask: (port) => ask(`https://127.0.0.1:${port}`) },
  "through a proxy": { secure: false, ask: (port) => ask("http://previews.example.test", at(port)) },
  "through a tunnel": { secure: true, ask: (port, tunnels) => ask(`https://127.0.0.1:${port}`, tunnels) },
};

describe("client/exchange: an answer that does not end", () => {
  const trusted = getCACertificates("default");
  const noProxy = new Map(["NO_PROXY", "no_proxy"].map((name) => [name, process.env[name]]));

  before(() => {
    setDefaultCACertificates([...trusted, certificate.cert]);
    for (const name of noProxy.keys()) delete process.env[name];
  });

  after(() => {
    setDefaultCACertificates(trusted);
    for (const [name, value] of noProxy) if (value !== undefined) process.env[name] = value;
  });

  for (const [way, { secure, ask: askOn }] of Object.entries(ways)) {
    for (const [what, endless] of Object.entries(bodies))
      it(`is kept up to 16 MiB, and its connection is closed: ${way}, ${what}`, async () => {
        await using server = await startEndless(endless, secure);
        await using proxy = await startTunnels();
        const { status, body, cutOffBy } = await askOn(server.port, at(proxy.port));
        expect([status, cutOffBy]).to.have.nested.property("1.code", ANSWER_TOO_LARGE);
        expect(body.length).to.be.at.most(MAX_ANSWER_BYTES);
        expect(await server.closed).to.be.at.most(MAX_ANSWER_BYTES + IN_BETWEEN_BYTES);
      });

    it(`is whole at its length, and its connection is closed: ${way}`, async () => {
      const head = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine";
      await using server = await startEndless({ head, piece: text }, secure);
      await using proxy = await startTunnels();
      expect(await askOn(server.port, at(proxy.port))).to.include({ status: 200, body: "fine", cutOffBy: undefined });
      expect(await server.closed).to.be.at.most(IN_BETWEEN_BYTES);
    });

    for (const [what, head] of Object.entries({ headers: "HTTP/1.1 200 OK\r\n", trailers: `${chunked}0\r\n` }))
      it(`ends the connection by its ${what}: ${way}`, async () => {
        await using server = await startEndless({ head, piece: `x: ${text}\r\n` }, secure);
        await using proxy = await startTunnels();
        const answer = askOn(server.port, at(proxy.port));
        if (what === "headers") await failure(answer);
        else expect((await answer).cutOffBy).to.be.instanceOf(Error);
        expect(await server.closed).to.be.at.most(IN_BETWEEN_BYTES);
      });
  }

  it("is a failure, and its connection is closed, when a proxy wants a password", async () => {
    const head = "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n";
    await using server = await startEndless({ head, piece: text }, false);
    await failure(ask("http://previews.example.test", at(server.port)));
    expect(await server.closed).to.be.at.most(IN_BETWEEN_BYTES);
  });

  it("is not unpacked, so that few bytes stay few", async () => {
    const packed = gzipSync(Buffer.alloc(2 * MAX_ANSWER_BYTES));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => socket.end(Buffer.concat([Buffer.from(head), packed])));
    });
    const { body, cutOffBy } = await ask(at(await listen(server)));
    expect(cutOffBy).to.equal(undefined);
    expect(body.length).to.be.at.most(packed.length);
    await end(server, []);
  });
});
