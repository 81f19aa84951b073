import * as z from "zod";
import type { Environment } from "../client/environments";
import { environmentTitle } from "../client/error-text";
import { environmentKey } from "../client/text-rules";
import { environmentIdField } from "../framework/fields";
import { defineFunction, type FunctionContext } from "../framework/function";
import { RefusedError } from "../framework/resource-errors";

/** Reads the one secret of an environment, apart from all that is none. */
export const getBypassToken = defineFunction({
  name: "getBypassToken",
  description:
    "Reads the bypass token of an environment. The token is a secret, so no other function returns it. The plain form returns " +
    "plain text: wrap it in `pulumi.secret` before you use it.",
  inputs: z.strictObject({ environmentId: environmentIdField }),
  outputs: z.object({ bypassToken: z.string().describe("The bypass token.") }),
  secret: true,

  async invoke(context, { environmentId }) {
    const environment = await context.client.environments.get(environmentId, { signal: context.signal });
    const bypassToken = tokenOf(environment) ?? (await listedToken(context, environment));
    if (bypassToken !== undefined) return { bypassToken };
    throw new RefusedError(
      `getBypassToken: the service gives no bypass token of environment ${environmentTitle(environment)}, neither with the environment ` +
        "nor in the list of environments. Ask the operator of the service whether environments have one.",
    );
  },
});

/** "bypass_token: opaque token value, returned in the environment list": what a read of one environment has is not shown. */
async function listedToken({ client, signal }: FunctionContext, environment: Environment): Promise<string | undefined> {
  const { id, name, deleted } = environment;
  // It may be deleted or revived meanwhile, so both lists are looked through. The likelier one first.
  for (const filters of [
    { name, deleted },
    { name, deleted: !deleted },
  ])
    for await (const listed of client.environments.list(filters, { signal })) {
      const token = environmentKey(listed.id) === environmentKey(id) ? tokenOf(listed) : undefined;
      if (token !== undefined) return token;
    }
  return undefined;
}

function tokenOf({ bypassToken = "" }: Environment): string | undefined {
  return bypassToken === "" ? undefined : bypassToken;
}
