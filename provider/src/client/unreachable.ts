import { MS_PER_SECOND } from "./clock";
import { see } from "./troubleshooting";

/** Why no answer came. */
export interface Obstacle {
  /** For people, such as a system error code. Never a text of the service. */
  readonly reason: string;
  /** The advice, as a sentence. */
  readonly advice: string;
  /** Whether waiting may help: EAI_AGAIN, a time-out, a lost connection. */
  readonly mayPass: boolean;
}

/** undici's code for an answer that is larger than is read. */
export const ANSWER_TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";
/** Undici's text about a proxy that refuses a tunnel. It gives the status in no other form. */
const REFUSED_TUNNEL = /^Proxy response \((\d{3})\)/u;
/** Undici's text about a proxy that refuses to forward plain http. */
const FORWARDING_REFUSED = "Proxy Authentication Required (407)";
/** Its parser's text about bytes that are not the start of an answer. Such an error has no code. */
const EXPECTED_HTTP = /\(Expected HTTP\//u;
/** The reason when a proxy wants a user and a password. It has not sent the request on. */
export const PROXY_REFUSES = "the proxy answered 407";
const UNKNOWN_REASON = "unknown reason";
const NOT_HTTP = "not HTTP";
/** Stand in an advice for the environment variable that names the proxy, and for all that names the way to the service. */
const PROXY = "<proxy>";
const WHAT = "<what>";

const CHECK = `Check ${WHAT}.`;

/**
 * Reasons that waiting does not change, and what to do. Codes of certificates:
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes.
 */
const lasting: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${PROXY_REFUSES}$`, "u"), `Check user and password in ${PROXY}: http://user:password@host:port.`],
  [
    /^the proxy answered 403$/u,
    `The proxy that ${PROXY} names does not allow this address. Check previewenv:baseUrl and NO_PROXY.`,
  ],
  [/^(ENOTFOUND|ECONNREFUSED)$/u, CHECK],
  [
    /CERT|^UNABLE_TO_|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$|^UND_ERR_PRX_TLS$/u,
    "The certificate is not accepted. Check previewenv:baseUrl, and the date of this machine. If a company's own authority signs it, " +
      "set the environment variable NODE_EXTRA_CA_CERTS to the file with that authority's certificate (PEM). " +
      see("certificate"),
  ],
  [
    new RegExp(`^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|${NOT_HTTP})$`, "u"),
    `What answers there speaks another protocol, such as http in the place of https. Check ${WHAT}.`,
  ],
];

/**
 * Why no answer came, as an error of a connection tells it.
 * @param proxyVariable the environment variable that names the proxy on the way to the service, if there is one
 */
export function obstacleOf(error: unknown, proxyVariable: string | undefined): Obstacle {
  const reason = reasonOf(error);
  const [, advice] = lasting.find(([reasons]) => reasons.test(reason)) ?? [];
  return {
    reason,
    mayPass: advice === undefined,
    advice: (advice ?? CHECK)
      .replaceAll(PROXY, proxyVariable ?? "the proxy's variable")
      .replaceAll(WHAT, whatToCheck(proxyVariable)),
  };
}

/** Why no answer came when the request timeout has passed. */
export function timeoutObstacle(timeoutMs: number, proxyVariable: string | undefined): Obstacle {
  return {
    reason: `none within ${timeoutMs / MS_PER_SECOND} s`,
    mayPass: true,
    advice: `Check ${whatToCheck(proxyVariable)}, or raise previewenv:requestTimeoutSeconds.`,
  };
}

/** With a proxy its variables come first: a wrong address looks as if the service did not answer. */
function whatToCheck(proxyVariable: string | undefined): string {
  const service = "previewenv:baseUrl and the network";
  return proxyVariable === undefined ? service : `the proxy that ${proxyVariable} names, NO_PROXY, ${service}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return UNKNOWN_REASON;
  const status = error.message === FORWARDING_REFUSED ? "407" : REFUSED_TUNNEL.exec(error.message)?.[1];
  if (status !== undefined) return `the proxy answered ${status}`;
  if (EXPECTED_HTTP.test(error.message)) return NOT_HTTP;
  return "code" in error && typeof error.code === "string" ? error.code : UNKNOWN_REASON;
}
