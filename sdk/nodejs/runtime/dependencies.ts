import * as pulumi from "@pulumi/pulumi";
import { getAllResources } from "@pulumi/pulumi/output";

/**
 * Known once every resource exists that a call waits for, as the Pulumi engine has it for its own functions: those it is
 * told to depend on, and those its arguments come from, though a preview may know the value already. A component stands
 * for its children.
 */
export function whenCreated(dependsOn: pulumi.Input<object | undefined>, args: pulumi.Output<unknown>) {
  const told = pulumi.output(dependsOn).apply((resources: unknown) => [resources].flat());
  const sources = pulumi.output(getAllResources(args).then((resources) => [...resources]));
  return pulumi.all([told, sources]).apply((lists) => pulumi.all(lists.flat().map((one) => exists(one))));
}

function exists(resource: unknown): pulumi.Output<unknown> {
  // The stand-in for a resource of another process has no id.
  if (pulumi.CustomResource.isInstance(resource)) return pulumi.output<unknown>(resource.id);
  if (!pulumi.Resource.isInstance(resource)) return pulumi.output(undefined);
  // Children that its constructor makes are there when it is registered.
  return resource.urn.apply(() => pulumi.all(childrenOf(resource).map((child) => exists(child))));
}

/** Not part of the SDK's types; the SDK itself walks components by it. */
function childrenOf(component: pulumi.Resource): readonly unknown[] {
  const children: unknown = Reflect.get(component, "__childResources");
  return children instanceof Set ? [...children] : [];
}
