import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import * as z from "zod";
import { identity } from "../../../tools/release/owner";

/** What `npm publish` sends. */
const Published = z.looseObject({ _attachments: z.record(z.string(), z.looseObject({ data: z.base64() })) });

/** Stands in for the registry of npm: it keeps what is published, and leads to another one for all other packages. */
export function npmRegistry(upstream: string, token: string): RequestListener {
  let published: z.output<typeof Published> | undefined;
  const publish = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end();
    else if (published !== undefined) response.writeHead(403).end();
    else {
      published = Published.parse(await json(request));
      response.writeHead(201).end("{}");
    }
  };
  return (request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const [name, file] = path.split("/-/");
    if (name !== identity.npmPackage) return response.writeHead(302, { location: upstream + path }).end();
    if (request.method === "PUT") return void publish(request, response);
    if (published === undefined) return response.writeHead(404).end();
    const packed = published._attachments[file ?? ""];
    return response.end(packed === undefined ? JSON.stringify(published) : Buffer.from(packed.data, "base64"));
  };
}
