/** A set-up that cannot go on: the message is all the user needs, so no stack trace is printed. */
export class SetupError extends Error {
  /** @override */
  name = "SetupError";
}

/** The set-up was stopped by a signal; `exitCode` is what a shell expects then (128 + number of the signal). */
export class Interrupted extends SetupError {
  /** @override */
  name = "Interrupted";

  /** @param {number} exitCode */
  constructor(exitCode) {
    super("the set-up was interrupted");
    this.exitCode = exitCode;
  }
}
