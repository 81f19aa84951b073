import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect } from "chai";
import type { ClientOptions } from "../../provider/src/client";
import { ConnectionError, UnreachableError } from "../../provider/src/client/errors";
import { type FakeClock, fakeClock } from "./support/fake-clock";
import { certificate, resolveNames, withoutProxies } from "./support/network";
import { clientAt, environmentItem, failure, ID } from "./support/samples";
import { type Reply, startRaw, startScript } from "./support/scripted-server";

const SECRET = "pass-of-the-proxy";
const HOST = "https://previews.example.test";
const fine: Reply = { json: environmentItem() };

/** Makes a place where no request arrives, and gives its address. The stack closes what it opens. */
type Nowhere = (open: AsyncDisposableStack) => string | Promise<string>;

const withTls: Nowhere = async (open) => open.use(await startScript([fine], certificate)).url;

const raw =
  (scheme: "http" | "https", onData: (socket: Socket) => void): Nowhere =>
  async (open) =>
    `${scheme}://127.0.0.1:${open.use(await startRaw(onData)).port}`;

/** A proxy that answers this to whatever it is asked for. */
const proxied =
  (baseUrl: string, answer: string): Nowhere =>
  async (open) => {
    const proxy = open.use(await startRaw((socket) => socket.end(answer)));
    const address = `http://user:${SECRET}@127.0.0.1:${proxy.port}`;
    Object.assign(process.env, { HTTPS_PROXY: address, HTTP_PROXY: address });
    return baseUrl;
  };

async function unheard(): Promise<string> {
  const server = await startScript([fine]);
  await server[Symbol.asyncDispose]();
  return server.url;
}

const named =
  (code: string): Nowhere =>
  (open) => {
    open.use(resolveNames(() => code));
    return HOST;
  };

const hopeless: readonly (readonly [string, Nowhere, RegExp])[] = [
  ["nothing listens", unheard, /\(ECONNREFUSED\)\. Check previewenv:baseUrl and the network\./u],
  ["the host's name does not exist", named("ENOTFOUND"), /\(ENOTFOUND\)\. Check previewenv:baseUrl/u],
  [
    "the certificate is of an unknown authority",
    withTls,
    /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. The certificate is not accepted\. Check previewenv:baseUrl, and the date .* NODE_EXTRA_CA_CERTS to the file/u,
  ],
  [
    "the certificate is for another name",
    async (open) => {
      setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);
      open.use(resolveNames(() => "127.0.0.1"));
      return `${HOST}:${new URL(await withTls(open)).port}`;
    },
    /\(ERR_TLS_CERT_ALTNAME_INVALID\)\. The certificate is not accepted\. Check previewenv:baseUrl/u,
  ],
  [
    "TLS is spoken to a plain port",
    raw("https", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n")),
    /\(ERR_SSL_WRONG_VERSION_NUMBER\)\. What answers there speaks another protocol, .*\. Check previewenv:baseUrl and/u,
  ],
  [
    "plain http is spoken to TLS",
    // An alert: an unexpected message.
    raw("http", (socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 10]))),
    /\(not HTTP\)\. The request may have .* speaks another protocol, .*\. Check previewenv:baseUrl and/u,
  ],
  [
    "what is named as the proxy speaks no HTTP",
    proxied(HOST, "SSH-2.0-OpenSSH_9.2\r\n"),
    /\(not HTTP\)\. .* speaks another protocol, .*\. Check the proxy that HTTPS_PROXY names, NO_PROXY, previewenv:baseUrl/u,
  ],
  [
    "a proxy wants user and password",
    proxied(HOST, "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
    /\(the proxy answered 407\)\. Check user and password in HTTPS_PROXY: http:\/\/user:password@host:port\./u,
  ],
  [
    "a proxy that forwards plain http wants user and password",
    proxied("http://previews.example.test", "HTTP/1.1 407 No\r\ncontent-length: 2\r\n\r\nno"),
    /\(the proxy answered 407\)\. Check user and password in HTTP_PROXY: /u,
  ],
  [
    "no proxy listens",
    () => {
      process.env["HTTPS_PROXY"] = `http://user:${SECRET}@127.0.0.1:9`;
      return HOST;
    },
    /Check the proxy that HTTPS_PROXY names, NO_PROXY, /u,
  ],
  [
    "a proxy does not allow the address",
    proxied(HOST, "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"),
    /\(the proxy answered 403\)\. The proxy that HTTPS_PROXY names does not allow this address\. Check .* NO_PROXY\./u,
  ],
];

describe("client: a service that cannot be reached", () => {
  const trusted = getCACertificates("default");
  let clock: FakeClock;

  withoutProxies();
  beforeEach(() => (clock = fakeClock()));
  afterEach(() => setDefaultCACertificates(trusted));

  const connect = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
    clientAt(baseUrl, { clock, allowInsecureHttp: true, ...options });

  for (const [what, start, text] of hopeless) {
    it(`is tried once more after 2 s, where none ever answered: ${what}`, async () => {
      await using open = new AsyncDisposableStack();
      await using client = connect(await start(open));
      const error = await failure(client.environments.get(ID));
      expect(error).to.be.instanceOf(UnreachableError).with.property("message").that.matches(text);
      expect(String(error))
        .to.match(/ Tried for 2 s\. Waiting longer does not help\.$/u)
        .and.not.to.match(/UND_ERR|undefined|pass-of/u);
      expect(clock.sleeps).to.deep.equal([2_000]);
      // Others fail at once from then on.
      expect(String(await failure(client.environments.act("stop", ID)))).to.match(
        / Tried once\. Waiting longer does not help\.$/u,
      );
      expect(clock.sleeps).to.deep.equal([2_000]);
    });
  }

  for (const [maxRetries, maxRetryMs, sleeps] of [
    [10, undefined, [2_000]],
    [1, undefined, [2_000]],
    [undefined, 60_000, [2_000]],
    [0, undefined, []],
  ] as const)
    it(`is tried ${sleeps.length} times more when maxRetries is ${maxRetries} and its caller looks again after ${maxRetryMs} ms`, async () => {
      await using client = connect(await unheard(), { maxRetries });
      expect(await failure(client.environments.get(ID, { maxRetryMs }))).to.be.instanceOf(UnreachableError);
      expect(clock.sleeps).to.deep.equal(sleeps);
    });

  for (const code of ["EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT"])
    it(`is waited for when that may help: ${code}`, async () => {
      await using open = new AsyncDisposableStack();
      await using client = connect(await named(code)(open));
      const error = await failure(client.environments.get(ID));
      expect(error).to.be.instanceOf(ConnectionError).and.not.instanceOf(UnreachableError);
      expect(String(error)).to.match(/Tried for 6\d s/u);
    });

  it("is waited for when a proxy cannot reach it", async () => {
    await using open = new AsyncDisposableStack();
    const unavailable = proxied(HOST, "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
    await using client = connect(await unavailable(open));
    expect(String(await failure(client.environments.get(ID))))
      .to.match(/\(the proxy answered 503\)\. Check the proxy that HTTPS_PROXY names, .* Tried for 6\d s/u)
      .and.not.to.contain("UND_ERR");
  });

  for (const reply of [fine, { status: 503 }, { status: 401 }, { text: "<html>" }] as const)
    it(`is waited for when it has answered before: ${JSON.stringify(reply).slice(0, 20)}`, async () => {
      const server = await startScript([reply]);
      await using client = connect(server.url);
      await client.environments.get(ID, { maxRetryMs: 0 }).catch(() => undefined);
      await server[Symbol.asyncDispose]();
      clock.sleeps.splice(0);
      const error = await failure(client.environments.get(ID));
      expect(error).to.be.instanceOf(ConnectionError).and.not.instanceOf(UnreachableError);
      expect(String(error)).to.match(/Tried for 6\d s/u);
    });

  it("is found when it starts within 2 s", async () => {
    let answer = "ENOTFOUND";
    using _names = resolveNames(() => answer);
    await using server = await startScript([fine]);
    const starting = {
      ...clock,
      sleep: (ms: number, signal?: AbortSignal) => {
        answer = "127.0.0.1";
        return clock.sleep(ms, signal);
      },
    };
    const { port } = new URL(server.url);
    await using client = connect(`http://previews.example.test:${port}`, { clock: starting });
    expect((await client.environments.get(ID)).id).to.equal(ID);
  });
});
