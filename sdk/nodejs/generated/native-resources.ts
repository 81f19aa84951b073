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
 * variables, and a refresh costs one request. Variables that the set does not declare stay as they are, unless
 * `prune` is `true`.
 * @remarks Import: `pulumi import previewenv:index:EnvVarSet <name> <id>`. The id is `<environmentId>` or
 * `<environmentId>?names=A,B`. Imports all variables of the environment's own list, or those that `names` selects
 * (percent-encoded). Inherited variables are never imported. The id in state is `<environmentId>`. A hidden value
 * is imported as `existing()`, and a warning names the variable. Declare the real value, and the next `pulumi up`
 * writes it. `services` becomes the list that most of the variables have. When several lists are equally common,
 * it is the first of them in alphabetical order. `scopes` gets the other lists.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * const config = new pulumi.Config();
 * new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" },
 *   secrets: { DATABASE_URL: config.requireSecret("databaseUrl") },
 *   services: ["web", "worker"],
 *   scopes: { FEATURE_CHECKOUT: ["web"] },
 * });
 * ```
 */
export class EnvVarSet extends envVarSet.EnvVarSet {
  protected static override readonly host = nativeHost;
}

/**
 * One environment variable of one environment. Several of them share requests: one read refreshes all of them, and
 * writes that come while another write is under way are sent together. For many variables, an EnvVarSet needs
 * fewer requests.
 * @remarks Import: `pulumi import previewenv:index:EnvVar <name> <id>`. The id is `<environmentId>/<NAME>`.
 * Imports one variable of the environment's own list. `NAME` is written as it is, not percent-encoded. A hidden
 * value is imported as `existing()`, and a warning names the variable. Declare the real value, and the next
 * `pulumi up` writes it.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * const config = new pulumi.Config();
 * new previewenv.EnvVar("database-url", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   name: "DATABASE_URL",
 *   value: config.requireSecret("databaseUrl"),
 * });
 * ```
 */
export class EnvVar extends envVar.EnvVar {
  protected static override readonly host = nativeHost;
}

/**
 * Which branch of each repository is deployed in an environment. One `pulumi up` starts one build at most,
 * whatever changed, and waits for it.
 * @remarks Import: `pulumi import previewenv:index:EnvironmentBranches <name> <id>`. The id is `<environmentId>`.
 * Imports every repository of the environment, with the branch that is deployed now. These branches also become
 * `originalBranches`. `rebuildOn` is not imported: adding it to the program rebuilds once.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * const vars = new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug" },
 * });
 * const branches = new previewenv.EnvironmentBranches("branches", {
 *   environmentId: vars.environmentId,
 *   branches: { web: "feature/checkout" },
 *   rebuildOn: [vars.revision], // one rebuild when variables changed and branches did not
 * });
 * export const url = branches.url;
 * ```
 */
export class EnvironmentBranches extends environmentBranches.EnvironmentBranches {
  protected static override readonly host = nativeHost;
}

/**
 * Whether an environment runs. The provider chooses stop, restart, revive or rebuild by the environment's flags.
 * An environment that already has the declared state is left as it is. Destroying the resource changes nothing on
 * the service.
 * @remarks Import: `pulumi import previewenv:index:EnvironmentState <name> <id>`. The id is `<environmentId>`.
 * `state` is what the environment's flags show now.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * new previewenv.EnvironmentState("awake", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   state: "running",
 * });
 * ```
 */
export class EnvironmentState extends environmentState.EnvironmentState {
  protected static override readonly host = nativeHost;
}

/**
 * Does an action on an environment once, and again when `action` or `triggers` change. A refresh never repeats it,
 * and destroying the resource changes nothing on the service. When the service refuses the action, the error has
 * the service's reason.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * new previewenv.EnvironmentAction("rebuild", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   action: "rebuild",
 *   triggers: { image: "registry.example.com/shop:2.4.1" }, // another image: another rebuild
 * });
 * ```
 */
export class EnvironmentAction extends environmentAction.EnvironmentAction {
  protected static override readonly host = nativeHost;
}

/**
 * Loads a snapshot into an environment, and loads it again when an input changes. A refresh never repeats it, and
 * destroying the resource changes nothing on the service.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * new previewenv.SnapshotLoad("data", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   sequenceNumber: 7,
 * });
 * ```
 */
export class SnapshotLoad extends snapshotLoad.SnapshotLoad {
  protected static override readonly host = nativeHost;
}
