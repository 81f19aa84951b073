import type { BaseUrl } from "./base-url";
import { ConfigError } from "./errors";

/** The proxy between this machine and the service. */
export interface Proxy {
  /** The environment variable that names it. */
  readonly variable: string;
  readonly address: string;
}

/** The protocols that undici can use to a proxy. */
const PROTOCOLS: readonly string[] = ["http:", "https:", "socks:", "socks5:"];

/**
 * The proxy for requests to a service, from the variables that curl and others read: `https_proxy`, `HTTPS_PROXY`, or else
 * `http_proxy`, `HTTP_PROXY`. undici itself applies `NO_PROXY`. A loopback address needs no proxy.
 * @throws ConfigError that names the variable, and never its value: it may hold a password
 */
export function proxyFor({ origin, loopback }: BaseUrl, environment: NodeJS.ProcessEnv): Proxy | undefined {
  if (loopback) return undefined;
  const plain = firstOf(["http_proxy", "HTTP_PROXY"], environment);
  const secure = firstOf(["https_proxy", "HTTPS_PROXY"], environment);
  const found = origin.startsWith("https:") ? (secure ?? plain) : plain;
  if (found === undefined || isUsable(found.address)) return found;
  throw new ConfigError(
    `The environment variable ${found.variable} must be the address of a proxy, such as http://proxy.example.com:8080. ` +
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
