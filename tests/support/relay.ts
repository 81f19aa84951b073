import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { listen } from "./listen";

/** Passes connections on to another port of this machine, and can drop them, as a network does. */
export class Relay {
  readonly target: string;
  readonly #server: Server;
  readonly #open: Set<Socket>;

  private constructor(server: Server, open: Set<Socket>, port: number) {
    this.target = `127.0.0.1:${port}`;
    this.#server = server;
    this.#open = open;
  }

  static async start(port: number): Promise<Relay> {
    const open = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect({ host: "127.0.0.1", port });
      open.add(far);
      far.once("close", () => open.delete(far));
      pipeline(near, far, near, () => undefined);
    });
    return new Relay(server, open, await listen(server));
  }

  /** Ends all connections. Resolves when the other side has ended them, too. */
  async drop(): Promise<void> {
    await Promise.all(
      [...this.#open].map(async (far) => {
        const closed = once(far, "close");
        far.end();
        await closed;
      }),
    );
  }

  async close(): Promise<void> {
    await this.drop();
    this.#server.close();
  }
}
