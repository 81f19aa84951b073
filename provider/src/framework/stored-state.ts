import { FROM_LIST_KEY } from "./host-keys";
import { type Properties, unreadableState } from "./properties";
import type { Resource } from "./resource";

// What the engine passes as the state of a resource: whole, damaged, that of a `get`, or that of another type.

/** Refuses state that this version cannot read, and state that lacks what every state has. @throws UnreadableStateError */
export function refuseUnreadable(resource: Resource, state: Properties): void {
  resource.stateShape.parse(state);
  const missing = missingIn(resource, state);
  if (missing.length === 0) return;
  throw unreadableState(resource.type, missing.map((name) => `\`${name}\` (missing)`).join(", "), state);
}

/** The same for a refresh, which also gets state of a `get`. */
export function refuseUnreadableInRefresh(resource: Resource, state: Properties): void {
  if (isOfGet(resource, state)) resource.stateShape.parse(state);
  else refuseUnreadable(resource, state);
}

/** Whether state is that of a `get`. It has the environment, but may lack what only Check or a write leaves. */
export function isOfGet(resource: Resource, state: Properties): boolean {
  return !isBare(resource, state) && !isMissing(state, "environmentId") && !isChecked(resource, state);
}

/** Whether a program has given a resource an alias of another type, so that the engine shows the state of that one. */
export function isOfOtherType(resource: Resource, state: Properties): boolean {
  const known = new Set([...resource.inputNames, ...resource.computed, FROM_LIST_KEY]);
  return isBare(resource, state) && Object.keys(state).some((name) => !known.has(name));
}

/** Whether state has nothing that a write or an import of this type leaves. */
function isBare({ computed, internals, inputNames }: Resource, state: Properties): boolean {
  const shown = computed.filter((name) => !internals.includes(name));
  return (shown.length > 0 ? shown : inputNames).every((name) => isMissing(state, name));
}

/** Whether Check has filled in the defaults: it does so only for what a program declares. */
function isChecked({ defaults }: Resource, state: Properties): boolean {
  return Object.keys(defaults).every((name) => !isMissing(state, name));
}

function missingIn({ alwaysStored }: Resource, state: Properties): readonly string[] {
  return alwaysStored.filter((name) => isMissing(state, name));
}

function isMissing(state: Properties, name: string): boolean {
  return state[name] === undefined || state[name] === null;
}
