import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ArgumentError } from "../../client/errors";
import { functions } from "../../functions";
import type { PreviewenvFunction } from "../../framework/function";
import type { ProviderSession } from "./sessions";
import { ownProperties } from "./requested-resource";
import { isSecret } from "./secrecy";
import { send } from "./values";

/** Calls a function. Its answer is a secret entry by entry when the declaration says so. */
export async function invoke(session: ProviderSession, request: InvokeRequest): Promise<InvokeResponse> {
  const called = functionOf(request.getTok());
  using call = session.call("", 0);
  const given = ownProperties(request.getArgs());
  const context = { ...call, hasSecretArguments: isSecret(given.secrecy) || given.toldSecrets.length > 0 };
  const answer: Readonly<Record<string, unknown>> = await called.invoke(context, given.bag);
  const secrecy = called.secret ? new Map(Object.keys(answer).map((name) => [name, "all" as const])) : undefined;
  return new InvokeResponse().setReturn(send(answer, secrecy));
}

function functionOf(token: string): PreviewenvFunction {
  const name = token.slice(token.lastIndexOf(":") + 1);
  const called = functions.find((declared) => declared.name === name);
  if (called === undefined)
    throw new ArgumentError(`this version of previewenv has no function ${JSON.stringify(name)}: install a newer one`);
  return called;
}
