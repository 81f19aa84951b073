import { Output } from "@pulumi/pulumi/output";
import { RunError } from "@pulumi/pulumi/errors";
import { type Given, isPlainMap } from "../../../../../sdk/nodejs/runtime/inputs";
import { knownValue } from "../../../../../sdk/nodejs/runtime/outputs";

/**
 * The arguments of a PreviewEnvironment as its class takes them. A program of another language may have made an Output of
 * anything, such as a secret of a whole map: where names decide which children there are, the map itself becomes plain, and
 * each of its values an Output that is as secret as the whole.
 * @throws RunError that names a property which a preview does not know
 */
export async function previewEnvironmentArguments(label: string, inputs: Given): Promise<Given> {
  const { environment, variableSets, rebuildOn, state, ...others } = inputs;
  return {
    ...others,
    ...(environment !== undefined && { environment: await lookUp(environment) }),
    ...(variableSets !== undefined && { variableSets: await sets(label, variableSets) }),
    ...(rebuildOn !== undefined && { rebuildOn: await list(rebuildOn) }),
    ...(state !== undefined && { state: await known(label, "state", state) }),
  };
}

/** What is not known yet is looked for once it is: any unknown argument makes the whole answer unknown. */
async function lookUp(environment: unknown): Promise<unknown> {
  return Output.isInstance(environment) && (await knownValue(environment)) === undefined
    ? { id: environment.apply((found: unknown) => entryOf(found, "id")) }
    : plainMap("", "environment", environment);
}

async function sets(label: string, given: unknown): Promise<unknown> {
  const map = await plainMap(label, "variableSets", given);
  if (!isPlainMap(map)) return map;
  const entries = Object.entries(map).map(
    async ([name, set]) => [name, await plainMap(label, `variableSets.${name}`, set)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** A map whose names are known. The class refuses what is no map, and what is null. */
async function plainMap(label: string, path: string, given: unknown): Promise<unknown> {
  if (!Output.isInstance(given)) return given;
  const content = await known(label, path, given);
  if (!isPlainMap(content)) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, one]) => [
      name,
      one === null ? null : given.apply((map: unknown) => entryOf(map, name)),
    ]),
  );
}

/** How many values there are decides nothing, so an unknown list may stand as one unknown value. */
async function list(given: unknown): Promise<unknown> {
  if (!Output.isInstance(given)) return given;
  const content = await knownValue(given);
  if (content === undefined) return [given];
  const items: unknown = content.value;
  if (!Array.isArray(items)) return items;
  return items.map((_one, index) =>
    given.apply((all: unknown): unknown => (Array.isArray(all) ? all[index] : undefined)),
  );
}

async function known(label: string, path: string, given: unknown): Promise<unknown> {
  if (!Output.isInstance(given)) return given;
  const found = await knownValue(given);
  if (found === undefined)
    throw new RunError(
      `${label}: ${path} is not known in this preview, and it decides which resources there are. Write it as plain text, ` +
        "or take it from stack config; the values of variables may be outputs of resources.",
    );
  return found.value;
}

function entryOf(map: unknown, name: string): unknown {
  return isPlainMap(map) ? map[name] : undefined;
}
