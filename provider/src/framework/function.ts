import type * as z from "zod";
import type { CheckFailure } from "./input-checks";
import { describeFailure, describeFailureWithValue, parseInputs } from "./input-checks";
import type { PreviewenvClient } from "../client";
import { ArgumentError } from "../client/errors";
import type { Clock } from "../client/clock";
import type { Log } from "./context";
import type { Properties } from "./properties";

/** Everything that a function may use. */
export interface FunctionContext {
  readonly client: PreviewenvClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends a wait. */
  readonly signal?: AbortSignal | undefined;
  /** Whether an argument is a Pulumi secret: then no error shows the given arguments, except an id. Default false. */
  readonly hasSecretArguments?: boolean | undefined;
}

/** How a function file declares one function. Schema, SDK and reference come from this. */
export interface FunctionSpec<I extends z.ZodObject, O extends z.ZodObject> {
  /** Such as `getEnvironment`. */
  readonly name: string;
  readonly description: string;
  readonly inputs: I;
  readonly outputs: O;
  /** Whether the answer is a secret: then its Output form is one, as a whole. Default false. */
  readonly secret?: boolean;
  /** Whether TypeScript programs have a function of this name that is written by hand. Default false. */
  readonly isWrittenInTypeScript?: boolean;
  /** Rules across fields. */
  rules?(inputs: z.output<I>): readonly CheckFailure[];
  invoke(context: FunctionContext, inputs: z.output<I>): Promise<z.output<O>>;
}

/** A function as a host calls it: a plain property bag in. */
export interface PreviewenvFunction<O extends z.ZodObject = z.ZodObject> extends Required<
  Omit<FunctionSpec<z.ZodObject, O>, "rules" | "invoke">
> {
  /** Whether it can be called without arguments. */
  readonly needsNothing: boolean;
  /** Throws ArgumentError for arguments that cannot work, before any request. */
  invoke(context: FunctionContext, args: Properties): Promise<z.output<O>>;
}

/** Turns a typed declaration into a function. */
export function defineFunction<I extends z.ZodObject, O extends z.ZodObject>(
  spec: FunctionSpec<I, O>,
): PreviewenvFunction<O> {
  const { name, description, inputs, outputs, secret = false, isWrittenInTypeScript = false } = spec;
  const nothing = inputs.safeParse({});
  return {
    name,
    description,
    inputs,
    outputs,
    secret,
    isWrittenInTypeScript,
    needsNothing: nothing.success && (spec.rules?.(nothing.data) ?? []).length === 0,
    async invoke(context, args) {
      const parsed = parseInputs(inputs, args, "an argument of this function");
      refuse(parsed.failures, context);
      const checked = inputs.parse(parsed.inputs);
      refuse(spec.rules?.(checked) ?? [], context);
      return spec.invoke(context, checked);
    },
  };

  function refuse(failures: readonly CheckFailure[], { hasSecretArguments = false }: FunctionContext): void {
    const describe = hasSecretArguments ? describeFailure : describeFailureWithValue;
    if (failures.length > 0) throw new ArgumentError(`${name}: ${failures.map(describe).join("; ")}`);
  }
}
