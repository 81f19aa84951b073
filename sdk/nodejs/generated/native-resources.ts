// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import * as envVarSet from "./env-var-set";
import * as envVar from "./env-var";
import * as environmentBranches from "./environment-branches";
import * as environmentState from "./environment-state";
import * as environmentAction from "./environment-action";
import * as snapshotLoad from "./snapshot-load";
import { nativeHost } from "../runtime/native-host";

export type * from "./env-var-set";
export type * from "./env-var";
export type * from "./environment-branches";
export type * from "./environment-state";
export type * from "./environment-action";
export type * from "./snapshot-load";

/**
 * Many environment variables of one environment, as one resource. A write costs one request for each batch of
 * variables, and a refresh costs one request. Names that the set does not declare are never touched, unless
 * `prune` is `true`.
 */
export class EnvVarSet extends envVarSet.EnvVarSet {
  protected static override readonly host = nativeHost;
}

/**
 * One environment variable of one environment. Several of them share requests: one read refreshes all of them, and
 * writes that come while another write is under way are sent together. For many variables, an EnvVarSet needs
 * fewer requests.
 */
export class EnvVar extends envVar.EnvVar {
  protected static override readonly host = nativeHost;
}

/**
 * Which branch of each repository is deployed in an environment. One `pulumi up` starts one build at most,
 * whatever changed, and waits for it.
 */
export class EnvironmentBranches extends environmentBranches.EnvironmentBranches {
  protected static override readonly host = nativeHost;
}

/**
 * Whether an environment runs. The provider uses stop, restart, revive or rebuild, whichever the environment's
 * flags call for. An environment that already has the declared state is left as it is. Destroying the resource
 * changes nothing on the service.
 */
export class EnvironmentState extends environmentState.EnvironmentState {
  protected static override readonly host = nativeHost;
}

/**
 * Does an action on an environment once, and again when `action` or `triggers` change. A refresh never repeats it,
 * and destroying the resource changes nothing on the service. When the service refuses the action, the error has
 * the service's reason.
 */
export class EnvironmentAction extends environmentAction.EnvironmentAction {
  protected static override readonly host = nativeHost;
}

/**
 * Queues the load of a snapshot into an environment, and queues it again when an input changes. A refresh never
 * repeats it, and destroying the resource changes nothing on the service.
 */
export class SnapshotLoad extends snapshotLoad.SnapshotLoad {
  protected static override readonly host = nativeHost;
}
