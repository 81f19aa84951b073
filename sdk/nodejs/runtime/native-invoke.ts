import * as pulumi from "@pulumi/pulumi";
import { noteCall } from "./calls-under-way";
import type { InputKinds } from "../../../provider/src/framework/no-value";
import { functionError } from "./function-error";
import { type CallArguments, type HostedCall, outputForm, plainForm, withPlugin } from "./function-forms";
import { nativeType } from "./host";
import { nativeHost } from "./native-host";
import type { GivenSettings } from "./settings";
import { warnOfConfig } from "./stack-config";

/** A function of the plugin. */
export interface NativeCall {
  /** Such as `getEnvironment`. */
  readonly name: string;
  /** Whether the answer is a secret. */
  readonly secret?: boolean;
  /** Which arguments may be missing, and in which way. */
  readonly kinds: InputKinds;
}

/**
 * Calls a function of the plugin, with the settings of the given provider, else those of stack config, else environment
 * variables.
 * @throws pulumi.RunError for failures, and for settings that a preview does not know
 */
export function invoke<R>(call: NativeCall, args: object, opts?: pulumi.InvokeOptions): Promise<R> {
  return plainForm(ofPlugin<R>(call), args, opts);
}

/** The same for arguments that may be Outputs. */
export function invokeOutput<R>(call: NativeCall, args: object, opts?: pulumi.InvokeOutputOptions): pulumi.Output<R> {
  return outputForm(ofPlugin<R>(call), args, opts);
}

function ofPlugin<R>(call: NativeCall): HostedCall<R> {
  return {
    ...call,
    host: nativeHost,
    // The engine gives the plugin its settings. The call still waits for those of a Provider: while a preview does not know
    // them, the engine returns an empty answer.
    needsSettings: false,
    defaults: () => pulumi.output<GivenSettings>({}),
    answer: (_settings, given, opts) => run(call, given, opts),
  };
}

async function run<R>(
  { name }: NativeCall,
  { args, hasSecrets }: CallArguments,
  opts: pulumi.InvokeOptions,
): Promise<R> {
  warnOfConfig(nativeHost);
  const given = hasSecrets
    ? Object.fromEntries(Object.entries(args).map(([argument, value]) => [argument, pulumi.secret(value)]))
    : { ...args };
  try {
    // A Provider may wait for other resources, and the call for the Provider.
    const provider = opts.provider ?? opts.parent?.getProvider(nativeType(name));
    if (provider !== undefined) await pulumi.isSecret(provider.id);
    return await noteCall(pulumi.runtime.invoke(nativeType(name), given, withPlugin(nativeHost, opts)));
  } catch (error) {
    const reason = reasonOf(error);
    throw hasSecrets ? functionError(withoutTexts(reason, args)) : functionError(reason, error);
  }
}

/** An error without what was given: the engine does not tell the plugin which arguments are secrets, and the plugin shows them. */
function withoutTexts(reason: string, args: object): string {
  const values: readonly unknown[] = Object.values(args);
  const texts = values.filter((value) => typeof value === "string").filter((value) => value !== "");
  return texts.toSorted((one, other) => other.length - one.length).reduce(withoutText, reason);
}

function withoutText(reason: string, text: string): string {
  return reason.replaceAll(text, "[secret]");
}

/** The plugin's text without the engine's prefix: it names the function itself. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^invocation of \S+ returned an error: /u, "");
}
