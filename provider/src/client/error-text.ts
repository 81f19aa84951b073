import { stripVTControlCharacters, toUSVString } from "node:util";
import { MS_PER_SECOND } from "./clock";
import type { Redact } from "./redact";
import type { Obstacle } from "./unreachable";
import { see } from "./troubleshooting";

// A program loads this file, for the names in its warnings: it does not import zod.

const MAX_SHOWN_CHARACTERS = 300;
/** Characters of a longer text after these are ignored. */
const MAX_READ_CHARACTERS = 500;
/** The last characters before a cut may be a piece of a value that is too short to be recognised, each of them escaped. */
const UNCERTAIN_CHARACTERS = 100;
const MAX_NAME_CHARACTERS = 200;
/** How many names one list shows. */
const MAX_LISTED = 100;
const MAX_MENTIONED = 10;
/** Control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Characters without width, or that change the direction of text: they can hide text or show it in another order. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
const HEXADECIMAL = 16;
/** A usual terminal has 80 columns. */
const MAX_LINE_CHARACTERS = 80;
const unchanged: Redact = (text) => text;

/**
 * A text of the service as it may be shown to people: on one line, without secrets, escape sequences, control characters
 * and invisible ones, at most 300 characters.
 */
export function displayable(text: string, hide: Redact = unchanged): string {
  const read = hide(toUSVString(text.slice(0, MAX_READ_CHARACTERS)));
  const sure = text.length > MAX_READ_CHARACTERS ? read.slice(0, -UNCERTAIN_CHARACTERS) : read;
  const plain = stripVTControlCharacters(sure);
  // Once more: such a character within a value may have hidden it.
  const hidden = plain === sure ? sure : hide(plain);
  return atMost(MAX_SHOWN_CHARACTERS, collapseSpaces(hidden.replaceAll(INVISIBLE, "")));
}

/** A line of progress: for how long by now, then what, and never wider than a terminal. */
export function progressLine(elapsedMs: number, what: string): string {
  return atMost(MAX_LINE_CHARACTERS, `${seconds(elapsedMs)}: ${what}`);
}

/** The text, or as much of it as there is space for. */
function atMost(count: number, text: string): string {
  const characters = Array.from(text);
  return characters.length <= count ? text : `${characters.slice(0, count - 1).join("")}…`;
}

function collapseSpaces(text: string): string {
  return text.replaceAll(BREAKS, " ").replaceAll(/\s+/gu, " ").trim();
}

/**
 * A name as it may be shown to people: invisible characters and look-alikes of Unicode's own are written as `\u{1b}`, so that
 * two names that differ in them do not look the same. At most 200 characters.
 */
export function displayableName(name: string): string {
  return escapeUnseen(atMost(MAX_NAME_CHARACTERS, name.slice(0, MAX_READ_CHARACTERS)));
}

/** An environment as messages name it: `shop-pr-9 (<id>)`, or its id when it has no name that can be shown. */
export function environmentTitle({
  id,
  name = "",
}: {
  readonly id: string;
  readonly name?: string | undefined;
}): string {
  const [shownName, shownId] = [displayable(name), displayableName(id)];
  return shownName === "" ? shownId : `${shownName} (${shownId})`;
}

/**
 * Writes as `\u{1b}` what a terminal acts upon or does not show, and what looks like something else: spaces that are not
 * U+0020, and all but ASCII of a text of which Unicode has a composed form (NFC), such as an accent after its letter.
 */
export function escapeUnseen(text: string): string {
  const spelled = text.normalize("NFC") === text ? text : text.replaceAll(/\P{ASCII}/gu, escapeCharacter);
  return replaceUnseen(spelled, escaped).replaceAll(/(?! )\p{Zs}/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return escaped(character.codePointAt(0) ?? 0);
}

/** A character as a string of JavaScript has it: `\u{1b}`. */
export function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(HEXADECIMAL)}}`;
}

/** Replaces each character that a terminal acts upon, or that nobody sees. */
export function replaceUnseen(text: string, replace: (codePoint: number) => string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu,
    (character) => replace(character.codePointAt(0) ?? 0),
  );
}

/** The first status by which a server refuses a request. */
export const REFUSED_FROM = 400;
/** The first status by which a server says that it has failed. */
export const SERVER_ERRORS_FROM = 500;
/** The status by which a server says that it does not know such a request. */
export const NOT_IMPLEMENTED = 501;
const UNKNOWN_REQUEST = "Check previewenv:baseUrl: the address does not know this kind of request.";
const adviceByStatus: ReadonlyMap<number, string> = new Map([
  [
    401,
    `Check the token in PREVIEWENV_API_TOKEN or, in a program, in previewenv:apiToken or a \`Provider\`. ${see("token")}`,
  ],
  [403, "The token may not do this: check what it is allowed to, and that the API is enabled for its organization."],
  [404, "Check the id, and that the token belongs to the same organization."],
  [405, UNKNOWN_REQUEST],
  [409, "Something else changed it at the same time: run the command again."],
  [413, "The request is too large: make its values shorter."],
  [429, "The service allows fewer requests: run the command again later, or lower previewenv:maxConcurrency."],
  [NOT_IMPLEMENTED, UNKNOWN_REQUEST],
]);

/** What to do when the list of environments is not found: it always exists. */
export const NO_LIST_ADVICE = `Check previewenv:baseUrl (PREVIEWENV_BASE_URL), and that the API is enabled for the organization. ${see("every-404")}`;

function adviceFor(status: number): string {
  if (status < REFUSED_FROM)
    return "A redirect is not followed, because it could send the token to another address: check previewenv:baseUrl.";
  return (
    adviceByStatus.get(status) ??
    (status >= SERVER_ERRORS_FROM ? "The service failed: run the command again later." : "")
  );
}

/**
 * The message for an answer that refuses. `description` is what was attempted, such as "stop environment <id>".
 * @param advice What to do. Left out: what the status says.
 */
export function refusalText(
  description: string,
  status: number,
  titles: readonly string[],
  advice: string = adviceFor(status),
): string {
  return `Could not ${description}: the service answered ${status}${titleList(titles)}. ${advice}`.trimEnd();
}

/** The texts of an error body, in quotes, after a colon. */
export function titleList(titles: readonly string[]): string {
  return titles.length === 0 ? "" : `: ${titles.map((title) => `"${title}"`).join(", ")}`;
}

/** The message when no whole answer came from the `origin` of the service. `sent`: the request may have reached it. */
export function noAnswerText(description: string, origin: string, sent: boolean, { reason, advice }: Obstacle): string {
  return `Could not ${description}: no answer from ${origin} (${reason}). ${mayHaveReachedText(sent)}${advice}`;
}

/** Whole seconds for people: `14 s`. */
export function seconds(ms: number): string {
  return `${Math.round(ms / MS_PER_SECOND)} s`;
}

/** The message for an answer that is not as documented. `problem` must not contain values, and is put on one line. */
export function undocumentedAnswerText(description: string, problem: string): string {
  const said = problem.replaceAll(/\s*\n\s*/gu, " ");
  return `Could not ${description}: the service's answer is not as documented: ${sentence(said)} Check previewenv:baseUrl.`;
}

/** The text with a period at its end. */
export function sentence(text: string): string {
  return text.replace(/\.?$/u, ".");
}

/** The end of a message about a request that has no answer. */
export function mayHaveReachedText(sent: boolean): string {
  return sent ? "The request may have reached the service. " : "";
}

/** Names for people, sorted: `A, B, C`. Of more than 100 the first ones, and the number of the others. */
export function nameList(names: Iterable<string>): string {
  return firstNames(names, displayableName);
}

/** Names for people in quotes, because they may be empty, or nothing but dots: `"", "."`. */
export function quotedList(names: Iterable<string>): string {
  return firstNames(names, (name) => `"${displayableName(name)}"`);
}

/** Names for a message that is no warning: of more than 10 only the first ones. */
export function shortNameList(names: Iterable<string>): string {
  return firstNames(names, displayableName, MAX_MENTIONED);
}

function firstNames(names: Iterable<string>, show: (name: string) => string, most: number = MAX_LISTED): string {
  const sorted = [...names].toSorted();
  const shown = sorted.slice(0, most).map(show).join(", ");
  return sorted.length > most ? `${shown} and ${sorted.length - most} more` : shown;
}
