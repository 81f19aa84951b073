import { AsyncLocalStorage } from "node:async_hooks";
import { addAbortListener } from "node:events";
import type { ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { CancelledError } from "../../client/errors";
import { components } from "../../components";
import { IncompleteError, RefusedError } from "../../framework/resource-errors";
import type * as Components from "./components/component-run";
import type { ProviderSession } from "./sessions";

const PREFIX = "previewenv:index:";

/** The failures of the component that an action is part of. */
const failuresOfComponent = new AsyncLocalStorage<unknown[]>();

/** Makes a component: the engine gets its children from here as it gets resources from a program. */
export async function construct(session: ProviderSession, request: ConstructRequest): Promise<ConstructResponse> {
  const component = components.find(({ type }) => PREFIX + type === request.getType());
  if (component === undefined)
    throw new RefusedError(
      `this version of previewenv has no component ${JSON.stringify(request.getType())}: install a newer one`,
    );
  const label = `${component.type} ${JSON.stringify(request.getName())}`;
  // Pulumi's SDK takes time and memory that only programs with a component spend.
  const host: typeof Components = require("./components/component-run");
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const text = `${label} is not finished: the run was cancelled, or another resource failed`;
  using _cancel = addAbortListener(session.signal, () => reject(new CancelledError(text, true)));
  const { engineAddress = "", provider, constructing } = session;
  const failures: unknown[] = [];
  const construction = { component, label, engineAddress, provider, failures, cancelled };
  const made = failuresOfComponent.run(failures, () => host.construct(request, construction));
  constructing.add(made);
  try {
    return await made;
  } catch (error) {
    constructing.delete(made);
    // The engine aborts all components when one answers an error, also with `--continue-on-error`.
    while (constructing.size > 0) await Promise.allSettled(constructing);
    const expected = host.failureText(request, label, error);
    throw expected === undefined ? error : new IncompleteError(expected);
  } finally {
    constructing.delete(made);
  }
}

/**
 * Notes a rejected promise that nobody awaits, by which Pulumi's SDK tells a program of a resource that failed, for the component that it
 * belongs to. Returns whether it belongs to one.
 */
export function failComponent(error: unknown): boolean {
  const failures = failuresOfComponent.getStore();
  failures?.push(error);
  return failures !== undefined;
}
