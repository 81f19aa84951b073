import { stripVTControlCharacters } from "node:util";
import * as z from "zod";
import { parseJson } from "./json";
import { redact } from "./redact";

const MOST_TITLES = 5;
const MOST_SHOWN_CHARACTERS = 300;
/** More is not looked at, because looking for pieces of large values takes time. */
const MOST_READ_CHARACTERS = 500;
/** Control characters, line and paragraph separators, and those that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * A text of the service as it may be shown to people: sent values out, escape sequences and control characters out,
 * at most 300 characters.
 */
export function displayable(text: string, sentValues: readonly string[] = []): string {
  const redacted = redact(text.slice(0, MOST_READ_CHARACTERS), sentValues);
  const plain = stripVTControlCharacters(redacted).replaceAll(UNPRINTABLE, " ").replaceAll(/\s+/gu, " ").trim();
  // Again: a value may come to light only when the characters within it are gone.
  const characters = Array.from(plain === redacted ? plain : redact(plain, sentValues));
  if (characters.length <= MOST_SHOWN_CHARACTERS) return characters.join("");
  return `${characters.slice(0, MOST_SHOWN_CHARACTERS - 1).join("")}…`;
}

const Text = z.union([
  z.string(),
  z.looseObject({ title: z.string() }).transform(({ title }) => title),
  z.looseObject({ message: z.string() }).transform(({ message }) => message),
  z.looseObject({ detail: z.string() }).transform(({ detail }) => detail),
]);

/** The documented shape is `{errors: [{status, title}]}`; that of a 400 is not shown, so usual others are read too. */
const Failure = z.union([
  z.looseObject({ errors: z.array(z.unknown()) }).transform(({ errors }) => errors),
  z.looseObject({ errors: Text }).transform(({ errors }) => [errors]),
  z.looseObject({ error: Text }).transform(({ error }) => [error]),
  Text.transform((text) => [text]),
]);

/** What an error body says, ready for display; empty when it is not JSON (such as a gateway's HTML) or has no text. */
export function readTitles(body: string, sentValues: readonly string[] = []): readonly string[] {
  const failure = Failure.safeParse(parseJson(body));
  if (!failure.success) return [];
  return failure.data
    .slice(0, MOST_TITLES)
    .map((item) => Text.safeParse(item))
    .flatMap((text) => (text.success ? [displayable(text.data, sentValues)] : []))
    .filter((title) => title !== "");
}

const MS_PER_SECOND = 1000;
const REFUSED_FROM = 400;
const SERVER_ERRORS_FROM = 500;
const advices: ReadonlyMap<number, string> = new Map([
  [
    401,
    "Check the token in previewenv:apiToken or PREVIEWENV_API_TOKEN: refresh and destroy use the settings of the last " +
      "`pulumi up`, so after a change of the token run `pulumi up`, or refresh and destroy with --run-program.",
  ],
  [403, "The token may not do this: check that the API is enabled for the organization that the token belongs to."],
  [404, "Check the id, and that the token belongs to the same organization."],
  [405, "Check previewenv:baseUrl: the address does not know this kind of request."],
  [409, "Something else changed it at the same time: run the command again."],
  [413, "The request is too large: lower previewenv:batchSize."],
  [429, "The service kept limiting requests: run the command again later, or lower previewenv:maxConcurrency."],
]);

function adviceFor(status: number): string {
  if (status >= SERVER_ERRORS_FROM) return "The service is in trouble: run the command again later.";
  const redirect =
    status < REFUSED_FROM ? "Redirects are not followed, so that the token stays here: check previewenv:baseUrl." : "";
  return advices.get(status) ?? redirect;
}

/** The message for an answer that refuses; `doing` is what was attempted, such as "stop environment <id>". */
export function refusalText(doing: string, status: number, titles: readonly string[]): string {
  const said = titles.length === 0 ? "" : `: ${titles.map((title) => `"${title}"`).join(", ")}`;
  return `Could not ${doing}: the service answered ${status}${said}. ${adviceFor(status)}`.trimEnd();
}

/** The message when no complete answer came; `reason` is a system error code such as ECONNREFUSED. */
export function noAnswerText(doing: string, reason: string, sent: boolean): string {
  const advice = "Check previewenv:baseUrl and the network.";
  return `Could not ${doing}: no answer from the service (${reason}). ${reach(sent)}${advice}`;
}

/** The message when the request timeout passed. */
export function timeoutText(doing: string, timeoutMs: number, sent: boolean): string {
  const seconds = timeoutMs / MS_PER_SECOND;
  const advice = "Check previewenv:baseUrl and the network, or raise previewenv:requestTimeoutSeconds.";
  return `Could not ${doing}: no answer from the service within ${seconds} s. ${reach(sent)}${advice}`;
}

/** The message when the caller ended the call. */
export function cancelledText(doing: string, sent: boolean): string {
  return `Could not ${doing}: cancelled. ${reach(sent)}`.trimEnd();
}

/** The message for an answer that cannot be understood; `problem` must not contain values. */
export function shapeText(doing: string, problem: string): string {
  return `Could not ${doing}: the service's answer is not as documented. Check previewenv:baseUrl.\n${problem}`;
}

function reach(sent: boolean): string {
  return sent ? "The request may have reached the service. " : "";
}
