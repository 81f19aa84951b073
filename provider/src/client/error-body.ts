import * as z from "zod";
import { parseJson } from "./answer";
import { displayable } from "./error-text";
import type { Redact } from "./redact";

const MAX_TITLES = 5;
const unchanged: Redact = (text) => text;

const Text = z.union([
  z.string(),
  z.object({ title: z.string() }).transform(({ title }) => title),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);

/** The documented shape is `{errors: [{status, title}]}`. That of a 400 is not shown, so usual others are read too. */
const Failure = z.union([
  z.object({ errors: z.array(z.unknown()) }).transform(({ errors }) => errors.slice(0, MAX_TITLES)),
  z.object({ errors: Text }).transform(({ errors }) => [errors]),
  z.object({ error: Text }).transform(({ error }) => [error]),
  Text.transform((text) => [text]),
]);

/** The documented shape. Only the first item is checked. */
const Documented = z.object({ errors: z.tuple([z.object({ title: z.string() })], z.unknown()) });

/** Whether a body is a documented error: `{errors: [{title}, ...]}`. Gateways and proxies answer in other shapes. */
export function isDocumentedError(body: string): boolean {
  return Documented.safeParse(parseJson(body)).success;
}

/** What an error body says, ready for display. Empty when it is not JSON (such as a gateway's HTML) or has no text. */
export function readTitles(body: string, hide: Redact = unchanged): readonly string[] {
  const failure = Failure.safeParse(parseJson(body));
  if (!failure.success) return [];
  return failure.data
    .map((item) => Text.safeParse(item))
    .flatMap((text) => (text.success ? [displayable(text.data, hide)] : []))
    .filter((title) => title !== "");
}
