import { once } from "node:events";
import * as z from "zod";

const Message = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
});

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Sends one command and resolves to its result. */
export type Send = (method: string, options?: object) => Promise<unknown>;

/** A connection to a browser's DevTools. */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #sent = 0;
  /** Called for each event of the domains that were enabled. */
  onEvent: (name: string, content: unknown) => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    socket.addEventListener("close", () => this.#end());
  }

  /** Connects to the address that the browser printed. */
  static async connect(address: string): Promise<DevTools> {
    const socket = new WebSocket(address);
    await once(socket, "open");
    return new DevTools(socket);
  }

  /** Sends a command, to a page's session when one is given. Rejects with the browser's message when it is refused. */
  send(method: string, options: object = {}, sessionId?: string): Promise<unknown> {
    this.#sent += 1;
    const id = this.#sent;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject: ({ message }) => reject(new Error(`${method}: ${message}`)) });
      this.#socket.send(JSON.stringify({ id, method, params: options, ...(sessionId ? { sessionId } : {}) }));
    });
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.close();
  }

  #receive(text: string): void {
    const { id, result, error, method, params } = Message.parse(JSON.parse(text));
    if (method !== undefined) this.onEvent(method, params);
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }

  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error("the browser closed the connection"));
    this.#waiting.clear();
  }
}
