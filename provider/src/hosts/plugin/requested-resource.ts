import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Resource } from "../../framework/resource";
import type { Path } from "../../framework/properties";
import { withoutHostKeys } from "../../framework/host-keys";
import { secretPathsIn } from "../../framework/secret-texts";
import { findResource } from "../../resources";
import { type Received, receive } from "./values";

/** The resource that a URN is about: `urn:pulumi:stack::project::parent$previewenv:index:EnvVarSet::name`. */
export function resourceOf(urn: string): Resource {
  const [, , types = ""] = urn.split("::");
  return findResource(types.slice(types.lastIndexOf(":") + 1));
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
