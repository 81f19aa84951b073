import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import * as path from "node:path";
import * as z from "zod";

const LOGO = path.join(__dirname, "..", "..", "..", "docs", "logo.png");

/** Runs `work` with a copy of the schema, in `folder`, whose logo is served on this machine while `work` runs. */
export async function withLogo(schema: string, folder: string, work: (schema: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.end(readFileSync(LOGO)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const copy = path.join(folder, "schema.json");
    const spec: object = JSON.parse(readFileSync(schema, "utf8"));
    writeFileSync(copy, JSON.stringify({ ...spec, logoUrl: `http://127.0.0.1:${port}/logo.png` }));
    await work(copy);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
