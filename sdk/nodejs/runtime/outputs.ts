import * as pulumi from "@pulumi/pulumi";
import { getAllResources } from "@pulumi/pulumi/output";

// The fields of an Output, beyond the SDK's types.

/** A value that may be known later only. */
export type Later<T> = pulumi.Output<T> | Promise<T>;

/** The value of an Output. */
export interface KnownValue<T> {
  readonly value: T;
  readonly isSecret: boolean;
}

/** The SDK serializes each input with these members. */
interface Parts<T> {
  readonly isKnown: Promise<boolean>;
  promise(withUnknowns: boolean): Promise<T>;
}

export function isLater(value: unknown): value is Later<unknown> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/**
 * The value of an Output or Promise. `undefined` when a preview does not know it. Rejects when that failed. `apply` would make another
 * Output, and one more failure of it.
 */
export async function knownValue<T>(later: Later<T>): Promise<KnownValue<T> | undefined> {
  if (later instanceof Promise) return { value: await later, isSecret: false };
  if (!hasParts(later) || !(await later.isKnown)) return undefined;
  return { value: await later.promise(true), isSecret: await pulumi.isSecret(later) };
}

/**
 * The same Output, which the SDK sends once `isReady` resolves. It first asks for the resources that an Output comes from. A promise in
 * the place of the Output would cost it much more: it notes a stack for each.
 */
export function waitingOutput<T>(output: pulumi.Output<T>, isReady: Promise<unknown>): pulumi.Output<T> {
  const resources = getAllResources(output);
  // It fails with the Output: what sends that reports it.
  resources.catch(() => undefined);
  Reflect.defineProperty(output, "allResources", { value: () => isReady.then(() => resources) });
  return output;
}

function hasParts<T>(output: pulumi.Output<T>): output is pulumi.Output<T> & Parts<T> {
  return typeof Reflect.get(output, "promise") === "function";
}

/**
 * Known once every resource exists that a call waits for, as with other Pulumi functions: those in `dependsOn`, and those that
 * its arguments come from, even if a preview knows their values already. For a component its children count.
 */
export function whenCreated(dependsOn: pulumi.Input<object | undefined>, args: pulumi.Output<unknown>) {
  // By their URNs, what comes from the answer says at once on which resources it depends, as with other Pulumi functions.
  const awaited = [dependsOn]
    .flat()
    .map((dependency) =>
      pulumi.Resource.isInstance(dependency) ? dependency.urn.apply(() => dependency) : dependency,
    );
  const sources = getAllResources(args).then((resources) => [...resources]);
  return pulumi.all<unknown>([...awaited, sources]).apply((resources) => pulumi.all(resources.flat().map(exists)));
}

function exists(resource: unknown): pulumi.Output<unknown> {
  // The object for a resource of another process has no id.
  if (pulumi.CustomResource.isInstance(resource)) return pulumi.output<unknown>(resource.id);
  if (!pulumi.Resource.isInstance(resource)) return pulumi.output(undefined);
  // Children that its constructor makes are there when it is registered. The SDK itself finds them so.
  return resource.urn.apply(() => {
    const children: unknown = Reflect.get(resource, "__childResources");
    return pulumi.all(children instanceof Set ? [...children].map((child) => exists(child)) : []);
  });
}
