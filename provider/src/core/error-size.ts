import type { Properties } from "./properties";

/**
 * Properties of an error travel in a header of the answer, of which gRPC in Go takes 16 MiB with base64: with 12 MB they
 * arrived at the engine, with 20 MB the connection broke and the resource was lost. Marks of secrets and encoding need the rest.
 */
export const MOST_ERROR_BYTES = 8 * 1024 * 1024;

/** Bytes of a value as JSON, which is about what the wire to the engine needs; 0 for `undefined`. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Whether an error can carry all of these properties together. */
export function fitsError(...bags: readonly Properties[]): boolean {
  return bags.reduce((bytes, bag) => bytes + sizeOf(bag), 0) <= MOST_ERROR_BYTES;
}
