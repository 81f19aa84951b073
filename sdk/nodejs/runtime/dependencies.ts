import * as pulumi from "@pulumi/pulumi";
import { getAllResources } from "@pulumi/pulumi/output";

/**
 * Known once every resource exists that a call waits for, as with other Pulumi functions: those in `dependsOn`, and those that
 * its arguments come from, even if a preview knows their values already. For a component its children count.
 */
export function whenCreated(dependsOn: pulumi.Input<object | undefined>, args: pulumi.Output<unknown>) {
  const given = pulumi.output(dependsOn).apply((resources: unknown) => [resources].flat());
  const sources = pulumi.output(getAllResources(args).then((resources) => [...resources]));
  // With these, what comes from the answer says at once on which resources it depends, as with other Pulumi functions.
  const named = pulumi.all([dependsOn].flat().flatMap((one) => (pulumi.Resource.isInstance(one) ? [one.urn] : [])));
  return pulumi.all([given, sources, named]).apply(([first, second]) => pulumi.all([...first, ...second].map(exists)));
}

/** The resources that a value is known to depend on at once. It may still hide others: an Output within an Output. */
export function resourcesOf(value: object): readonly unknown[] {
  const read: unknown = pulumi.Output.isInstance(value) ? Reflect.get(value, "resources") : undefined;
  const resources: unknown = typeof read === "function" ? read() : undefined;
  return resources instanceof Set ? [...resources] : [];
}

/** Whether a resource is another stack, whose outputs the engine reads. */
export function isStackReference(resource: unknown): boolean {
  return (
    pulumi.Resource.isInstance(resource) && Reflect.get(resource, "__pulumiType") === "pulumi:pulumi:StackReference"
  );
}

function exists(resource: unknown): pulumi.Output<unknown> {
  // The object for a resource of another process has no id.
  if (pulumi.CustomResource.isInstance(resource)) return pulumi.output<unknown>(resource.id);
  if (!pulumi.Resource.isInstance(resource)) return pulumi.output(undefined);
  // Children that its constructor makes are there when it is registered.
  return resource.urn.apply(() => pulumi.all(childrenOf(resource).map((child) => exists(child))));
}

/** Not part of the SDK's types; the SDK itself finds the children of components with it. */
function childrenOf(component: pulumi.Resource): readonly unknown[] {
  const children: unknown = Reflect.get(component, "__childResources");
  return children instanceof Set ? [...children] : [];
}
