import type * as z from "zod";
import type { CheckFailure } from "../core/check";
import { describeFailure, parseInputs } from "../core/check";
import type { Environments } from "../client/environments";
import { ArgumentError } from "../client/errors";
import type { Clock } from "../client/clock";
import type { Log } from "../core/context";
import type { Properties } from "../core/properties";

/** What a function may touch: nothing else is ambient. */
export interface FunctionContext {
  readonly client: { readonly environments: Pick<Environments, "get" | "list"> };
  readonly clock: Clock;
  readonly log: Log;
  /** Ends a wait. */
  readonly signal?: AbortSignal | undefined;
}

/** How a function file declares one function. Schema, SDK and reference come from this. */
export interface FunctionSpec<I extends z.ZodObject, O extends z.ZodObject> {
  /** Such as `getEnvironment`. */
  readonly name: string;
  readonly description: string;
  readonly inputs: I;
  readonly outputs: O;
  /** Rules across fields. */
  rules?(inputs: z.output<I>): readonly CheckFailure[];
  invoke(context: FunctionContext, inputs: z.output<I>): Promise<z.output<O>>;
}

/** A function as a host calls it: a plain property bag in. */
export interface PreviewenvFunction<O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: O;
  /** Throws ArgumentError for arguments that cannot work, before any request. */
  invoke(context: FunctionContext, args: Properties): Promise<z.output<O>>;
}

/** Turns a typed declaration into a function. */
export function defineFunction<I extends z.ZodObject, O extends z.ZodObject>(
  spec: FunctionSpec<I, O>,
): PreviewenvFunction<O> {
  const { name, description, inputs, outputs } = spec;
  return {
    name,
    description,
    inputs,
    outputs,
    async invoke(context, args) {
      const parsed = parseInputs(inputs, args);
      refuse(parsed.failures);
      const given = inputs.parse(parsed.inputs);
      refuse(spec.rules?.(given) ?? []);
      return spec.invoke(context, given);
    },
  };

  function refuse(failures: readonly CheckFailure[]): void {
    if (failures.length > 0)
      throw new ArgumentError(`${name}: ${failures.map((failure) => describeFailure(failure)).join("; ")}`);
  }
}
