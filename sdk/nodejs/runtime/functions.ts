import * as pulumi from "@pulumi/pulumi";
import type { InputKinds } from "../../../provider/src/framework/no-value";
import type { Properties } from "../../../provider/src/framework/properties";
import type { FunctionContext } from "../../../provider/src/framework/function";
import type * as Session from "../../../provider/src/functions/function-context";
import { noteCall } from "./calls-under-way";
import { dynamicHost } from "./dynamic-host";
import { functionError } from "./function-error";
import { type CallArguments, type HostedCall, outputForm, plainForm } from "./function-forms";
import { type GivenSettings, settingsFrom } from "./settings";
import { warnOfConfig } from "./stack-config";

/** A function of the package, and how the answer gets its type. */
export interface FunctionCall<R> {
  /** Such as `getEnvironment`. */
  readonly name: string;
  /** Whether the answer is a secret. */
  readonly secret?: boolean;
  /** Which arguments may be missing, and in which way. */
  readonly kinds: InputKinds;
  /** Loads its code, and with it everything heavy. */
  load(): { invoke(context: FunctionContext, args: Properties): Promise<R> };
}

/**
 * Calls a function in the program's process, with the settings of the given provider, else those of stack config, else
 * environment variables.
 * @throws pulumi.RunError for failures, and for settings that a preview does not know
 */
export function invoke<R>(call: FunctionCall<R>, args: object, opts?: pulumi.InvokeOptions): Promise<R> {
  return plainForm(inProcess(call), args, opts);
}

/** The same for arguments that may be Outputs. */
export function invokeOutput<R>(
  call: FunctionCall<R>,
  args: object,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<R> {
  return outputForm(inProcess(call), args, opts);
}

function inProcess<R>(call: FunctionCall<R>): HostedCall<R> {
  return {
    ...call,
    host: dynamicHost,
    needsSettings: true,
    defaults: () => pulumi.output(settingsFrom({})),
    answer: (settings, given) => run(call, settings, given),
  };
}

async function run<R>(call: FunctionCall<R>, settings: GivenSettings, { args, hasSecrets }: CallArguments): Promise<R> {
  warnOfConfig(dynamicHost);
  const session: typeof Session = require("../../../provider/src/functions/function-context");
  try {
    const context = session.functionContext((name) => settings[name], log);
    return await noteCall(call.load().invoke({ ...context, hasSecretArguments: hasSecrets }, args));
  } catch (error) {
    const text = session.expectedFailure(error);
    throw text === undefined ? error : functionError(text, error);
  }
}

const ignore = (): undefined => undefined;

const log: FunctionContext["log"] = {
  info: (text) => void pulumi.log.info(text).catch(ignore),
  warn: (text) => void pulumi.log.warn(text).catch(ignore),
  status: (text) => void pulumi.log.info(text, undefined, undefined, true).catch(ignore),
};
