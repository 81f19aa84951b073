import { createServer, request } from "node:http";
import { connect } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect } from "chai";
import { ConfigError } from "../../provider/src/client/errors";
import { listen } from "../support/listen";
import { certificate, resolveNames, withoutProxies } from "./support/network";
import { clientAt, environmentItem, failure, ID } from "./support/samples";
import { startScript } from "./support/scripted-server";

const SECRET = "pass-of-the-proxy";

/** A proxy that knows one host: whatever plain http request it gets goes to `port` on this machine. */
async function startProxy(port: number): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push(incoming.url ?? "");
    const path = new URL(incoming.url ?? "").pathname;
    const { method, headers } = incoming;
    incoming.pipe(
      request({ port, host: "127.0.0.1", path, method, headers }, (upstream) => {
        answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(answer);
      }),
    );
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, asked, close };
}

describe("client/transport: proxy", () => {
  withoutProxies();

  it("reaches an https service through one tunnel, and keeps it. The proxy sees the host, and no token", async () => {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, certificate.cert]);
    await using server = await startScript([{ json: environmentItem() }], certificate);
    const { port } = new URL(server.url);
    const asked: string[] = [];
    const proxy = createServer().on("connect", ({ url = "", headers }, socket) => {
      asked.push(url);
      expect(headers).not.to.have.property("x-api-token");
      const upstream = connect(Number(port), "127.0.0.1");
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
      socket.on("error", () => upstream.destroy());
      upstream.on("error", () => socket.destroy());
    });
    process.env["HTTPS_PROXY"] = `http://127.0.0.1:${await listen(proxy)}`;
    // With the dot it is no address of this machine to the client. To the certificate it is.
    const client = clientAt(`https://localhost.:${port}`, { maxRetries: 0 });
    for (let time = 0; time < 3; time++) expect((await client.environments.get(ID)).id).to.equal(ID);
    expect(asked).to.deep.equal([`localhost.:${port}`]);
    await client.close();
    proxy.close();
    setDefaultCACertificates(trusted);
  });

  for (const [variable, toAddress] of [
    ["HTTP_PROXY", ({ href }: URL) => href],
    // Without a protocol it is one with http, as for curl.
    ["HTTP_PROXY", ({ host }: URL) => host],
    ["http_proxy", ({ host }: URL) => host],
  ] as const)
    it(`reaches the service through the proxy that the environment names: ${variable}, ${String(toAddress)}`, async () => {
      await using server = await startScript([{ json: environmentItem() }]);
      const proxy = await startProxy(Number(new URL(server.url).port));
      process.env[variable] = toAddress(new URL(proxy.url));
      await using client = clientAt("http://previews.example.test:8080", { allowInsecureHttp: true, maxRetries: 0 });
      expect((await client.environments.get(ID)).id).to.equal(ID);
      expect(proxy.asked).to.deep.equal([`http://previews.example.test:8080/api/v1/environment/${ID}`]);
      proxy.close();
    });

  for (const address of [
    "wrong address",
    `user:${SECRET}@proxy:99999`,
    `http://user:${SECRET}@proxy:99999`,
    `http://user:${SECRET}%@proxy.example.com`,
    "ftp://proxy.example.com",
    "http://proxy.example.com/path",
    "http://",
  ])
    for (const [variable, baseUrl] of [
      ["HTTP_PROXY", "http://previews.example.test"],
      ["http_proxy", "http://previews.example.test"],
      ["HTTPS_PROXY", "https://previews.example.test"],
      ["https_proxy", "https://previews.example.test"],
      ["HTTP_PROXY", "https://previews.example.test"],
    ] as const)
      it(`refuses a proxy that cannot be one by its variable, without its value: ${variable} for ${baseUrl} is ${address}`, async () => {
        process.env[variable] = address;
        await using client = clientAt(baseUrl, { allowInsecureHttp: true });
        for (let time = 0; time < 2; time++)
          expect(await failure(client.environments.act("rebuild", ID)))
            .to.be.instanceOf(ConfigError)
            .with.property("message")
            .that.includes(`The environment variable ${variable} must be the address of a proxy`)
            .and.does.not.match(/baseUrl|pass-of|example\.test|Tried/u);
      });

  for (const [noProxy, address] of [
    ["previews.example.test", "proxy.corp:3128"],
    [".example.test", `http://user:${SECRET}@proxy:99999`],
    ["other.test,*", "ftp://proxy.example.com"],
  ] as const)
    it(`needs no proxy where NO_PROXY covers the host, whatever the proxy is: ${noProxy}, ${address}`, async () => {
      await using server = await startScript([{ json: environmentItem() }]);
      using _names = resolveNames(() => "127.0.0.1");
      Object.assign(process.env, { HTTP_PROXY: address, NO_PROXY: noProxy });
      const { port } = new URL(server.url);
      await using client = clientAt(`http://previews.example.test:${port}`, { allowInsecureHttp: true, maxRetries: 0 });
      expect((await client.environments.get(ID)).id).to.equal(ID);
    });

  it("does not look at a proxy for other addresses, nor at one that is empty", async () => {
    await using server = await startScript([{ json: environmentItem() }]);
    using _names = resolveNames(() => "127.0.0.1");
    const { port } = new URL(server.url);
    Object.assign(process.env, { HTTPS_PROXY: "ftp://wrong", http_proxy: "", HTTP_PROXY: "ftp://wrong" });
    await using other = clientAt(`http://previews.example.test:${port}`, { allowInsecureHttp: true, maxRetries: 0 });
    expect((await other.environments.get(ID)).id).to.equal(ID);
    process.env["http_proxy"] = "ftp://wrong";
    await using client = clientAt(server.url);
    expect((await client.environments.get(ID)).id).to.equal(ID);
  });
});
