import { BlockList, isIP, type IPVersion } from "node:net";
import { ConfigError } from "./errors";

/** The base address: an origin, and a prefix before `/api/v1` in every path. */
export interface BaseUrl {
  readonly origin: string;
  /** Empty, or begins with a slash and ends without one. */
  readonly prefix: string;
  /** Whether it is this machine. No proxy is used then. */
  readonly loopback: boolean;
}

const SETTING = "previewenv:baseUrl (PREVIEWENV_BASE_URL)";
/** Not names below `localhost`: a resolver may take them to another machine. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;
/** The bits of an address. */
const PREFIX_BITS: Readonly<Record<IPVersion, number>> = { ipv4: 32, ipv6: 128 };
const API_PATH = /\/api\/v1(\/environment)?$/u;

/** Reads the base address. Throws ConfigError, which never shows credentials written into it. */
export function parseBaseUrl(text: string, allowInsecureHttp: boolean): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new ConfigError(`${SETTING} must be an http or https address, such as https://previews.example.com.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError(
      `${SETTING} must not contain a user name or password. The token belongs in previewenv:apiToken.`,
    );
  }
  if (text.includes("?") || text.includes("#")) {
    throw new ConfigError(`${SETTING} must not contain a query ("?") or a fragment ("#").`);
  }
  const loopback = LOOPBACK.test(url.hostname);
  if (url.protocol === "http:" && !allowInsecureHttp && !loopback) {
    throw new ConfigError(
      `${SETTING} is plain http to ${url.hostname}, which would show the token to everyone on the network path. ` +
        "Use https, or set previewenv:allowInsecureHttp to true.",
    );
  }
  const prefix = url.pathname.replace(/\/+$/u, "");
  if (API_PATH.test(prefix)) {
    throw new ConfigError(
      `${SETTING} must end before "/api/v1": the provider adds that part itself. ` +
        `Use ${url.origin}${prefix.replace(API_PATH, "")}.`,
    );
  }
  return { origin: url.origin, prefix, loopback };
}

/** The proxy between this machine and the service. */
export interface Proxy {
  /** The environment variable that names it. */
  readonly variable: string;
  /** With its protocol, and perhaps a password. It may be no address. */
  readonly address: string;
}

/**
 * The proxy for requests to a service, from the variables that curl and others read: `https_proxy`, `HTTPS_PROXY`, or else
 * `http_proxy`, `HTTP_PROXY`. An address without a protocol is one with http. undici itself applies `NO_PROXY`, except for the networks in
 * it. A loopback address needs no proxy.
 */
export function proxyFor({ origin, loopback }: BaseUrl, environment: NodeJS.ProcessEnv): Proxy | undefined {
  if (loopback || isInExcludedNetwork(origin, environment)) return undefined;
  const plain = firstOf(["http_proxy", "HTTP_PROXY"], environment);
  const secure = firstOf(["https_proxy", "HTTPS_PROXY"], environment);
  const proxy = origin.startsWith("https:") ? (secure ?? plain) : plain;
  if (proxy === undefined) return undefined;
  return proxy.address.includes("://") ? proxy : { ...proxy, address: `http://${proxy.address}` };
}

/** Whether the host is an address in a network (CIDR, such as `192.0.2.0/24`) of `no_proxy` or `NO_PROXY`. The first one that exists counts. */
function isInExcludedNetwork(origin: string, environment: NodeJS.ProcessEnv): boolean {
  const host = withoutBrackets(new URL(origin).hostname);
  const version = versionOf(host);
  if (version === undefined) return false;
  const entries = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split(/[,\s]/u);
  const networks = new BlockList();
  for (const entry of entries) {
    const [, text = "", prefix = ""] = /^(.+)\/(\d+)$/u.exec(entry) ?? [];
    const address = withoutBrackets(text);
    const ofNetwork = versionOf(address);
    if (ofNetwork !== undefined && Number(prefix) <= PREFIX_BITS[ofNetwork])
      networks.addSubnet(address, Number(prefix), ofNetwork);
  }
  return networks.check(host, version);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.+)\]$/u, "$1");
}

function versionOf(address: string): IPVersion | undefined {
  return ({ 4: "ipv4", 6: "ipv6" } as const)[isIP(address)];
}

/** The first variable that exists counts. An empty value means no proxy. */
function firstOf(names: readonly string[], environment: NodeJS.ProcessEnv): Proxy | undefined {
  const variable = names.find((name) => environment[name] !== undefined);
  const address = variable === undefined ? "" : (environment[variable] ?? "").trim();
  return variable === undefined || address === "" ? undefined : { variable, address };
}
