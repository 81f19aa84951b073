import type { Properties } from "./properties";

/**
 * Properties of an error travel in a header of the answer, of which gRPC in Go takes 16 MiB with base64: with 12 MB they
 * arrived at the engine, with 20 MB the connection broke and the resource was lost. Marks of secrets and encoding need the rest.
 */
export const MAX_ERROR_BYTES = 8 * 1024 * 1024;

/** Bytes of a value as JSON, which is about what the wire to the engine needs; 0 for `undefined`. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Whether an error can carry all of these properties together. */
export function fitsError(...bags: readonly Properties[]): boolean {
  return bags.reduce((bytes, bag) => bytes + sizeOf(bag), 0) <= MAX_ERROR_BYTES;
}

/** What a person, a terminal and the header of an error can bear: whatever the service says, texts end here. */
const MAX_TEXT_CHARACTERS = 32 * 1024;

/** A text as an error can carry it. */
export function truncatedText(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  return `${text.slice(0, MAX_TEXT_CHARACTERS)}… (${text.length - MAX_TEXT_CHARACTERS} more characters)`;
}
