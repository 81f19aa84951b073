import * as pulumi from "@pulumi/pulumi";
import { rpcKeepAlive } from "@pulumi/pulumi/runtime/settings";
import { SECRET_PATHS_KEY } from "../../../provider/src/framework/host-keys";
import type { FunctionContext } from "../../../provider/src/framework/function";
import type { InputKinds } from "../../../provider/src/framework/missing-value-text";
import type { Properties } from "../../../provider/src/framework/properties";
import type * as Session from "../../../provider/src/functions/function-context";
import { failing, programError } from "./program-failure";
import { dynamicHost, type Host, NATIVE_TYPE, nativeHost, refuseForeignProvider } from "./host";
import { checkArgs } from "./checked-arguments";
import { knownValue, whenCreated } from "./outputs";
import { isMocked, processKind, warn } from "./program-run";
import { type GivenSettings, providerOf, settingsOf, warnOfConfig } from "./provider";

/** A function of the package. */
export interface FunctionCall<R> {
  /** Such as `getEnvironment`. */
  readonly name: string;
  /** Whether the answer is a secret. */
  readonly secret?: boolean;
  /** Which arguments may be missing, and in which way. */
  readonly kinds: InputKinds;
  /** Loads its code, and with it everything heavy, into the program's process. Without it, the plugin answers. */
  load?(): { invoke(context: FunctionContext, args: Properties): Promise<R> };
}

/** The answer of a call: everything is known. */
interface Question {
  readonly args: Properties;
  /** Whether an argument is a Pulumi secret. */
  readonly hasSecrets: boolean;
  readonly settings: GivenSettings;
}

/**
 * The plain form of a function, with the settings of the given provider, else those of stack config, else environment
 * variables.
 * @throws pulumi.RunError for failures, and for settings that a preview does not know
 */
export async function invoke<R>(call: FunctionCall<R>, passed: object, opts: pulumi.InvokeOptions = {}): Promise<R> {
  const { name, kinds } = call;
  const { args } = checkArgs(name, passed, kinds);
  refuseForeignProvider(name, hostOf(call), opts.provider);
  const settings = await knownValue(settingsFor(call, opts));
  if (settings === undefined)
    throw programError(
      `${name}: the settings of the provider are not known in this preview, or a resource that they come from failed. Use ${name}Output.`,
    );
  return answer(call, { args, hasSecrets: false, settings: settings.value }, opts);
}

/**
 * The same for arguments that may be Outputs. Unknown arguments or settings give an unknown result, and no request. An
 * answer that is a secret is marked as one.
 */
export function invokeOutput<R>(
  call: FunctionCall<R>,
  passed: object,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<R> {
  const { args, whenChecked } = checkArgs(call.name + below(opts.parent), passed, call.kinds);
  refuseForeignProvider(call.name, hostOf(call), opts.provider);
  // Of the arguments themselves: with promises of them, the answer would not say at once on which resources it depends.
  const outputArgs = failing(pulumi.output({ ...args }));
  const ready = pulumi.all([
    outputArgs,
    settingsFor(call, opts),
    pulumi.isSecret(outputArgs),
    whenCreated(opts.dependsOn, outputArgs),
    whenChecked,
  ]);
  // As with Pulumi's own functions, the program does not end before the answer.
  const ended = rpcKeepAlive();
  const answered = failing(ready).apply(([knownArgs, settings, hasSecrets]) =>
    answer(call, { args: knownArgs, hasSecrets, settings }, opts),
  );
  pulumi.isSecret(answered).then(ended, ended);
  return call.secret === true ? failing(pulumi.secret("")).apply(() => answered) : answered;
}

/** Which component calls: a program may have many, and an error of Pulumi shows no stack. The names are not part of the SDK's types. */
function below(parent: pulumi.Resource | undefined): string {
  const [type, name]: unknown[] = parent ? [Reflect.get(parent, "__pulumiType"), Reflect.get(parent, "__name")] : [];
  return typeof name === "string" ? ` of ${String(type).split(":").at(-1)} ${JSON.stringify(name)}` : "";
}

function hostOf(call: FunctionCall<unknown>): Host {
  return call.load === undefined ? nativeHost : dynamicHost;
}

/**
 * Not secret, although the token is: otherwise every answer of a function would be secret. The engine gives the plugin its settings.
 * The call still waits for those of a Provider: while a preview does not know them, the engine returns an empty answer.
 */
function settingsFor(call: FunctionCall<unknown>, opts: pulumi.InvokeOptions): pulumi.Output<GivenSettings> {
  const own = providerOf(hostOf(call), opts);
  if (call.load !== undefined && opts.provider !== undefined && own === undefined)
    throw programError(`${call.name}: the option \`provider\` must be a previewenv.Provider.`);
  return pulumi.unsecret(settingsOf(own));
}

/** In a unit test with mocks the mocks answer, for the token `previewenv:index:<name>`. */
function answer<R>(call: FunctionCall<R>, question: Question, opts: pulumi.InvokeOptions): Promise<R> {
  warnOfConfig(hostOf(call));
  return call.load === undefined || isMocked() ? askEngine(call, question, opts) : run(call.load(), question);
}

async function run<R>(
  code: { invoke(context: FunctionContext, args: Properties): Promise<R> },
  { args, hasSecrets, settings }: Question,
): Promise<R> {
  const session: typeof Session = require("../../../provider/src/functions/function-context");
  try {
    const context = session.functionContext((name) => settings[name], log);
    return await code.invoke({ ...context, hasSecretArguments: hasSecrets }, args);
  } catch (error) {
    const place = processKind() === "inline program" && session.mayBeAboutSettings(error) ? OWN_PROCESS : "";
    throw programError(session.failureText(error) + place);
  }
}

const OWN_PROCESS =
  "\nThe lookup runs in the program's own process, which does not have the `envVars` of the workspace: set the variables in `process.env`, " +
  "or the settings in the stack's config.";

const log: FunctionContext["log"] = {
  info: (text) => void pulumi.log.info(text).catch(() => undefined),
  warn,
  status: (text) => void pulumi.log.info(text, undefined, undefined, true).catch(() => undefined),
};

async function askEngine<R>(call: FunctionCall<R>, question: Question, opts: pulumi.InvokeOptions): Promise<R> {
  const { args, hasSecrets } = question;
  const token = NATIVE_TYPE + call.name;
  // The engine does not tell the plugin that an argument is a secret, and then no error may show the arguments.
  const told = hasSecrets && !isMocked() && { [SECRET_PATHS_KEY]: Object.keys(args).map((name) => [name]) };
  try {
    // A Provider may wait for other resources, and the call for the Provider.
    const provider = opts.provider ?? opts.parent?.getProvider(token);
    if (provider !== undefined) await pulumi.isSecret(provider.id);
    return await pulumi.runtime.invoke(token, { ...args, ...told }, { ...hostOf(call).plugin, ...opts });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // The SDK drops the text of an error of mocks.
    if (text === "")
      throw programError(`${call.name}: the call failed. In a unit test, the function \`call\` of \`setMocks\` threw.`);
    // The plugin's text without the engine's prefix: it names the function itself.
    throw programError(text.replace(/^invocation of \S+ returned an error: /u, ""));
  }
}
