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
