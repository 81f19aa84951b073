import type { Socket } from "node:net";
import { inspect } from "node:util";
import { expect } from "chai";
import { ApiError, ConnectionError, ResponseShapeError } from "../../provider/src/client/errors";
import { MAX_ANSWER_BYTES } from "../../provider/src/client/connections";
import { fakeClock } from "./support/fake-clock";
import { clientAt, clientOf, environmentItem, failure, ID, OTHER_ID } from "./support/samples";
import { type Reply, startRaw, startScript } from "./support/scripted-server";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const MIB = 1024 * 1024;

/** Writes pieces of a chunked body for as long as somebody takes them. Counts what was taken. */
function pour(socket: Socket, chunk: Buffer, poured: { bytes: number }): void {
  const write = (): void => {
    while (!socket.destroyed) {
      poured.bytes += chunk.length;
      if (!socket.write(chunk)) return void socket.once("drain", write);
    }
  };
  write();
}

function titlesOf(error: unknown): readonly string[] {
  return error instanceof ApiError ? error.titles : [];
}

describe("client: answers that are too much", () => {
  it("stops reading an endless answer without a length at 16 MiB, drops the connection, and says so", async () => {
    const poured = { bytes: 0 };
    let dropped: Promise<unknown> = Promise.resolve();
    const chunk = Buffer.from(`${MIB.toString(16)}\r\n${" ".repeat(MIB)}\r\n`);
    await using endless = await startRaw((socket) => {
      dropped = new Promise((resolve) => socket.once("close", resolve));
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, chunk, poured);
    });
    await using client = clientAt(`http://127.0.0.1:${endless.port}`);
    const error = await failure(client.environments.get(ID));
    expect(error).to.be.instanceOf(ResponseShapeError).with.property("message").that.includes("larger than 16 MiB");
    await dropped;
    expect(poured.bytes).to.be.lessThan(2 * MAX_ANSWER_BYTES);
  });

  it("reads JSON after a byte order mark, as some gateways send it", async () => {
    const body = `\uFEFF${JSON.stringify({ data: environmentItem() })}\r\n`;
    await using marked = await startRaw((socket) => {
      socket.end(`${HEAD}connection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
    await using client = clientAt(`http://127.0.0.1:${marked.port}`);
    expect((await client.environments.get(ID)).id).to.equal(ID);
  });

  for (const [what, start] of [
    ["a header", "HTTP/1.1 200 OK\r\nx-slow: "],
    ["a body", `${HEAD}content-length: 100000\r\n\r\n`],
  ] as const) {
    it(`bears ${what} that comes in drops no longer than a request may take`, async () => {
      await using slow = await startRaw((socket) => {
        socket.write(start);
        const drip = setInterval(() => socket.write(" "), 5);
        socket.once("close", () => clearInterval(drip));
      });
      const base = `http://127.0.0.1:${slow.port}`;
      await using client = clientAt(base, { clock: fakeClock(), requestTimeoutMs: 60, maxRetries: 0 });
      const error = await failure(client.environments.get(ID));
      expect(error).to.be.instanceOf(ConnectionError).with.property("message").that.includes("requestTimeoutSeconds");
    });
  }
});

describe("client: answers that lead elsewhere", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`sends neither token nor values to where ${status} points, not even on its own origin`, async () => {
      await using elsewhere = await startScript([{ status: 204 }]);
      for (const location of [`${elsewhere.url}/`, `//${new URL(elsewhere.url).host}/`, "/elsewhere"]) {
        await using server = await startScript([{ status, headers: { location, refresh: `0; url=${location}` } }]);
        await using client = clientOf(server, { clock: fakeClock() });
        const variable = { name: "A", value: "s3cr3t-value", hidden: true, services: [] };
        const error = await failure(client.envVars.upsert(ID, [variable]));
        expect(error).to.be.instanceOf(ApiError).with.property("message").that.includes("A redirect is not followed");
        expect(inspect(error, { depth: 9, showHidden: true })).not.to.match(/s3cr3t|token-0123/u);
        expect([server.requests.length, elsewhere.requests.length]).to.deep.equal([1, 0]);
      }
    });
  }

  it("refuses an environment with another id than the one it asked for", async () => {
    await using server = await startScript([{ json: environmentItem(OTHER_ID) }]);
    await using client = clientOf(server);
    const error = await failure(client.environments.get(ID));
    expect(error).to.be.instanceOf(ResponseShapeError).with.property("message").that.includes("another id");
  });
});

describe("client: answers that repeat secrets", () => {
  const hidden = (value: string) => ({ name: "A", value, hidden: true, services: [] });
  const refused = (title: string): Reply => ({ status: 400, json: { errors: [{ status: 400, title }] } });
  const stored: Reply = { json: { data: [] } };

  it("shows hidden values of earlier requests in no later error, whole or in pieces of 16 characters", async () => {
    const value = "a-secret-of-thirty-two-letters-x";
    const texts = [`was ${value}`, `was ${value.slice(3, 20)}...`, "was shorter-9"];
    await using server = await startScript([stored, ...texts.map(refused)]);
    await using client = clientOf(server);
    await client.envVars.upsert(ID, [hidden(value), { ...hidden("shorter-9"), name: "B" }]);
    const titles = async () => titlesOf(await failure(client.environments.act("stop", ID)));
    expect([await titles(), await titles(), await titles()]).to.deep.equal([
      ["was [secret]"],
      ["was [secret]..."],
      ["was [secret]"],
    ]);
  });

  it("leaves readable values as they are", async () => {
    await using server = await startScript([stored, refused("feature/checkout is no branch")]);
    await using client = clientOf(server);
    const readable = { ...hidden("feature/checkout"), name: "BRANCH", hidden: false };
    await client.envVars.upsert(ID, [readable]);
    const error = await failure(client.environments.act("stop", ID));
    expect(titlesOf(error)).to.deep.equal(["feature/checkout is no branch"]);
  });
});
