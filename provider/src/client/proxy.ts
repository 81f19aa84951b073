import type { BaseUrl } from "./base-url";
import { ConfigError } from "./errors";

/** The proxy between this machine and the service. */
export interface Proxy {
  /** The environment variable that names it. */
  readonly variable: string;
  /** With its protocol. */
  readonly address: string;
  /** The error of requests that need the proxy: the variable has no address of a proxy. `address` then is a stand-in. */
  readonly problem?: ConfigError;
}

/** The protocols that undici can use to a proxy. */
const PROTOCOLS: readonly string[] = ["http:", "https:", "socks:", "socks5:"];
/** Stands for an address that is none. It is never looked up. */
const STAND_IN = "http://proxy.invalid";

/**
 * The proxy for requests to a service, from the variables that curl and others read: `https_proxy`, `HTTPS_PROXY`, or else
 * `http_proxy`, `HTTP_PROXY`. An address without a protocol is one with http. undici itself applies `NO_PROXY`, so an address
 * that cannot be one is the error of those requests only that need the proxy. A loopback address needs no proxy.
 */
export function proxyFor({ origin, loopback }: BaseUrl, environment: NodeJS.ProcessEnv): Proxy | undefined {
  if (loopback) return undefined;
  const plain = firstOf(["http_proxy", "HTTP_PROXY"], environment);
  const secure = firstOf(["https_proxy", "HTTPS_PROXY"], environment);
  const found = origin.startsWith("https:") ? (secure ?? plain) : plain;
  if (found === undefined) return undefined;
  const { variable } = found;
  const address = found.address.includes("://") ? found.address : `http://${found.address}`;
  return isUsable(address) ? { variable, address } : { variable, address: STAND_IN, problem: unusable(variable) };
}

/** Names the variable, and never its value: it may hold a password. */
function unusable(variable: string): ConfigError {
  return new ConfigError(
    `The environment variable ${variable} must be the address of a proxy, such as http://proxy.example.com:8080. ` +
      "Its value is not shown, because it may hold a password.",
  );
}

/** The first variable that exists counts. An empty value means no proxy. */
function firstOf(names: readonly string[], environment: NodeJS.ProcessEnv): Proxy | undefined {
  const variable = names.find((name) => environment[name] !== undefined);
  const address = variable === undefined ? "" : (environment[variable] ?? "").trim();
  return variable === undefined || address === "" ? undefined : { variable, address };
}

function isUsable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return PROTOCOLS.includes(protocol) && hostname !== "" && [username, password].every(isEncoded);
}

/** Whether every "%" begins an encoded character, as undici needs it. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
