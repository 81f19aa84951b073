/** Milliseconds in a second. */
export const MS_PER_SECOND = 1000;

/** Milliseconds in an hour. */
export const MS_PER_HOUR = 3_600_000;

/** Microseconds in a millisecond. */
export const MICROS_PER_MS = 1000;

const SECONDS_LENGTH = "2026-01-01T00:00:00".length;
const MICROS_DIGITS = 3;

/** "format YYYY-MM-DDTHH:MM:SS, no zone suffix" */
export function toSeconds(ms: number): string {
  return new Date(ms).toISOString().slice(0, SECONDS_LENGTH);
}

/** "ISO 8601 UTC timestamp with microseconds and a trailing Z" */
export function toMicroseconds(micros: number): string {
  const rest = micros % MICROS_PER_MS;
  const milliseconds = new Date((micros - rest) / MICROS_PER_MS).toISOString().slice(0, -1);
  return `${milliseconds}${String(rest).padStart(MICROS_DIGITS, "0")}Z`;
}
