import type { FaultOptions } from "../../../provider/src/sandbox";

const PAGE = "<!doctype html><html><body>Deploying, please wait</body></html>";
const HTML = "text/html";

/** What a wait survives, as it looks on the wire. */
export const passingTroubles: Readonly<Record<string, FaultOptions>> = {
  "500": { status: 500 },
  "501": { status: 501 },
  "520 with a page": { status: 520, body: PAGE, contentType: HTML },
  "503 with a page": { status: 503, body: PAGE, contentType: HTML },
  "429": { status: 429, retryAfter: 5 },
  "a page with status 200": { status: 200, body: PAGE, contentType: HTML },
  "404 with a page": { gateway: "page" },
  "404 with JSON of a gateway": { gateway: "json" },
  "an empty answer": { status: 200, body: "" },
  "an answer of another shape": { status: 200, body: { data: 5 } },
  "half an answer": { malformed: true },
  "a connection that breaks": { dropAfter: true },
};

/** What ends a wait at once. */
export const endingTroubles: Readonly<Record<string, FaultOptions>> = {
  "401": { status: 401 },
  "403": { status: 403 },
};
