import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "../http/router";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** JSON, and what `curl -d` says when it is not told otherwise. A page of another origin could also send text/plain. */
const TYPES = /^application\/(?:json|x-www-form-urlencoded)\b/i;
/** "none": somebody typed the address. Clients that are no browsers send no such header. */
const OWN_SITES: readonly unknown[] = [undefined, "same-origin", "none"];

/**
 * Throws for a request that a foreign web page in the developer's browser may have sent. A browser says so itself: in `Origin` with
 * each request that changes something, in `Sec-Fetch-Site` with each request to this computer. A name that resolves to this computer
 * only since a moment ago (DNS rebinding) shows in `Host`. `listensOn` is the host that the server was told to listen on.
 */
export function refuseForeignPages(method: string, headers: IncomingHttpHeaders, listensOn: string): void {
  const { host = "", origin } = headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  if (isForeign || !OWN_SITES.includes(headers["sec-fetch-site"])) {
    throw new HttpError(403, "Control requests are not open to other origins");
  }
  if (LOOPBACK.test(listensOn) && !LOOPBACK.test(host)) {
    throw new HttpError(403, "Control requests must be addressed to a loopback host");
  }
  const type = headers["content-type"];
  if (method !== "GET" && (type === undefined ? method === "POST" : !TYPES.test(type))) {
    throw new HttpError(
      415,
      "A control request must have a JSON object as its body, and the Content-Type application/json (or that of curl -d)",
    );
  }
}
