// Generated from provider/src/functions/get-bypass-token.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type * as Source from "../../../provider/src/functions/get-bypass-token";
import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";

/** What a program passes to {@link getBypassToken}. */
export interface GetBypassTokenArgs {
  /** The environment, by its UUID. */
  environmentId: string;
}

/** What a program passes to {@link getBypassTokenOutput}. */
export interface GetBypassTokenOutputArgs {
  /** The environment, by its UUID. */
  environmentId: pulumi.Input<string>;
}

/** What {@link getBypassToken} found. */
export interface GetBypassTokenResult {
  /** The bypass token. */
  readonly bypassToken: string;
}

const call: FunctionCall<GetBypassTokenResult> = {
  name: "getBypassToken",
  secret: true,
  kinds: { environmentId: "required" },
  load() {
    const source: typeof Source = require("../../../provider/src/functions/get-bypass-token");
    return source.getBypassToken;
  },
};

/**
 * Reads the bypass token of an environment. The token is a secret, so no other function returns it. The plain form
 * returns plain text: mark it with `pulumi.secret` before it goes anywhere else. {@link getBypassTokenOutput} does
 * the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbypasstoken}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = await previewenv.getBypassToken({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * ```
 */
export function getBypassToken(args: GetBypassTokenArgs, opts?: pulumi.InvokeOptions): Promise<GetBypassTokenResult> {
  return invoke(call, args, opts);
}

/**
 * Reads the bypass token of an environment. The token is a secret, so no other function returns it. The plain form
 * returns plain text: mark it with `pulumi.secret` before it goes anywhere else. Takes Outputs. What is not known
 * yet gives an unknown result, without a request. The result is a secret.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbypasstoken}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = previewenv.getBypassTokenOutput({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * export const token = found.bypassToken;
 * ```
 */
export function getBypassTokenOutput(
  args: GetBypassTokenOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBypassTokenResult> {
  return invokeOutput(call, args, opts);
}
