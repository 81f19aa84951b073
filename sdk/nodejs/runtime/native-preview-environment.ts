import { getEnvironmentOutput } from "../generated/native-functions";
import { nativeHost } from "./native-host";
import { EnvironmentBranches, EnvironmentState, EnvVarSet } from "../generated/native-resources";
import * as dynamic from "./preview-environment";

/**
 * A preview environment as one component: finds it, writes its variables, then deploys its branches with one build at
 * most per `pulumi up`, and waits for that. A rebuild happens only when variables changed and no branch did. Its children
 * are named after it, so that renaming it with `aliases: [{ name: "old" }]` changes nothing.
 */
export class PreviewEnvironment extends dynamic.PreviewEnvironment {
  protected static override readonly parts = {
    host: nativeHost,
    EnvVarSet,
    EnvironmentBranches,
    EnvironmentState,
    getEnvironmentOutput,
  };
}
