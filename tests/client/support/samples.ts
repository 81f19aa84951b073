import { type ClientOptions, PreviewenvClient } from "../../../provider/src/client";
import { systemClock } from "../../../provider/src/client/clock";
import type { ScriptedServer } from "./scripted-server";

export const ID = "0d9a1e4c-6a1f-4c0a-9a52-3d8f0f7f3b11";
export const OTHER_ID = "5f0a3c7e-91b2-4d8e-8c55-b9d1b6a0c2aa";
export const TOKEN = "token-0123456789";
/** A client as the settings' defaults make it. */
export const CLIENT: ClientOptions = {
  baseUrl: "https://previews.example.com",
  apiToken: TOKEN,
  requestTimeoutMs: 30_000,
  maxConcurrency: 8,
  maxRetries: undefined,
  clock: systemClock,
};

/** A client of a scripted server that can be used with `await using`. */
export function clientOf(server: ScriptedServer, options: Partial<ClientOptions> = {}) {
  return clientAt(server.url, options);
}

/** A client of an address that can be used with `await using`. */
export function clientAt(baseUrl: string, options: Partial<ClientOptions> = {}): PreviewenvClient & AsyncDisposable {
  const client = new PreviewenvClient({ ...CLIENT, baseUrl, ...options });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** An environment as the service sends it in a list. */
export function environmentItem(id = ID, attributes: Record<string, unknown> = {}) {
  return {
    id,
    type: "application",
    attributes: {
      bypass_token: "bypass-1",
      name: "shop",
      processing: false,
      projects: [project],
      ready: true,
      retired: false,
      deleted: false,
      stopped: false,
      url: "https://shop.example.com",
      ...attributes,
    },
    links: { self: `/api/v1/application/${id}` },
  };
}

const project = {
  branch: "main",
  commit_hash: "c0ffee",
  org_name: "acme",
  pull_request_number: null,
  repo_name: "web",
};

/** An environment variable as the service sends it. */
export function envVarItem(name: string, attributes: Record<string, unknown> = {}) {
  return {
    type: "env-var",
    id: OTHER_ID,
    attributes: {
      name,
      value: "on",
      hidden: false,
      services: [],
      created_at: "2026-01-02T03:04:05",
      updated_at: "2026-01-02T03:04:06",
      ...attributes,
    },
  };
}

/** The error that a promise ends with. Fails when it does not. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("expected an error, and there was none");
}

/** Everything that an async iterable gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
