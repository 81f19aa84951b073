import type { Dispatcher } from "./transport";

/** Statuses below say that the answer is still to come. */
const FINAL = 200;

/** What came back: all of it, or, when the connection broke, as much as had arrived. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the body is whole. */
  readonly cutOffBy: Error | undefined;
  readonly body: string;
}

/** Where a request goes out, and who is told. */
export interface Exchange {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  /** Called when the request is about to be written to a connection: before that it certainly did not reach the service. */
  readonly onSent: () => void;
}

/**
 * Sends a request and reads its answer. undici's own `request` makes a stream of each answer, which costs more than all else
 * that a small answer needs.
 * @throws what undici throws when no answer came at all.
 */
export function exchange(
  options: Dispatcher.DispatchOptions,
  { dispatcher, signal, onSent }: Exchange,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let started: Pick<Answer, "status" | "headers"> | undefined;
    let stop = (): void => undefined;
    const end = (cutOffBy: Error | undefined): void => {
      signal.removeEventListener("abort", stop);
      if (started === undefined) reject(cutOffBy ?? new Error("the connection ended without an answer"));
      else resolve({ ...started, cutOffBy, body: new TextDecoder().decode(Buffer.concat(chunks)) });
    };
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        stop = () => controller.abort(signal.reason);
        if (signal.aborted) return stop();
        onSent();
        signal.addEventListener("abort", stop, { once: true });
      },
      onResponseStart(_controller, status, headers) {
        if (status >= FINAL) started = { status, headers };
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => end(undefined),
      onResponseError: (_controller, error) => end(error),
    });
  });
}
