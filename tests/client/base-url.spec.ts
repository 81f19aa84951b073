import { expect } from "chai";
import { parseBaseUrl, proxyFor } from "../../provider/src/client/base-url";
import { ConfigError } from "../../provider/src/client/errors";

describe("client/base-url", () => {
  const accepted: readonly [string, string, string][] = [
    ["https://previews.example.com", "https://previews.example.com", ""],
    ["https://previews.example.com/", "https://previews.example.com", ""],
    ["https://gw.example.com:8443/x/", "https://gw.example.com:8443", "/x"],
    ["https://gw.example.com/x/y", "https://gw.example.com", "/x/y"],
    ["https://gw.example.com/api/v1x", "https://gw.example.com", "/api/v1x"],
    ["http://localhost:4010", "http://localhost:4010", ""],
    ["http://127.0.0.2:1", "http://127.0.0.2:1", ""],
    ["http://[::1]:1/", "http://[::1]:1", ""],
  ];
  for (const [text, origin, prefix] of accepted) {
    it(`accepts ${text}`, () =>
      expect(parseBaseUrl(text, false)).to.deep.equal({ origin, prefix, loopback: text.startsWith("http:") }));
  }

  const refused: readonly [string, string][] = [
    ["", "must be an http or https address"],
    ["previews.example.com", "must be an http or https address"],
    ["ftp://previews.example.com", "must be an http or https address"],
    ["https://previews.example.com/api/v1", 'must end before "/api/v1"'],
    ["https://gw.example.com/x/api/v1/", "Use https://gw.example.com/x."],
    ["https://gw.example.com/api/v1/environment", "Use https://gw.example.com."],
    ["https://previews.example.com?a=b", "query"],
    ["https://previews.example.com/?", "query"],
    ["https://previews.example.com/#a", "fragment"],
    ["http://previews.example.com", "previewenv:allowInsecureHttp"],
    ["http://127.0.0.1.example.com", "previewenv:allowInsecureHttp"],
    ["http://localhost.example.com", "previewenv:allowInsecureHttp"],
    ["http://previews.localhost", "previewenv:allowInsecureHttp"],
    ["http://0.0.0.0:4010", "previewenv:allowInsecureHttp"],
    ["http://[::]:4010", "previewenv:allowInsecureHttp"],
    ["HTTP://PREVIEWS.EXAMPLE.COM", "previewenv:allowInsecureHttp"],
    ["\nhttp://previews.exam\tple.com", "previewenv:allowInsecureHttp"],
    ["javascript:alert(1)", "must be an http or https address"],
    ["https:", "must be an http or https address"],
  ];
  for (const [text, reason] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseBaseUrl(text, false)).to.throw(ConfigError, reason);
      expect(() => parseBaseUrl(text, false)).to.throw(ConfigError, "previewenv:baseUrl");
    });
  }

  it("does not show credentials that it refuses", () => {
    expect(() => parseBaseUrl("https://anna:geheim@previews.example.com", false))
      .to.throw(ConfigError, "user name or password")
      .that.satisfies((error: Error) => !/anna|geheim/u.test(error.message));
  });

  it("accepts plain http to another machine when that is allowed", () => {
    expect(parseBaseUrl("http://10.0.0.7/x", true)).to.deep.equal({
      origin: "http://10.0.0.7",
      prefix: "/x",
      loopback: false,
    });
  });
});

describe("client/base-url: networks in NO_PROXY", () => {
  const rows: readonly (readonly [host: string, noProxy: string, isCovered: boolean])[] = [
    ["192.0.2.7", "192.0.2.0/24", true],
    ["192.0.2.7", "other.test, 10.0.0.0/8 192.0.2.7/32", true],
    ["192.0.2.7", "0.0.0.0/0", true],
    ["192.0.3.7", "192.0.2.0/24", false],
    ["[2001:db8::7]", "2001:db8::/32", true],
    ["[2001:db8::7]", "[2001:db8::]/32", true],
    ["[2001:db9::7]", "2001:db8::/32", false],
    ["[2001:db8::7]", "0.0.0.0/0", false],
    // Names are not looked up.
    ["previews.example.test", "0.0.0.0/0,::/0", false],
    // No networks.
    ...["192.0.2.0/33", "192.0.2/24", "192.0.2.0/", "/24", "192.0.2.0/24/8", "2001:db8::/129", "192.0.2.0/-1"].map(
      (entry) => ["192.0.2.7", entry, false] as const,
    ),
  ];
  for (const [host, noProxy, isCovered] of rows)
    it(`${isCovered ? "cover" : "do not cover"} ${host}: ${noProxy}`, () => {
      for (const [variable, protocol] of [
        ["NO_PROXY", "http"],
        ["no_proxy", "https"],
      ] as const) {
        const environment = { HTTP_PROXY: "http://proxy.corp:3128", [variable]: noProxy };
        const proxy = proxyFor(parseBaseUrl(`${protocol}://${host}:8080`, true), environment);
        expect(proxy === undefined).to.equal(isCovered);
      }
    });

  it("are those of no_proxy, if both variables exist, as undici reads them", () => {
    const environment = { HTTP_PROXY: "http://proxy.corp:3128", no_proxy: "", NO_PROXY: "192.0.2.0/24" };
    expect(proxyFor(parseBaseUrl("http://192.0.2.7", true), environment)).not.to.equal(undefined);
  });
});
