import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { listen } from "../support/listen";

/** A folder of archives as a release page serves it. */
export type DownloadServer = Awaited<ReturnType<typeof serveArchives>>;

/** Serves a folder on a free port. */
export async function serveArchives(folder: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://archives");
    asked.push(pathname);
    const file = join(folder, pathname);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return response.writeHead(404).end();
    // The CLI refuses an answer that does not say how long it is.
    return createReadStream(file).pipe(response.writeHead(200, { "content-length": size }));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((settle) => server.close(settle));
  };
  /** `asked`: the paths that were asked for. */
  return { asked, url, [Symbol.asyncDispose]: stop };
}
