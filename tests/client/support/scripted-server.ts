import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createRawServer, type Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { listen } from "../../support/listen";

/** One request as the server received it. */
export interface Received {
  readonly method: string;
  /** With the query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** One scripted answer. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  /** Breaks the connection: without any answer, or in the middle of the body. */
  readonly drop?: "silently" | "midway";
  /** Settles when the answer may go. */
  readonly after?: Promise<unknown>;
}

export type Script = readonly Reply[] | ((request: Received, index: number) => Reply | Promise<Reply>);

/** A server that answers as its script says. The last reply of a list repeats. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: Received[];
  readonly sockets: Set<Socket>;
}

/** Starts a scripted server on a free port of the loopback address. With TLS when it has a certificate. */
export async function startScript(script: Script, certificate?: SecureContextOptions): Promise<ScriptedServer> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  const handle = (incoming: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url = "", headers } = incoming;
      const received = { method, url, headers, body: text === "" ? undefined : JSON.parse(text) };
      requests.push(received);
      void answer(response, pick(script, received, requests.length - 1));
    });
  };
  const server = certificate === undefined ? createServer(handle) : createSecureServer(certificate, handle);
  server.on("connection", (socket) => sockets.add(socket));
  const port = await listen(server);
  return {
    url: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    sockets,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pick(script: Script, request: Received, index: number): Reply | Promise<Reply> {
  if (typeof script === "function") return script(request, index);
  return script[Math.min(index, script.length - 1)] ?? {};
}

async function answer(response: ServerResponse, scripted: Reply | Promise<Reply>): Promise<void> {
  const reply = await scripted;
  await reply.after;
  if (reply.drop === "silently") {
    response.socket?.destroy();
    return;
  }
  const text = reply.text ?? (reply.json === undefined ? "" : JSON.stringify(reply.json));
  response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
  if (reply.drop === "midway") {
    response.write('{"data":', () => response.socket?.destroy());
    return;
  }
  response.end(text);
}

/** A server that does to each connection what the test says, below HTTP. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** Settles with the first connection. */
  readonly connected: Promise<unknown>;
}

/** Starts a raw server on a free port of the loopback address. */
export async function startRaw(onData: (socket: Socket, data: Buffer) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (data: Buffer) => onData(socket, data));
  });
  const connected = once(server, "connection");
  const port = await listen(server);
  return {
    port,
    connected,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
