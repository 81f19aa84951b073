import { type FaultOptions, GATEWAY_WORDS, type GatewayWords } from "../http/faults";
import { type Fields, ShapeError } from "../domain/fields";
import type { Flags } from "../domain/model";
import type { VariableSeed } from "../domain/variables";

const MIN_STATUS = 200;
const MAX_STATUS = 599;

/** A variable somebody sets by hand. */
export function readVariable(body: Fields): VariableSeed {
  return {
    name: body.text("name"),
    value: body.text("value"),
    hidden: body.optionalFlag("hidden"),
    services: body.optionalTexts("services"),
  };
}

export const readName = (body: Fields): string => body.text("name");

export const readRepository = (body: Fields): string => body.text("repoName");

/** For requests that are only about an environment. */
export const readNothing = (): undefined => undefined;

/** A repository that is switched to another branch. */
export function readSwitch(body: Fields) {
  return {
    repoName: body.text("repoName"),
    branch: body.text("branch"),
    build: body.optionalFlag("build") ?? true,
  };
}

/** The wishes of a test for builds. */
export type BuildOrder = ReturnType<typeof readBuildOrder>;

export function readBuildOrder(body: Fields) {
  return {
    finish: body.optionalFlag("finish"),
    resetNext: body.optionalFlag("resetNext"),
    failNext: body.optionalFlag("failNext"),
    slowNextSeconds: body.optionalNumber("slowNextSeconds"),
    queue: body.optionalFlag("queue"),
  };
}

/** The flags that are named, and no others. */
export function readFlags(body: Fields): Partial<Flags> {
  const named = (["stopped", "retired", "deleted"] as const).flatMap((name) => {
    const flag = body.optionalFlag(name);
    return flag === undefined ? [] : [[name, flag] as const];
  });
  return Object.fromEntries(named);
}

/** A fault without `match` and `hold`, which are functions and promises. */
export function readFault(body: Fields): FaultOptions {
  const status = body.optionalNumber("status");
  if (status !== undefined && !(Number.isInteger(status) && status >= MIN_STATUS && status <= MAX_STATUS)) {
    throw new ShapeError(`body.status must be a status from ${MIN_STATUS} to ${MAX_STATUS}`);
  }
  return {
    method: body.optionalText("method"),
    path: body.optionalText("path"),
    label: body.optionalText("label"),
    times: body.optionalNumber("times"),
    after: body.optionalNumber("after"),
    status,
    gateway: readGateway(body),
    body: body.raw("body"),
    headers: body.optionalObject("headers", textsOf),
    retryAfter: readRetryAfter(body),
    acts: body.optionalFlag("acts"),
    delayMs: body.optionalNumber("delayMs"),
    dropBefore: body.optionalFlag("dropBefore"),
    dropAfter: body.optionalFlag("dropAfter"),
    malformed: body.optionalFlag("malformed"),
    contentType: body.optionalText("contentType"),
    refuse: body.optionalObject("refuse", textsOf),
    refuseNull: body.optionalFlag("refuseNull"),
    unmentioned: body.optionalTexts("unmentioned"),
    unlisted: body.optionalTexts("unlisted"),
  };
}

function readGateway(body: Fields): GatewayWords | undefined {
  const text = body.optionalText("gateway");
  const words = GATEWAY_WORDS.find((one) => one === text);
  if (words === undefined && text !== undefined)
    throw new ShapeError(`body.gateway must be one of ${GATEWAY_WORDS.join(", ")}`);
  return words;
}

function readRetryAfter(body: Fields): number | string | undefined {
  return typeof body.raw("retryAfter") === "string"
    ? body.optionalText("retryAfter")
    : body.optionalNumber("retryAfter");
}

function textsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.textEntries());
}
