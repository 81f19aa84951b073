import { environmentKey } from "../client/names";
import type { RunEnvironments, EnvironmentSession } from "../run/environment-session";
import { isUnknown, type Properties } from "./properties";

/** Inputs with the environment's id as state has it, when it is the same one: a UUID is the same in capitals. */
export function withStoredEnvironmentId({ environmentId: stored }: Properties, news: Properties): Properties {
  const { environmentId } = news;
  const isSame =
    typeof stored === "string" &&
    typeof environmentId === "string" &&
    environmentKey(stored) === environmentKey(environmentId);
  return isSame ? { ...news, environmentId: stored } : news;
}

/** What the resources of a type own in their environment: names that no other resource of the run may take away. */
export interface Ownership {
  readonly kind: "variables" | "branches";
  /** The names that a state owns. */
  readonly owned: (state: Properties) => readonly string[];
  /** The names that a state has left to other resources. */
  readonly given?: (state: Properties) => readonly string[];
  /** The names that inputs declare. */
  readonly declared: (inputs: Properties) => readonly string[];
  /** Identity of a state (`revision`), if it has one; its ownership ends when it is deleted. */
  readonly ownerId?: (state: Properties) => string | undefined;
}

/** The environment that a bag is about; a preview may not know it yet. */
export function environmentOf(
  { environmentId }: Properties,
  run: RunEnvironments | undefined,
): EnvironmentSession | undefined {
  return typeof environmentId === "string" && !isUnknown(environmentId) ? run?.environment(environmentId) : undefined;
}
