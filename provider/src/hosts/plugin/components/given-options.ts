import type { Alias as ProtoAlias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import {
  type Alias,
  type ComponentResourceOptions,
  DependencyProviderResource,
  DependencyResource,
  rootStackResource,
} from "@pulumi/pulumi/resource";
import { hookBindingFromProto } from "@pulumi/pulumi/runtime/resource";
import { deserializeProperty } from "@pulumi/pulumi/runtime/rpc";

const PACKAGE = "previewenv";

/**
 * The options that a program gave a component. Its children are served by the provider that it names for this package, else
 * by `provider`, which serves the component itself: another default provider would be another process.
 */
export function optionsOf(request: ConstructRequest, provider: string | undefined): ComponentResourceOptions {
  const parent = request.getParent();
  const deletedWith = request.getDeletedwith();
  const trigger = request.getReplacementTrigger();
  const hooks = hookBindingFromProto(request.getResourceHooks());
  const timeouts = request.getCustomtimeouts()?.toObject();
  return {
    aliases: request.getAliasesList().map((alias) => aliasOf(alias)),
    dependsOn: request.getDependenciesList().map((urn) => new DependencyResource(urn)),
    providers: Object.fromEntries(
      [...(provider === undefined ? [] : [[PACKAGE, provider] as const]), ...request.getProvidersMap().entries()].map(
        ([name, reference]) => [name, new DependencyProviderResource(reference)],
      ),
    ),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    replaceWith: request.getReplaceWithList().map((urn) => new DependencyResource(urn)),
    ...(request.hasProtect() && { protect: request.getProtect() ?? false }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() ?? false }),
    ...(parent !== "" && { parent: new DependencyResource(parent) }),
    ...(deletedWith !== "" && { deletedWith: new DependencyResource(deletedWith) }),
    // The engine sends three empty texts for none.
    ...(timeouts && Object.values(timeouts).some((text) => text !== "") && { customTimeouts: timeouts }),
    ...(trigger && { replacementTrigger: deserializeProperty(trigger.toJavaScript(), true) }),
    ...(hooks && { hooks }),
  };
}

function aliasOf(alias: ProtoAlias): Alias | string {
  const spec = alias.getSpec();
  if (spec === undefined) return alias.getUrn();
  const [name, type, project, stack] = [spec.getName(), spec.getType(), spec.getProject(), spec.getStack()];
  return {
    ...(name !== "" && { name }),
    ...(type !== "" && { type }),
    ...(project !== "" && { project }),
    ...(stack !== "" && { stack }),
    ...(spec.hasParenturn() && { parent: spec.getParenturn() }),
    ...(spec.getNoparent() && { parent: rootStackResource }),
  };
}
