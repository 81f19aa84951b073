import { AsyncLocalStorage } from "node:async_hooks";
import type { ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { CancelledError } from "../../client/errors";
import { components } from "../../components";
import { IncompleteError, RefusedError } from "../../framework/errors";
import type * as Components from "./components/host";
import type { ProviderSession } from "./sessions";

const PREFIX = "previewenv:index:";

/** Fails the component that an action is part of. */
const failing = new AsyncLocalStorage<(error: unknown) => void>();

/** Makes a component: the engine gets its children from here as it gets resources from a program. */
export async function construct(session: ProviderSession, request: ConstructRequest): Promise<ConstructResponse> {
  const component = components.find(({ type }) => PREFIX + type === request.getType());
  if (component === undefined)
    throw new RefusedError(
      `this version of previewenv has no component ${JSON.stringify(request.getType())}: install a newer one`,
    );
  const label = `${component.type} ${JSON.stringify(request.getName())}`;
  // Pulumi's SDK takes time and memory that only programs with a component spend.
  const host: typeof Components = require("./components/host");
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const cancelled = `${label} is not finished: the run was cancelled, or another resource failed`;
  const cancel = (): void => reject(new CancelledError(cancelled, true));
  session.signal.addEventListener("abort", cancel, { once: true });
  try {
    const { engineAddress = "", provider } = session;
    return await failing.run(reject, () =>
      host.construct(request, { component, label, engineAddress, provider, failed }),
    );
  } catch (error) {
    const text = host.failureText(label, error);
    throw text === undefined ? error : new IncompleteError(text);
  } finally {
    session.signal.removeEventListener("abort", cancel);
  }
}

/**
 * Fails the component that a rejected promise belongs to, when nobody awaits the promise: Pulumi's SDK tells a program so of a
 * resource that failed. Returns whether it belongs to one.
 */
export function failComponent(error: unknown): boolean {
  const fail = failing.getStore();
  fail?.(error);
  return fail !== undefined;
}
