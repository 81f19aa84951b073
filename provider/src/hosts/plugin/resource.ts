import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Resource } from "../../framework/resource";
import { SECRET_PATHS_KEY, UNFINISHED_KEY } from "../../framework/resource-facts";
import { findResource } from "../../resources";
import { type Received, receive } from "./values";

/** The property of the provider text, in state that the dynamic provider wrote. Resources never see it. */
const PROVIDER_KEY = "__provider";

/** The resource that a URN is about: `urn:pulumi:stack::project::parent$previewenv:index:EnvVarSet::name`. */
export function resourceOf(urn: string): Resource {
  const [, , types = ""] = urn.split("::");
  return findResource(types.slice(types.lastIndexOf(":") + 1));
}

/** A resource as texts name it: `EnvVarSet "vars"`. */
export function labelOf(urn: string, { type }: Resource): string {
  return `${type} ${JSON.stringify(urn.split("::").slice(3).join("::"))}`;
}

/** Properties of a resource, also from a stack that comes from the dynamic provider. */
export function ownProperties(struct: Struct | undefined): Received {
  const { bag, secrecy } = receive(struct);
  const { [PROVIDER_KEY]: _text, [UNFINISHED_KEY]: _mark, [SECRET_PATHS_KEY]: _paths, ...own } = bag;
  return { bag: own, secrecy };
}
