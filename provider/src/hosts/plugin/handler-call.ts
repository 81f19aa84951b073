import { CancelledError } from "../../client/errors";
import type { Context } from "../../framework/context";
import { IncompleteError } from "../../framework/partial-failure";
import type { Resource, Written } from "../../framework/resource";
import { InitFailure } from "./failure";
import type { ProviderSession } from "./sessions";
import { nameOf } from "./resource";
import { isSecret, type Secrecy, secrecyOf, stateSecrecy } from "./secrecy";
import { isMarker } from "../../env-vars/placeholder";
import { secretHint } from "../../framework/secret-hints";
import { send } from "./values";
import { environmentOf } from "../../framework/environment-session";
import { oncePlanned, type PreviewContext } from "../../framework/preview";
import type { Properties } from "../../framework/properties";

/** What a call is about, and how long it may take; 0 seconds: no limit. */
export interface HandlerCall {
  readonly urn: string;
  readonly resource: Resource;
  /** What the engine sent as a secret, for state inside an error. */
  readonly secrecy: Secrecy;
  readonly timeoutSeconds: number;
}

/** Runs a handler within the time of its call. `late` says that the time is up. */
export async function runHandler<T>(
  session: ProviderSession,
  { urn, timeoutSeconds }: HandlerCall,
  action: (context: Context, late: () => readonly string[]) => Promise<T>,
): Promise<T> {
  using call = session.call(urn, timeoutSeconds);
  const late = (): readonly string[] =>
    call.isLate()
      ? [`The step took longer than ${timeoutSeconds} s, which is its limit in the resource option customTimeouts.`]
      : [];
  try {
    return await action(call.context, late);
  } catch (error) {
    const isEnded = error instanceof CancelledError || error instanceof IncompleteError;
    if (isEnded && call.isLate()) throw new IncompleteError([error.message.replace(/\.$/u, ""), ...late()].join(". "));
    throw error;
  }
}

/** Runs a create or update. @throws InitFailure when the write is not finished */
export function runWrite(
  session: ProviderSession,
  subject: HandlerCall,
  write: (context: Context) => Promise<Written>,
): Promise<Written> {
  return runHandler(session, subject, async (context, late) => {
    const written = await write(context);
    const { id, state, open = [] } = written;
    if (open.length === 0) return written;
    const properties = send(state, stateSecrecy(subject.resource, state, subject.secrecy));
    throw new InitFailure({ id, properties, reasons: [...open, ...late()] });
  });
}

/** A resource that is about to be created or, from `old`, changed. */
export interface Planned {
  readonly news: Properties;
  readonly old?: Properties;
}

/** Looks at the service in a preview, and says what it finds. @throws what makes the `up` fail for certain. */
export async function look(session: ProviderSession, subject: HandlerCall, { news, old }: Planned): Promise<void> {
  await runHandler(session, subject, async (context) => {
    const ctx: PreviewContext = { ...context, looks: session.looks };
    const check = (): Promise<readonly string[]> => subject.resource.previewCheck(ctx, news, old);
    for (const warning of await oncePlanned(ctx, environmentOf(news, ctx), check)) ctx.log.warn(warning);
    const hint = ctx.secretHints && !session.hinted.has(subject.urn) ? hintOf(subject, news) : undefined;
    if (hint !== undefined) ctx.log.warn(hint);
  });
}

/** A warning of plain texts that read like secrets, in a program that does not say so by itself. */
function hintOf({ urn, resource, secrecy }: HandlerCall, news: Properties): string | undefined {
  const input = secrecyOf(secrecy, resource.visibleInput?.name ?? "");
  const isPlain = (value: string, entry?: string): boolean =>
    !isMarker(value) && !isSecret(entry === undefined ? input : secrecyOf(input, entry));
  return secretHint({ label: `${resource.type} ${JSON.stringify(nameOf(urn))}`, facts: resource, isPlain }, news);
}
