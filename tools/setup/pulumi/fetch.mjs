import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

const SILENCE_MS = 30_000;

/**
 * Saves what an address answers to a file.
 * @param {string} url
 * @param {string} file
 * @param {number} connectMs
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<string>} SHA-256 of what was written, in hexadecimal.
 */
export function fetchToFile(url, file, connectMs, signal) {
  return withResponse(url, connectMs, signal, async (response, touch) => {
    if (response.body === null) throw new Error(`${url} answered without a body`);
    const hash = createHash("sha256");
    const measure = new Transform({
      transform(chunk, _encoding, done) {
        touch();
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(response.body), measure, createWriteStream(file));
    return hash.digest("hex");
  });
}

/**
 * Fetches with two limits: one until the server answers, one for the silence between two pieces of its answer.
 * @template T
 * @param {string} url
 * @param {number} connectMs
 * @param {AbortSignal | undefined} signal
 * @param {(response: Response, touch: () => void) => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function withResponse(url, connectMs, signal, read) {
  const limit = new AbortController();
  const stop = (/** @type {number} */ ms) =>
    setTimeout(() => limit.abort(new Error(`${url} sent nothing for ${Math.round(ms / 1_000)} s`)), ms);
  let timer = stop(connectMs);
  const touch = () => {
    clearTimeout(timer);
    timer = stop(SILENCE_MS);
  };
  try {
    const response = await fetch(url, { signal: signal ? AbortSignal.any([limit.signal, signal]) : limit.signal });
    touch();
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return await read(response, touch);
  } catch (error) {
    throw new Error(failureOf(error).includes(url) ? failureOf(error) : `${url}: ${failureOf(error)}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What went wrong, in words.
 * @param {unknown} error
 */
export function failureOf(error) {
  if (!(error instanceof Error)) return String(error);
  // fetch hides what happened ("fetch failed") in the cause.
  return error.message === "fetch failed" && error.cause instanceof Error ? error.cause.message : error.message;
}
