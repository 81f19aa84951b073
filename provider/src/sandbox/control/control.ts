import type { IncomingMessage, ServerResponse } from "node:http";
import { Fields } from "../domain/fields";
import { sendReply, type Target } from "../http/exchange";
import { readBody } from "../http/request-body";
import { HttpError } from "../http/router";
import type { Mount } from "../http/server";
import { controlHandlers, type ControlOptions, type Handler } from "./handlers";
import { refuseForeignPages } from "./origin";

const ROOT = "/__sandbox/";

/**
 * The world, the faults, the journal and the clock over HTTP, for the page, for tests in another process and for curl. See docs/sandbox.md.
 * No token, no journal entry. Bodies are JSON objects. Refusals are `{ errors: [{ status, title }] }`.
 */
export class Control implements Mount {
  readonly #host: string;
  readonly #handlers: ReadonlyMap<string, Handler>;

  constructor(options: ControlOptions) {
    this.#host = options.host;
    this.#handlers = controlHandlers(options);
  }

  owns(path: string): boolean {
    return path.startsWith(ROOT);
  }

  async serve(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = request;
    const body = await readBody(request);
    try {
      refuseForeignPages(method, headers, this.#host);
      const handler = this.#handlers.get(`${method} ${target.path.slice(ROOT.length)}`);
      if (handler === undefined) {
        const known = [...this.#handlers.keys()].join(", ");
        throw new HttpError(404, `${method} ${target.path} is no control request. There are: ${known}`);
      }
      if (body.sizeBytes > 0 && body.json === undefined) throw new HttpError(400, "Request body is not valid JSON");
      const fields = new Fields(body.json?.value ?? {}, "body");
      const query = new Fields(Object.fromEntries(new URLSearchParams(target.query)), "query");
      const act = handler(fields, query);
      fields.refuseUnread();
      query.refuseUnread();
      sendReply(response, act());
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 400;
      const title = error instanceof Error ? error.message : "Control request failed";
      sendReply(response, { status, json: { errors: [{ status, title }] } });
    }
  }
}
