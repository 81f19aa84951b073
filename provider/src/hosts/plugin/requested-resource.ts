import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { components } from "../../components";
import type { Resource } from "../../framework/resource";
import { RefusedError } from "../../framework/resource-errors";
import type { Path } from "../../framework/properties";
import { FROM_LIST_KEY, withoutHostKeys } from "../../framework/host-keys";
import { secretPathsIn } from "../../framework/secret-texts";
import { findResource } from "../../resources";
import { type Received, receive } from "./values";

/** The types in the URN of a child of PreviewEnvironments. */
const CHILD_OF_LIST = /(?:^|\$)previewenv:index:PreviewEnvironments\$[^$]+$/u;

/**
 * The resource that a URN is about: `urn:pulumi:stack::project::parent$previewenv:index:EnvVarSet::name`.
 * @throws RefusedError for a component: only `pulumi import` takes one for such a resource
 */
export function resourceOf(urn: string): Resource {
  const [, , types = ""] = urn.split("::");
  const type = types.slice(types.lastIndexOf(":") + 1);
  if (components.some((component) => component.type === type))
    throw new RefusedError(
      `${type} is a component, and cannot be imported alone. Import its children with \`pulumi import --file\`. In that file, the ` +
        'component has `"component": true` and no id.',
    );
  return findResource(type);
}

/** A resource as texts name it: `EnvVarSet "vars"`. */
export function labelOf(urn: string, { type }: Resource): string {
  return `${type} ${JSON.stringify(urn.split("::").slice(3).join("::"))}`;
}

/** Properties of a resource. */
export interface OwnProperties extends Received {
  /** The Pulumi secrets that a program tells Check. */
  readonly toldSecrets: readonly Path[];
}

/** Properties of a resource, also from a stack that comes from the dynamic provider. */
export function ownProperties(struct: Struct | undefined): OwnProperties {
  const { bag, secrecy } = receive(struct);
  return { bag: withoutHostKeys(bag), secrecy, toldSecrets: secretPathsIn(bag) };
}

/**
 * What a program declares. The component gives each of its children a list mark, true or false, and begins its name with the id of the
 * environment. A `transforms` function or a policy that makes the inputs of a child anew drops the mark.
 * @param isKept The mark of inputs that have lost theirs. What exists must not be deleted because of that.
 */
export function declaredProperties(urn: string, struct: Struct | undefined, isKept: boolean = true): OwnProperties {
  const own = ownProperties(struct);
  const [, , types = "", name = ""] = urn.split("::");
  const isChild = CHILD_OF_LIST.test(types) && name.startsWith(`${String(own.bag["environmentId"])}-`);
  return isChild ? { ...own, bag: { [FROM_LIST_KEY]: isKept, ...own.bag } } : own;
}
