import * as pulumi from "@pulumi/pulumi";
import { previewEnvironmentArguments } from "../generated/component-args";
import type { PreviewEnvironmentArgs, PreviewEnvironmentOutputs } from "../generated/preview-environment";
import { checkArguments } from "./component-arguments";
import { declareChildren, dynamicParts, type Parts, waitingFor } from "./preview-environment-children";
import { refuseOtherHosts } from "./provider";

/**
 * A preview environment as one component: finds it, writes its variables, then deploys its branches with one build at
 * most per `pulumi up`, and waits for that. A rebuild happens only when variables changed and no branch did. Its children
 * are named after it, so that renaming it with `aliases: [{ name: "old" }]` changes nothing.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv";
 *
 * const shop = new previewenv.PreviewEnvironment("shop", {
 *   environment: { repoName: "web", pullRequestNumber: 42 },
 *   variableSets: {
 *     app: { variables: { LOG_LEVEL: "debug" } },
 *     database: { secrets: { DATABASE_URL: new pulumi.Config().requireSecret("databaseUrl") } },
 *   },
 *   branches: { web: "feature/checkout" }, // written after the variables, so that one build has both
 * });
 * export const url = shop.url;
 * ```
 */
export class PreviewEnvironment extends pulumi.ComponentResource implements PreviewEnvironmentOutputs {
  protected static readonly parts: Parts = dynamicParts;

  declare public readonly environmentId: PreviewEnvironmentOutputs["environmentId"];
  declare public readonly url: PreviewEnvironmentOutputs["url"];
  declare public readonly name: PreviewEnvironmentOutputs["name"];
  declare public readonly projects: PreviewEnvironmentOutputs["projects"];

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: PreviewEnvironmentArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { parts } = new.target;
    const label = `PreviewEnvironment ${JSON.stringify(name)}`;
    check(label, args);
    refuseOtherHosts(label, parts.host, opts);
    // Without the arguments: a component's inputs are stored as they are, secrets as plain text.
    super("previewenv:index:PreviewEnvironment", name, {}, opts);
    const position = { parts, parent: this, dependsOn: opts.dependsOn ?? [] };
    const isListed = args.environment.url !== undefined;
    const environment = isListed
      ? pulumi.output(listedEnvironment(args.environment))
      : parts.getEnvironmentOutput(args.environment, waitingFor(position, []));
    const deployed = declareChildren({ ...position, name, environmentId: environment.id, isListed }, args);

    this.environmentId = environment.id;
    this.url = deployed?.url ?? environment.url;
    this.name = environment.name;
    this.projects = deployed?.projects ?? environment.projects;
    const { environmentId, url, projects } = this;
    this.registerOutputs({ environmentId, url, name: environment.name, projects });
  }
}

/** An environment that a program has from `getEnvironments`, perhaps with no more of it than `id`, `name` and `url`. */
function listedEnvironment({ id = "", name = "", url = "", ...more }: PreviewEnvironmentArgs["environment"]) {
  const projects: pulumi.Unwrap<PreviewEnvironmentOutputs["projects"]> = Reflect.get(more, "projects") ?? [];
  return { id, name, url, projects };
}

function check(label: string, args: PreviewEnvironmentArgs): void {
  checkArguments(label, args, previewEnvironmentArguments);
  const { id, name, url } = args.environment;
  if (url !== undefined && (id === undefined || name === undefined))
    throw new pulumi.RunError(
      `${label}: environment.url is only for an environment that getEnvironments listed: pass its id and name, too.`,
    );
}
