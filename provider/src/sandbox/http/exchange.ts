import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../domain/clock";
import { isObject } from "../domain/fields";
import { sentNames } from "./env-vars";
import type { FaultOptions, FaultRequest, Faults, GatewayWords } from "./faults";
import type { Journal, PendingEntry } from "./journal";
import { limits } from "./limits";
import { readBody } from "./request-body";
import type { Refusals, Reply } from "./router";
import type { Incoming, Service } from "./service";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";
const NOT_FOUND = 404;
const GATEWAY_REPLIES: Readonly<Record<GatewayWords, Omit<Reply, "status">>> = {
  page: {
    text: "<!doctype html><html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>",
    headers: { "content-type": "text/html" },
  },
  empty: {},
  json: { json: { message: "no Route matched with those values" } },
};
const TRUNCATED = '{"data": [{"id": "';

/** The parts of the sandbox that an exchange needs. */
export interface ExchangeContext {
  readonly service: Service;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly tokens: ReadonlySet<string>;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** Where a request goes: path without the prefix, and query without the question mark. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** One request from its arrival to its answer: journal, fault, service. */
export async function exchange(
  context: ExchangeContext,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const leave = context.journal.enter(request.socket);
  response.once("close", leave);
  const incoming = await receive(context.service, target, request);
  const seen = describe(request.method ?? "", incoming);
  const entry = note(context, seen, incoming);
  const fault = context.faults.take(seen) ?? {};
  await pause(fault, context.closing);
  if (fault.dropBefore === true) return void request.socket.destroy();
  const faulty = faultReply(fault);
  const acted = faulty === undefined || (fault.acts === true && fault.gateway === undefined);
  const answered = acted ? withoutUnlisted(fault, context.service.answer(incoming, toRefusals(fault))) : undefined;
  if (fault.dropAfter === true) return void request.socket.destroy();
  leave();
  send(response, entry, withFault(fault, faulty ?? answered ?? { status: 500 }));
}

async function receive(service: Service, { path, query }: Target, request: IncomingMessage): Promise<Incoming> {
  const token = request.headers["x-api-token"];
  return {
    match: service.match(request.method ?? "", path),
    path,
    query,
    token: typeof token === "string" ? token : undefined,
    contentType: request.headers["content-type"],
    body: await readBody(request),
  };
}

function describe(method: string, { match, path, query, body }: Incoming): FaultRequest {
  const label = `${method} ${match.label}`;
  const names = label === "PUT /env-vars" ? sentNames(body.json?.value) : [match.variableName].filter(Boolean);
  return { method, path, query, label, environmentId: match.environmentId, names };
}

function note(context: ExchangeContext, seen: FaultRequest, { body }: Incoming): PendingEntry {
  const clean = (text: string) => withoutTokens(context.tokens, text);
  const { environmentId, names } = seen;
  return context.journal.add({
    at: context.clock.now(),
    method: seen.method,
    path: clean(seen.path),
    query: clean(seen.query),
    label: seen.label,
    ...(environmentId === "" ? {} : { environmentId: clean(environmentId) }),
    ...(names.length === 0 ? {} : { names: names.map(clean) }),
    bodySize: body.sizeBytes,
  });
}

/** A client that puts its token into the address by mistake must not find it in the journal. */
function withoutTokens(tokens: ReadonlySet<string>, text: string): string {
  return [...tokens].reduce((clean, token) => clean.replaceAll(token, "(token)"), text);
}

async function pause({ delayMs, hold }: FaultOptions, closing: AbortSignal): Promise<void> {
  if (delayMs !== undefined) await sleep(Math.min(delayMs, limits.faultDelayMs), undefined, { signal: closing });
  await hold;
}

function faultReply(fault: FaultOptions): Reply | undefined {
  const { gateway, body, retryAfter, status = gateway && NOT_FOUND } = fault;
  if (status === undefined) return undefined;
  const headers = { ...fault.headers, ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }) };
  if (gateway !== undefined) {
    const said = GATEWAY_REPLIES[gateway];
    return { ...said, status, headers: { ...said.headers, ...headers } };
  }
  if (typeof body === "string") return { status, text: body, headers };
  return { status, json: body ?? { errors: [{ status, title: `Ordered fault ${status}` }] }, headers };
}

function toRefusals({ refuse, refuseNull = false, unmentioned, acts = false }: FaultOptions): Refusals | undefined {
  if (refuse === undefined && unmentioned === undefined) return undefined;
  return {
    reasons: new Map(Object.entries(refuse ?? {})),
    anonymous: refuseNull,
    unmentioned: unmentioned && { names: unmentioned, areStored: acts },
  };
}

function withoutUnlisted({ unlisted }: FaultOptions, reply: Reply): Reply {
  const { json } = reply;
  if (unlisted === undefined || !isObject(json) || !Array.isArray(json["data"])) return reply;
  const data = json["data"].filter((item) => !(isObject(item) && unlisted.some((id) => id === item["id"])));
  return { ...reply, json: { ...json, data } };
}

function withFault(fault: FaultOptions, reply: Reply): Reply {
  const typed =
    fault.contentType === undefined
      ? reply
      : { ...reply, headers: { ...reply.headers, "content-type": fault.contentType } };
  if (fault.malformed !== true) return typed;
  return { status: 200, text: TRUNCATED, headers: { "content-type": JSON_TYPE, ...typed.headers } };
}

function send(response: ServerResponse, entry: PendingEntry, reply: Reply): void {
  entry.status = reply.status;
  sendReply(response, reply);
}

/** Writes a reply. Nothing happens when the client is gone. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  const text = reply.json === undefined ? reply.text : JSON.stringify(reply.json);
  const type = reply.json === undefined ? TEXT_TYPE : JSON_TYPE;
  response.statusCode = reply.status;
  if (text !== undefined) response.setHeader("content-type", type);
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  response.end(text);
}
