import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Server } from "node:net";

/** Lets a server listen on a free port of the loopback address. Gives the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** The proxy of a job. It notes which hosts it was asked for, and leads to every one of this machine. */
export class Tunnel implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly #server = createServer();
  #port = 0;

  static async open(): Promise<Tunnel> {
    const tunnel = new Tunnel();
    tunnel.#server.on("connect", ({ url = "" }, socket) => {
      tunnel.asked.push(url);
      const upstream = connect(Number(url.split(":")[1]), "127.0.0.1");
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on("error", () => [socket, upstream].map((each) => each.destroy()));
    });
    tunnel.#port = await listen(tunnel.#server);
    return tunnel;
  }

  /** Without its scheme. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
