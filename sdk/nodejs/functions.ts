import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../provider/src/core/properties";
import type { FunctionContext } from "../../provider/src/functions/function";
import type * as Session from "../../provider/src/functions/session";
import { existence } from "./dependencies";
import { settingsOfProvider } from "./provider";
import { isMocked } from "./run";
import { type GivenSettings, settingsFrom } from "./settings";
import { warnPlainToken } from "./stack-config";

/** A function of the package, and how the answer gets its type. */
export interface FunctionCall<R> {
  /** Such as `getEnvironment`. */
  readonly name: string;
  /** Whether the answer is a secret. */
  readonly secret?: boolean;
  /** Loads its code, and with it everything heavy. */
  load(): { invoke(context: FunctionContext, args: Properties): Promise<R> };
}

/**
 * Calls a function in the program's process, with the settings of the given provider, else those of stack config, else
 * environment variables. In a unit test with mocks the mocks answer, for the token `previewenv:index:<name>`.
 * @throws pulumi.RunError for failures, and for settings that a preview does not know
 */
export async function invoke<R>(call: FunctionCall<R>, args: object, opts: pulumi.InvokeOptions = {}): Promise<R> {
  if (isMocked()) return pulumi.runtime.invoke(tokenOf(call), { ...args }, opts);
  const settings = await settled(settingsFor(call, opts));
  if (settings === undefined)
    throw new pulumi.RunError(
      `${call.name}: the settings of the provider are not known in this preview. Use ${call.name}Output.`,
    );
  return run(call, settings.value, { ...args });
}

/**
 * The same for arguments that may be Outputs. Unknown arguments or settings give an unknown result, and no request. An
 * answer that is a secret is marked as one, that of a mock too.
 */
export function invokeOutput<R>(
  call: FunctionCall<R>,
  args: object,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<R> {
  const answer = ask(call, args, opts);
  return call.secret === true ? pulumi.secret("").apply(() => answer) : answer;
}

function ask<R>(call: FunctionCall<R>, args: object, opts: pulumi.InvokeOutputOptions): pulumi.Output<R> {
  if (isMocked()) return pulumi.runtime.invokeOutput(tokenOf(call), { ...args }, opts);
  const given = pulumi.output({ ...args });
  return pulumi
    .all([given, settingsFor(call, opts), existence(opts.dependsOn, given)])
    .apply(([known, settings]) => run(call, settings, known));
}

async function run<R>(call: FunctionCall<R>, settings: GivenSettings, args: Properties): Promise<R> {
  warnPlainToken();
  const session: typeof Session = require("../../provider/src/functions/session");
  try {
    return await call.load().invoke(
      session.functionContext((name) => settings[name], log),
      args,
    );
  } catch (error) {
    const text = session.expectedFailure(error);
    throw text === undefined ? error : Object.assign(new pulumi.RunError(text), { cause: error });
  }
}

const ignore = (): undefined => undefined;

const log: FunctionContext["log"] = {
  info: (text) => void pulumi.log.info(text).catch(ignore),
  warn: (text) => void pulumi.log.warn(text).catch(ignore),
  status: (text) => void pulumi.log.info(text, undefined, undefined, true).catch(ignore),
};

function tokenOf({ name }: FunctionCall<unknown>): string {
  return `previewenv:index:${name}`;
}

/** What the engine would choose a provider by, for a resource of this package. */
const PROVIDED = "pulumi-nodejs:dynamic/previewenv:Function";

/** Not secret, though the token is one: else whatever a function finds would be. */
function settingsFor(call: FunctionCall<unknown>, opts: pulumi.InvokeOptions): pulumi.Output<GivenSettings> {
  const { provider, parent } = opts;
  const inherited = provider ?? parent?.getProvider(PROVIDED);
  const settings = inherited && settingsOfProvider(inherited);
  if (provider !== undefined && settings === undefined)
    throw new pulumi.RunError(`${call.name}: the option \`provider\` must be a previewenv.Provider.`);
  return pulumi.unsecret(settings ?? pulumi.output(settingsFrom({})));
}

/** The value of an Output; `undefined` when a preview does not know it. Rejects when the Output failed. */
async function settled<T>(output: pulumi.Output<T>): Promise<{ readonly value: T } | undefined> {
  let found: { readonly value: T } | undefined;
  const noted = output.apply((value) => {
    found = { value };
  });
  // The one part of an Output that can be awaited, known or not.
  await pulumi.isSecret(noted);
  return found;
}
