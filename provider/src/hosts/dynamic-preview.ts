import { MS_PER_SECOND } from "../client/clock";
import { CancelledError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { previewCheck } from "../framework/engine-calls";
import { uncheckedText } from "../framework/preview-looks";
import { fingerprint, type Properties } from "../framework/properties";
import type { Resource } from "../framework/resource";

/** The engine checks one resource after the other, and waits for each answer: so long all looks of a preview may take. */
const MAX_TOTAL_MS = 2_000;

/** The preview of this process, as the dynamic provider sees it: calls of Check and Diff, one after the other. */
export class DynamicPreview {
  /** Inputs that this preview has checked: Diff is not told what it is part of, and a refresh calls it too. */
  readonly #checked = new Set<string>();
  /** Why the service gave no answer until the time was over. */
  #unreachable: unknown;
  #spentMs = 0;
  #done = 0;

  /** Notes what Check has answered. */
  noteCheckAnswer(inputs: Properties): void {
    this.#checked.add(fingerprint(inputs));
  }

  /** Whether a Diff with these inputs is one of this preview. */
  isOfThisPreview(inputs: Properties): boolean {
    // In an `up`, none are, and a fingerprint of large inputs takes time.
    return this.#checked.size > 0 && this.#checked.has(fingerprint(inputs));
  }

  /** Looks at the service for a resource, and says what it finds. @throws what makes the `up` fail for certain. */
  async warnOrRefuse(resource: Resource, context: Context, news: Properties, old?: Properties): Promise<void> {
    const leftMs = MAX_TOTAL_MS - this.#spentMs;
    if (leftMs <= 0) return;
    const begin = context.clock.now();
    const late = new AbortController();
    const stop = context.clock.later(leftMs, () => late.abort());
    try {
      const warnings = await previewCheck(resource, { ...context, signal: late.signal }, news, old);
      for (const warning of context.warnings.unsaid(warnings)) context.log.warn(warning);
      this.#done += 1;
    } catch (error) {
      if (!late.signal.aborted || !(error instanceof CancelledError)) throw error;
      this.#unreachable = error.cause;
    } finally {
      stop();
      this.#spentMs += context.clock.now() - begin;
    }
    if (this.#spentMs >= MAX_TOTAL_MS) context.log.warn(this.#endText());
  }

  #endText(): string {
    if (this.#unreachable instanceof PreviewenvError) return uncheckedText(this.#unreachable.message);
    const limit = `${MAX_TOTAL_MS / MS_PER_SECOND} s, which is the limit of the dynamic provider`;
    return (
      `asking the service what it has took ${limit}. This preview continues without further checks. ` +
      `Resources that were checked: ${this.#done}.`
    );
  }
}
