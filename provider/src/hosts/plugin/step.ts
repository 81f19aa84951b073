import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { CancelledError } from "../../client/errors";
import { isMarker } from "../../env-vars/placeholder";
import type { Context } from "../../framework/context";
import { environmentOf } from "../../framework/ownership";
import { IncompleteError } from "../../framework/errors";
import { oncePlanned, type PreviewContext } from "../../framework/preview";
import type { Properties } from "../../framework/properties";
import type { Resource, Written } from "../../framework/resource";
import { secretHint } from "../../framework/visible-inputs";
import { InitFailure } from "./failure";
import { labelOf, resourceOf } from "./resource";
import { isSecret, type Secrecy, secrecyOf, stateSecrecy } from "./secrecy";
import type { Call, ProviderSession } from "./sessions";
import { send } from "./values";

/** What the engine does with one resource, and how long it may take; 0 seconds: no limit. */
export interface Step {
  readonly urn: string;
  readonly resource: Resource;
  /** What the engine sent as a secret: state has it as one, too. */
  readonly secrecy: Secrecy;
  readonly timeoutSeconds: number;
}

/** The step that a request is about. */
export function stepOf(request: { getUrn(): string; getTimeout(): number }, secrecy: Secrecy): Step {
  const urn = request.getUrn();
  return { urn, resource: resourceOf(urn), secrecy, timeoutSeconds: request.getTimeout() };
}

/** State as the engine takes it. */
export function sendState({ resource, secrecy }: Step, state: Properties): Struct {
  return send(state, stateSecrecy(resource, state, secrecy));
}

/** Runs a handler that has no state to keep when it fails. */
export async function run<T>(
  session: ProviderSession,
  step: Step,
  handle: (context: Context) => Promise<T>,
): Promise<T> {
  using call = session.call(step.urn, step.timeoutSeconds);
  return await handled(step, call, handle);
}

/** Runs a create or update. @throws InitFailure when the write is not finished */
export async function write(
  session: ProviderSession,
  step: Step,
  handle: (context: Context) => Promise<Written>,
): Promise<Written> {
  using call = session.call(step.urn, step.timeoutSeconds);
  const written = await handled(step, call, handle);
  const { id, state, open = [] } = written;
  if (open.length === 0) return written;
  throw new InitFailure(id, sendState(step, state), call.isLate() ? [...open, lateText(step)] : open);
}

async function handled<T>(step: Step, call: Call, handle: (context: Context) => Promise<T>): Promise<T> {
  try {
    return await handle(call.context);
  } catch (error) {
    const isEnded = error instanceof CancelledError || error instanceof IncompleteError;
    if (!isEnded || !call.isLate()) throw error;
    throw new IncompleteError(`${error.message.replace(/\.$/u, "")}. ${lateText(step)}`);
  }
}

function lateText({ timeoutSeconds }: Step): string {
  return `The step took longer than ${timeoutSeconds} s, which is its limit in the resource option customTimeouts.`;
}

/**
 * Looks at the service in a preview of a create or, from `old`, of an update, and says what it finds.
 * @returns the outputs that are certain
 * @throws what makes the `up` fail for certain
 */
export async function preview(
  session: ProviderSession,
  step: Step,
  news: Properties,
  old?: Properties,
): Promise<Properties> {
  const { urn, resource } = step;
  await run(session, step, async (context) => {
    const ctx: PreviewContext = { ...context, looks: session.looks };
    const look = (): Promise<readonly string[]> => resource.previewCheck(ctx, news, old);
    for (const warning of await oncePlanned(ctx, environmentOf(news, ctx), look)) ctx.log.warn(warning);
    const hint = ctx.secretHints && !session.hinted.has(urn) ? hintOf(step, news) : undefined;
    if (hint !== undefined) ctx.log.warn(hint);
  });
  return resource.plannedOutputs(news, old, session.environments);
}

/** A warning of plain texts that read like secrets, in a program that does not say so by itself. */
function hintOf({ urn, resource, secrecy }: Step, news: Properties): string | undefined {
  const input = secrecyOf(secrecy, resource.visibleInput?.name ?? "");
  const isPlain = (value: string, entry?: string): boolean =>
    !isMarker(value) && !isSecret(entry === undefined ? input : secrecyOf(input, entry));
  return secretHint({ label: labelOf(urn, resource), facts: resource, isPlain }, news);
}
