import { setImmediate } from "node:timers/promises";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { RunError } from "@pulumi/pulumi/errors";
import type { Resource } from "@pulumi/pulumi/resource";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import { awaitFeatureSupport, grpcClientOptions, resetOptions, waitForRPCs } from "@pulumi/pulumi/runtime/settings";
import { getStore, withLocalStorage } from "@pulumi/pulumi/runtime/state";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as written from "../../../../../sdk/nodejs/generated/native/written";
import { knownValue } from "../../../../../sdk/nodejs/runtime/outputs";
import type { Component } from "../../../framework/component";
import { describeFailure, problemsOfValues } from "../../../framework/input-checks";
import { SecretTexts } from "../../../framework/secret-texts";
import { WITHOUT_PROXY } from "../../engine";
import { secretTextsIn } from "../secrecy";
import { receive } from "../values";
import { componentArguments, plainNames } from "./given-arguments";
import { optionsOf } from "./given-options";

/** How Pulumi's SDK tells a program of a resource that the engine refused. Its own error says why. */
const REFUSED_CHILD = /\bresource (.+?) \[([^\]\s]+)\]:/u;

// Of every connection that the SDK makes from now on.
Object.assign(grpcClientOptions, WITHOUT_PROXY);

/** The facts that a request for a component does not say. */
export interface Construction {
  readonly component: Component;
  /** The component, as errors name it. */
  readonly label: string;
  /** Where messages go. Empty: nowhere. */
  readonly engineAddress: string;
  /** Reference of the provider that serves the component. */
  readonly provider: string | undefined;
  /** Why the component cannot be finished, in order: errors of its resources that nobody awaits. */
  readonly failures: readonly unknown[];
  /** Rejects when the run is cancelled. */
  readonly cancelled: Promise<never>;
}

/**
 * Makes a component as a program would, with a run of Pulumi's SDK of its own. Answers once the engine has all its resources. One that
 * fails does not keep the engine from the others: its error is the answer then.
 */
export function construct(request: ConstructRequest, construction: Construction): Promise<ConstructResponse> {
  return withLocalStorage(async () => {
    resetOptions(
      request.getProject(),
      request.getStack(),
      request.getParallel(),
      construction.engineAddress,
      request.getMonitorendpoint(),
      request.getDryrun(),
      request.getOrganization(),
    );
    try {
      return await Promise.race([make(request, construction), construction.cancelled]);
    } finally {
      const { monitor, engine } = getStore().settings;
      monitor?.close();
      engine?.close();
    }
  });
}

/** The text for an error that a person can do something about. `undefined` for an unexpected one. */
export function failureText(request: ConstructRequest, label: string, error: unknown): string | undefined {
  const secrets = new SecretTexts(secretTextsIn(plainNames, [receive(request.getInputs())]));
  if (RunError.isInstance(error)) return secrets.hide(error.message);
  const message = error instanceof Error ? error.message : "";
  const [, name, type] = REFUSED_CHILD.exec(message) ?? [];
  return name === undefined ? undefined : `${label} is not finished: its resource ${name} (${type}) failed`;
}

async function make(request: ConstructRequest, construction: Construction): Promise<ConstructResponse> {
  await awaitFeatureSupport();
  const [answer] = await Promise.allSettled([declare(request, construction)]);
  // The engine must have all children, and the component's outputs, when it gets the answer.
  await waitForRPCs();
  // Node.js tells of rejections at the end of a turn.
  await setImmediate();
  const [failure = answer.status === "rejected" ? answer.reason : undefined] = construction.failures;
  if (answer.status === "fulfilled" && failure === undefined) return answer.value;
  throw failure;
}

async function declare(
  request: ConstructRequest,
  { component, label, provider }: Construction,
): Promise<ConstructResponse> {
  // Pulumi's SDK would make the id or the URN of a resource that it does not know.
  const refused = problemsOfValues(receive(request.getInputs()).bag);
  if (refused.length > 0) throw new RunError(`${label}: ${refused.map(describeFailure).join("; ")}.`);
  // Without a type: another language may have sent anything, and the class says what is wrong with it.
  const made: Resource = Reflect.construct(Reflect.get(written, component.type), [
    request.getName(),
    await componentArguments(request.getInputs()),
    optionsOf(request, provider),
  ]);
  const outputs = Object.keys(component.outputs.shape).map((name) => [name, Reflect.get(made, name)] as const);
  const response = new ConstructResponse().setUrn(await urnOf(made));
  const [state, sources] = await serializeResourceProperties(label, Object.fromEntries(outputs));
  response.setState(Struct.fromJavaScript(state));
  for (const [output, resources] of sources) {
    const urns = await Promise.all([...resources].map(urnOf));
    const dependencies = new ConstructResponse.PropertyDependencies().setUrnsList(urns);
    response.getStatedependenciesMap().set(output, dependencies);
  }
  return response;
}

async function urnOf({ urn }: Resource): Promise<string> {
  return (await knownValue(urn))?.value ?? "";
}
