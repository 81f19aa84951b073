import type { IncomingMessage } from "node:http";
import { limits } from "./limits";
import type { Body } from "./service";

/** Reads a request body to its end, keeping no more than the limit. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes <= limits.bodyBytes) chunks.push(bytes);
  }
  const isTooLarge = sizeBytes > limits.bodyBytes;
  const json = isTooLarge ? undefined : parseJson(Buffer.concat(chunks).toString("utf8"));
  return { sizeBytes, isTooLarge, json };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
