import type { Properties } from "./properties";

// Properties beside those of a resource, in its inputs and its state. A program loads this file: it imports nothing.

/** State of the dynamic provider has the provider text. */
export const PROVIDER_KEY = "__provider";
/** The dynamic provider marks the outputs of a create or update that is not finished. */
export const UNFINISHED_KEY = "__unfinished";
/**
 * The inputs that are Pulumi secrets beside those that the declaration says: a program tells the dynamic provider what the engine does not, and
 * state keeps it. Outputs that are secrets as a whole are named, too, also by the plugin: a stack may change its host. Only where there are some.
 */
export const SECRET_PATHS_KEY = "__secretPaths";
/**
 * The texts of the secrets before updates that did not finish, by input: `{services: ["text"]}`. The dynamic provider keeps them, as a secret: the
 * service may still show them, and the inputs from before are not told to an update.
 */
export const EARLIER_SECRETS_KEY = "__earlierSecrets";
/** A program tells Check that this is a preview. No state has it. */
export const PREVIEW_KEY = "__preview";
/** A program tells Check which resource it is about. No state has it. */
export const IDENTITY_KEY = "__identity";
/**
 * A program tells the dynamic provider that it only looks at a resource. The engine does not tell it the inputs, so state that has lost
 * everything would look the same.
 */
export const GET_KEY = "__get";

/**
 * The list mark: an input that no program writes. A component gives it to the children of an environment from a list. State keeps it when it is
 * true: a delete of such a child asks for the environment first, because a list may lack one that exists. False: it deletes all the same. Checked
 * inputs keep both: what comes without a mark may have lost it.
 */
export const FROM_LIST_KEY = "__listed";

/** Inputs or state as resources get them. */
export function withoutHostKeys(bag: Properties): Properties {
  const {
    [PROVIDER_KEY]: _text,
    [UNFINISHED_KEY]: _mark,
    [SECRET_PATHS_KEY]: _paths,
    [EARLIER_SECRETS_KEY]: _texts,
    [PREVIEW_KEY]: _isPreview,
    [IDENTITY_KEY]: _identity,
    [GET_KEY]: _get,
    ...own
  } = bag;
  return own;
}
