import type { BaseUrl } from "./base-url";

/** The proxy between this machine and the service. */
export interface Proxy {
  /** The environment variable that names it. */
  readonly variable: string;
  /** With its protocol, and perhaps a password. It may be no address. */
  readonly address: string;
}

/**
 * The proxy for requests to a service, from the variables that curl and others read: `https_proxy`, `HTTPS_PROXY`, or else
 * `http_proxy`, `HTTP_PROXY`. An address without a protocol is one with http. undici itself applies `NO_PROXY`. A loopback address needs
 * no proxy.
 */
export function proxyFor({ origin, loopback }: BaseUrl, environment: NodeJS.ProcessEnv): Proxy | undefined {
  if (loopback) return undefined;
  const plain = firstOf(["http_proxy", "HTTP_PROXY"], environment);
  const secure = firstOf(["https_proxy", "HTTPS_PROXY"], environment);
  const proxy = origin.startsWith("https:") ? (secure ?? plain) : plain;
  if (proxy === undefined) return undefined;
  return proxy.address.includes("://") ? proxy : { ...proxy, address: `http://${proxy.address}` };
}

/** The first variable that exists counts. An empty value means no proxy. */
function firstOf(names: readonly string[], environment: NodeJS.ProcessEnv): Proxy | undefined {
  const variable = names.find((name) => environment[name] !== undefined);
  const address = variable === undefined ? "" : (environment[variable] ?? "").trim();
  return variable === undefined || address === "" ? undefined : { variable, address };
}
