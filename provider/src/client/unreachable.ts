/** Why a request did not reach the service, where waiting does not help. */
export interface Obstacle {
  /** For people, such as a system error code. */
  readonly reason: string;
  /** What to do about it, where more can be said than what to check. */
  readonly advice?: string;
}

/** What undici says of a proxy that refuses a tunnel; it gives the status in no other form. */
const REFUSED_TUNNEL = /^Proxy response \((\d{3})\)/u;
/** The same for a proxy that forwards plain http. */
const FORWARDING_REFUSED = "Proxy Authentication Required (407)";
/** What its parser says of bytes that are not the start of an answer. Such an error has no code. */
const EXPECTED_HTTP = /\(Expected HTTP\//u;
const UNKNOWN_REASON = "unknown reason";
const NOT_HTTP = "not HTTP";
const AUTHENTICATION_REQUIRED = 407;
const FORBIDDEN = 403;

const CHECK_SCHEME = "Check whether previewenv:baseUrl begins with http or https, and its port.";

/** Codes of errors, and what to do. https://nodejs.org/api/tls.html#x509-certificate-error-codes lists those of certificates. */
const obstacles: readonly (readonly [RegExp, string | undefined])[] = [
  [/^(ENOTFOUND|ECONNREFUSED)$/u, undefined],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/u,
    "The certificate is for another host. Check the host in previewenv:baseUrl.",
  ],
  [/^UND_ERR_PRX_TLS$/u, "The certificate of the proxy is for another host."],
  [
    /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/u,
    "The certificate is not valid at this time. Check the date of this machine, and previewenv:baseUrl.",
  ],
  [
    /CERT|^UNABLE_TO_|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/u,
    "This machine does not trust the certificate. If a company's own authority signs it, set the environment variable " +
      "NODE_EXTRA_CA_CERTS to the file with that authority's certificate (PEM). If not, check previewenv:baseUrl.",
  ],
  [
    /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/u,
    `What answers there does not speak TLS. ${CHECK_SCHEME}`,
  ],
  [new RegExp(`^${NOT_HTTP}$`, "u"), `What answers there does not speak HTTP, but perhaps TLS. ${CHECK_SCHEME}`],
];

/** The obstacle that an error tells of; `undefined` when waiting may help, such as EAI_AGAIN, a time-out, a lost connection. */
export function obstacleOf(error: unknown, proxyVariable: string | undefined): Obstacle | undefined {
  const status = refusalOfProxy(error);
  if (status === AUTHENTICATION_REQUIRED || status === FORBIDDEN)
    return { reason: `the proxy answered ${status}`, advice: adviceForProxy(status, proxyVariable) };
  const reason = reasonOf(error);
  const found = obstacles.find(([codes]) => codes.test(reason));
  return found && { reason, ...(found[1] !== undefined && { advice: found[1] }) };
}

/** Why no answer came, for people: what the proxy answered, or a code such as ECONNRESET. Never a text of the service. */
export function reasonOf(error: unknown): string {
  const status = refusalOfProxy(error);
  if (status !== undefined) return `the proxy answered ${status}`;
  if (!(error instanceof Error)) return UNKNOWN_REASON;
  if (EXPECTED_HTTP.test(error.message)) return NOT_HTTP;
  return "code" in error && typeof error.code === "string" ? error.code : UNKNOWN_REASON;
}

function refusalOfProxy(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === FORWARDING_REFUSED) return AUTHENTICATION_REQUIRED;
  const status = REFUSED_TUNNEL.exec(error.message)?.[1];
  return status === undefined ? undefined : Number(status);
}

function adviceForProxy(status: number, variable = "the proxy's variable"): string {
  return status === AUTHENTICATION_REQUIRED
    ? `Put user and password into ${variable}: http://user:password@host:port.`
    : `The proxy that ${variable} names does not allow this address. Check previewenv:baseUrl and NO_PROXY.`;
}
