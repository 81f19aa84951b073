// Generated from provider/src/functions/get-env-vars.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type * as Source from "../../../provider/src/functions/get-env-vars";
import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";

/** What a program passes to {@link getEnvVars}. */
export interface GetEnvVarsArgs {
  /** The environment, by its UUID. */
  environmentId: string;
}

/** What a program passes to {@link getEnvVarsOutput}. */
export interface GetEnvVarsOutputArgs {
  /** The environment, by its UUID. */
  environmentId: pulumi.Input<string>;
}

/** One item of `variables`. */
export interface GetEnvVarsVariable {
  /** Name of the variable. */
  readonly name: string;
  /** Whether the service masks the value. */
  readonly hidden: boolean;
  /** The value of a variable that is not hidden. */
  readonly value?: string | undefined;
  /**
   * Of a hidden variable, what the service shows: the beginning and the end of the value, and asterisks between. It
   * cannot be used as the value. It is not a Pulumi secret: everybody who may read the variables sees it.
   */
  readonly maskedValue?: string | undefined;
  /** The services that see it. Empty: every service. */
  readonly services: string[];
  /** `YYYY-MM-DDTHH:MM:SS`, no zone, as the service gives it. */
  readonly createdAt?: string | undefined;
  /** `YYYY-MM-DDTHH:MM:SS`, no zone, as the service gives it. */
  readonly updatedAt?: string | undefined;
}

/** One item of `inherited`. */
export interface GetEnvVarsInherited {
  /** Name of the variable. */
  readonly name?: string | undefined;
  /** Whether the service masks the value. */
  readonly hidden?: boolean | undefined;
  /** The value, only where `hidden` is `false`: any other value may be secret. */
  readonly value?: string | undefined;
  /**
   * What the service shows instead of the value, where `hidden` is not `false`. Left out, unless it is empty or a
   * mask. A mask has at least three asterisks in a row.
   */
  readonly maskedValue?: string | undefined;
  /** The services that see it. Empty: every service. */
  readonly services?: string[] | undefined;
  /** As the service gives it. */
  readonly createdAt?: string | undefined;
  /** As the service gives it. */
  readonly updatedAt?: string | undefined;
}

/** What {@link getEnvVars} found. */
export interface GetEnvVarsResult {
  /** The environment's own variables. */
  readonly variables: GetEnvVarsVariable[];
  /**
   * The variables it inherits. The service does not document their fields, so each field may be missing. An item of
   * which nothing can be read is empty.
   */
  readonly inherited: GetEnvVarsInherited[];
}

const call: FunctionCall<GetEnvVarsResult> = {
  name: "getEnvVars",
  kinds: { environmentId: "required" },
  load() {
    const source: typeof Source = require("../../../provider/src/functions/get-env-vars");
    return source.getEnvVars;
  },
};

/**
 * Reads the variables of an environment: its own, and those that it inherits. The value of a hidden variable
 * cannot be read: such a variable has no `value`, but a `maskedValue`. {@link getEnvVarsOutput} does the same for
 * arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvvars}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = await previewenv.getEnvVars({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * ```
 */
export function getEnvVars(args: GetEnvVarsArgs, opts?: pulumi.InvokeOptions): Promise<GetEnvVarsResult> {
  return invoke(call, args, opts);
}

/**
 * Reads the variables of an environment: its own, and those that it inherits. The value of a hidden variable
 * cannot be read: such a variable has no `value`, but a `maskedValue`. Takes Outputs. What is not known yet gives
 * an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvvars}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = previewenv.getEnvVarsOutput({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * export const variables = found.variables;
 * ```
 */
export function getEnvVarsOutput(
  args: GetEnvVarsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetEnvVarsResult> {
  return invokeOutput(call, args, opts);
}
