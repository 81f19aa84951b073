import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { listen } from "../support/listen";

/** A folder of archives as a release page serves it. */
export class DownloadServer implements AsyncDisposable {
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Serves a folder on a free port. */
  static async start(folder: string): Promise<DownloadServer> {
    const server = createServer();
    const made = new DownloadServer(server, await listen(server));
    server.on("request", (request, response) => {
      const { pathname } = new URL(request.url ?? "/", made.url);
      made.asked.push(pathname);
      const file = join(folder, pathname);
      const size = statSync(file, { throwIfNoEntry: false })?.size;
      if (size === undefined) return response.writeHead(404).end();
      // The CLI refuses an answer that does not say how long it is.
      return createReadStream(file).pipe(response.writeHead(200, { "content-length": size }));
    });
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((settle) => this.#server.close(settle));
  }
}
