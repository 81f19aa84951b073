import type { Environment } from "../client/environments";
import type { Context } from "../framework/context";
import type { SharedList } from "../run/shared-variables";
import { absenceError, getShared } from "./existence";
import { listShared } from "./variables";

/** The environment, in a preview: it shares the request with others. @throws RefusedError when it is gone */
export async function environmentForPreview(ctx: Context, environmentId: string): Promise<Environment> {
  const environment = await getShared(ctx, environmentId);
  if (environment === undefined) throw absenceError(ctx, environmentId, "gone");
  return environment;
}

/** The environment's variables, in a preview: it shares the request with others. @throws RefusedError when it is gone */
export async function variablesForPreview(ctx: Context, environmentId: string): Promise<SharedList | "deleted"> {
  const list = await listShared(ctx, environmentId);
  if (list === "gone") throw absenceError(ctx, environmentId, "gone");
  return list;
}
