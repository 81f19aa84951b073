import * as net from "node:net";

type Lookup = NonNullable<net.TcpNetConnectOpts["lookup"]>;
/** As the connections of this process use it, so that it can be replaced. */
const dns: { lookup: Lookup } = require("node:dns");

/**
 * Answers each lookup of a name in this process, until it is disposed of.
 * @param answer the address, or the code of the error, such as ENOTFOUND
 */
export function resolveNames(answer: (name: string) => string): Disposable {
  const { lookup } = dns;
  dns.lookup = (name, options, done) => {
    const found = net.isIP(name) === 0 ? answer(name) : name;
    const family = net.isIP(found);
    if (family === 0) done(Object.assign(new Error(`getaddrinfo ${found} ${name}`), { code: found }), "", 0);
    else if (options.all === true) done(null, [{ address: found, family }]);
    else done(null, found, family);
  };
  return { [Symbol.dispose]: () => (dns.lookup = lookup) };
}

const NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] as const;

/** Each test of the suite in which this is called begins without proxies, and leaves the variables of this machine as they were. */
export function withoutProxies(): void {
  const before = NAMES.map((name) => [name, process.env[name]] as const);

  beforeEach(() => {
    for (const name of NAMES) delete process.env[name];
  });

  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
}

/**
 * A certificate of 127.0.0.1 and localhost for tests, signed by itself, valid until 2126. Nothing else trusts it. Made with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
 * -addext subjectAltName=DNS:localhost,IP:127.0.0.1`.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpE6j3Y41oY1fdA/h
j/JgQ6mE3ECr3fw+XFam9A1RDkOhRANCAARwjTe0J3tBxLaqzyjdxQOWPwwVIZrI
SefqGWAhLc8EgLH3TIYiV2n2Vcg3rtCTSS8YgoE372uyJdtGd/Atl/CO
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUCvly0BP4RVU3PvtXPQ49vaPtdZEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE0MTkwMVoYDzIxMjYxMDI5
MTQxOTAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARwjTe0J3tBxLaqzyjdxQOWPwwVIZrISefqGWAhLc8EgLH3TIYiV2n2
Vcg3rtCTSS8YgoE372uyJdtGd/Atl/COo28wbTAdBgNVHQ4EFgQUYtfSjMBomaLM
pUfUAa1syJfRqpUwHwYDVR0jBBgwFoAUYtfSjMBomaLMpUfUAa1syJfRqpUwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgI/YjPRpSOAzKY9cgikRhshhNlQw7R/gBuLpP/shvfMUCIDvd
Zj42Jtsx2amh+7JwW9iV6vQLAYpBjF6JqVt9Kmui
-----END CERTIFICATE-----
`,
};
