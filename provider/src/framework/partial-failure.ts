import { PreviewenvError } from "../client/errors";
import { truncatedText } from "./error-size";
import type { Properties } from "./properties";

/**
 * Part of a write happened: the engine keeps the resource with exactly this state, shows `reasons`, and lets the next
 * `pulumi up` finish it. The first reason is the summary, because the engine drops the message.
 */
export class PartialFailureError extends PreviewenvError {
  readonly code = "partial_failure";
  readonly id: string;
  readonly state: Properties;
  readonly reasons: readonly string[];

  constructor(id: string, state: Properties, reasons: readonly string[]) {
    super(truncatedText(reasons.join("\n")));
    this.id = id;
    this.state = state;
    this.reasons = reasons.map(truncatedText);
  }
}

/** The provider refuses to do what was asked, and says what to do instead; nothing was written. */
export class RefusedError extends PreviewenvError {
  readonly code = "refused";
}

/** A part of the work failed, and running the command again is safe. */
export class IncompleteError extends PreviewenvError {
  readonly code = "incomplete";
}

/** The environment of a resource does not exist. */
export class MissingError extends PreviewenvError {
  readonly code = "not_found";
}
