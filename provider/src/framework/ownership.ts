import { environmentKey } from "../client/text-rules";
import type { RunEnvironments, EnvironmentSession } from "../run/environment-session";
import type { OwnedNames } from "../run/owned-names";
import { isUnknown, type Properties } from "./properties";
import { type Exclusive, namesIn } from "./resource-facts";

/** What a state owns in its environment: names of variables or repositories that no other resource of the run may take away. */
export interface Owned {
  readonly names: readonly string[];
  /** Names that it has left to other resources. */
  readonly handedOver?: readonly string[];
  /** Tells the state from every other one, such as its `revision`: its ownership ends when it is deleted. */
  readonly stateId?: string | undefined;
}

/** The names of variables or repositories that inputs or state declare. */
export function declaredNames(exclusive: Exclusive | undefined, bag: Properties): readonly string[] {
  if (exclusive === undefined || exclusive.kind === "state") return [];
  return exclusive.names.flatMap((input) => (isUnknown(bag[input]) ? [] : namesIn(bag[input])));
}

/** What the run knows of such names in the environment that a bag is about. */
export function ownedNamesOf(
  exclusive: Exclusive | undefined,
  bag: Properties,
  run: RunEnvironments | undefined,
): OwnedNames | undefined {
  if (exclusive === undefined || exclusive.kind === "state") return undefined;
  const session = environmentSessionOf(bag, run);
  return exclusive.kind === "variables" ? session?.variableOwnership : session?.repositoryOwnership;
}

/** What the run knows of the environment that a bag is about. A preview may not know the environment yet. */
export function environmentSessionOf(
  { environmentId }: Properties,
  run: RunEnvironments | undefined,
): EnvironmentSession | undefined {
  return typeof environmentId === "string" && !isUnknown(environmentId) ? run?.environment(environmentId) : undefined;
}

/** Inputs with the environment's id as state has it, when it is the same one: a UUID is the same in capitals. */
export function withStoredEnvironmentId({ environmentId: stored }: Properties, news: Properties): Properties {
  const { environmentId } = news;
  const isSame =
    typeof stored === "string" &&
    typeof environmentId === "string" &&
    environmentKey(stored) === environmentKey(environmentId);
  return isSame ? { ...news, environmentId: stored } : news;
}
