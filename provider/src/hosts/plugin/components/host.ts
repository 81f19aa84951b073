import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { RunError } from "@pulumi/pulumi/errors";
import { deserializeInputs } from "@pulumi/pulumi/provider/server";
import type { Resource } from "@pulumi/pulumi/resource";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import { awaitFeatureSupport, resetOptions, waitForRPCs } from "@pulumi/pulumi/runtime/settings";
import { getStore, withLocalStorage } from "@pulumi/pulumi/runtime/state";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { PreviewEnvironmentOutputs } from "../../../../../sdk/nodejs/generated/preview-environment";
import { knownValue } from "../../../../../sdk/nodejs/runtime/outputs";
import { PreviewEnvironment } from "../../../../../sdk/nodejs/generated/native/written";
import { previewEnvironmentArguments } from "./arguments";
import { optionsOf } from "./options";
import { placeSecrets } from "./secrets";

/** How Pulumi's SDK tells a program of a resource that failed; its own error says why. */
const FAILED_CHILD = /\bresource (.+?) \[([^\]\s]+)\](?: failed|:)/u;

/** What the request for a component does not say. */
export interface Construction {
  /** The component, as errors name it. */
  readonly label: string;
  /** Where messages go; empty: nowhere. */
  readonly engineAddress: string;
  /** Reference of the provider that serves the component. */
  readonly provider: string | undefined;
  /** Aborted with an error when the component cannot be finished. */
  readonly signal: AbortSignal;
}

/** Makes a component as a program would, with a run of Pulumi's SDK of its own. Answers once the engine has all its resources. */
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
      return await Promise.race([make(request, construction), failureOf(construction.signal)]);
    } finally {
      const { monitor, engine } = getStore().settings;
      monitor?.close();
      engine?.close();
    }
  });
}

/** The text for an error that a person can do something about; `undefined` for an unexpected one. */
export function failureText(label: string, error: unknown): string | undefined {
  if (RunError.isInstance(error)) return error.message;
  const message = error instanceof Error ? error.message : "";
  const [, name, type] = FAILED_CHILD.exec(message) ?? [];
  return name === undefined ? undefined : `${label} is not finished: its resource ${name} (${type}) failed`;
}

function failureOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}

async function make(request: ConstructRequest, { label, provider }: Construction): Promise<ConstructResponse> {
  await awaitFeatureSupport();
  const given = request.getInputs() ?? new Struct();
  placeSecrets(given);
  const inputs = await deserializeInputs(given, request.getInputdependenciesMap());
  const args = await previewEnvironmentArguments(label, inputs);
  // Without a type: another language may have sent anything, and the class says what is wrong with it.
  const component: PreviewEnvironment = Reflect.construct(PreviewEnvironment, [
    request.getName(),
    args,
    optionsOf(request, provider),
  ]);
  const response = await respond(label, component, component);
  // The engine must have all children, and the component's outputs, when it gets the answer.
  await waitForRPCs();
  return response;
}

async function respond(
  label: string,
  { urn }: Resource,
  { environmentId, url, name, projects }: PreviewEnvironmentOutputs,
): Promise<ConstructResponse> {
  const outputs: PreviewEnvironmentOutputs = { environmentId, url, name, projects };
  const response = new ConstructResponse();
  response.setUrn(await urnOf({ urn }));
  const [state, sources] = await serializeResourceProperties(label, { ...outputs });
  response.setState(Struct.fromJavaScript(state));
  for (const [output, resources] of sources) {
    const dependencies = new ConstructResponse.PropertyDependencies();
    dependencies.setUrnsList(await Promise.all([...resources].map((one) => urnOf(one))));
    response.getStatedependenciesMap().set(output, dependencies);
  }
  return response;
}

async function urnOf({ urn }: Pick<Resource, "urn">): Promise<string> {
  return (await knownValue(urn))?.value ?? "";
}
