import * as pulumi from "@pulumi/pulumi";
import { rpcKeepAlive } from "@pulumi/pulumi/runtime/settings";
import type { InputKinds } from "../../../provider/src/framework/no-value";
import type { Properties } from "../../../provider/src/framework/properties";
import { whenCreated } from "./dependencies";
import { functionError } from "./function-error";
import { handled } from "./handled";
import { type Host, nativeType, packageOf, pluginOptions, refuseForeignProvider } from "./host";
import { checkArgs } from "./arguments";
import { knownValue } from "./known-value";
import { settingsOfProvider } from "./provider";
import { isMocked } from "./program-run";
import type { GivenSettings } from "./settings";

/** The arguments of a call of a function. */
export interface CallArguments {
  readonly args: Properties;
  /** Whether one of them is a Pulumi secret. */
  readonly hasSecrets: boolean;
}

/** A function of the package, and how one host answers it. */
export interface HostedCall<R> {
  /** Such as `getEnvironment`. */
  readonly name: string;
  /** Whether the answer is a secret. */
  readonly secret?: boolean;
  /** Which arguments may be missing, and in which way. */
  readonly kinds: InputKinds;
  readonly host: Host;
  /** Whether the program itself needs the settings: then the option `provider` must be a Provider of this package. */
  readonly needsSettings: boolean;
  /** The settings when neither the call nor its parent has a Provider of this package. */
  defaults(): pulumi.Output<GivenSettings>;
  /** Answers with everything known. Rejects with a pulumi.RunError for what is expected to fail. */
  answer(settings: GivenSettings, given: CallArguments, opts: pulumi.InvokeOptions): Promise<R>;
}

/**
 * The plain form of a function. In a unit test with mocks the mocks answer, for the token `previewenv:index:<name>`.
 * @throws pulumi.RunError for failures, and for settings that a preview does not know
 */
export async function plainForm<R>(call: HostedCall<R>, args: object, opts: pulumi.InvokeOptions = {}): Promise<R> {
  const { args: given } = checkArgs(call.name, args, call.kinds, "first");
  refuseForeignProvider(call.name, call.host, opts.provider);
  if (isMocked()) return pulumi.runtime.invoke(nativeType(call.name), { ...given }, withPlugin(call.host, opts));
  const settings = await knownValue(settingsFor(call, opts));
  if (settings === undefined)
    throw functionError(
      `${call.name}: the settings of the provider are not known in this preview. Use ${call.name}Output.`,
    );
  return call.answer(settings.value, { args: given, hasSecrets: false }, opts);
}

/**
 * The same for arguments that may be Outputs. Unknown arguments or settings give an unknown result, and no request. An
 * answer that is a secret is marked as one, that of a mock too.
 */
export function outputForm<R>(
  call: HostedCall<R>,
  args: object,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<R> {
  const answer = ask(call, args, opts);
  return call.secret === true ? handled(pulumi.secret("")).apply(() => answer) : answer;
}

function ask<R>(call: HostedCall<R>, passed: object, opts: pulumi.InvokeOutputOptions): pulumi.Output<R> {
  const checked = checkArgs(call.name, passed, call.kinds, "first");
  refuseForeignProvider(call.name, call.host, opts.provider);
  if (isMocked())
    return pulumi.runtime.invokeOutput(nativeType(call.name), { ...checked.args }, withPlugin(call.host, opts));
  // Of the arguments themselves: with promises of them, the answer would not say at once on which resources it depends.
  const given = handled(pulumi.output({ ...checked.args }));
  const ready = pulumi.all([
    given,
    settingsFor(call, opts),
    pulumi.isSecret(given),
    whenCreated(opts.dependsOn, given),
    Promise.all(checked.looks.values()),
  ]);
  // As with Pulumi's own functions, the program does not end before the answer.
  const ended = rpcKeepAlive();
  const answer = handled(ready).apply(([args, settings, hasSecrets]) =>
    call.answer(settings, { args, hasSecrets }, opts),
  );
  pulumi.isSecret(answer).then(ended, ended);
  return answer;
}

/** The options, with the plugin that the engine shall ask when they name none. */
export function withPlugin<T extends pulumi.InvokeOptions>(host: Host, opts: T): T {
  return { ...opts, ...pluginOptions(host, opts) };
}

/** Not secret, although the token is: otherwise every answer of a function would be secret. */
function settingsFor(call: HostedCall<unknown>, opts: pulumi.InvokeOptions): pulumi.Output<GivenSettings> {
  const { provider, parent } = opts;
  const inherited = provider ?? parent?.getProvider(call.host.typeOf("Function"));
  const settings = inherited === undefined ? underAnotherName(call, parent) : settingsOfProvider(inherited);
  if (call.needsSettings && provider !== undefined && settings === undefined)
    throw functionError(`${call.name}: the option \`provider\` must be a previewenv.Provider.`);
  return pulumi.unsecret(settings ?? call.defaults());
}

/**
 * The settings of a Provider that a component has in `providers` under a name that is not the one of its package. The SDK does not find
 * it there. The engine does, and gives it to the children: so the look-up must not go to another service.
 */
function underAnotherName(
  { host }: HostedCall<unknown>,
  parent: pulumi.Resource | undefined,
): pulumi.Output<GivenSettings> | undefined {
  // Not part of the SDK's types.
  const all: unknown = parent && Reflect.get(parent, "__providers");
  const own = Object.values(typeof all === "object" && all !== null ? all : {}).filter(
    (one: unknown) => packageOf(one) === host.providerPackage,
  );
  return own.map(settingsOfProvider).find((settings) => settings !== undefined);
}
