import { displayableName } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import { environmentKey } from "../client/text-rules";
import { type Checked, describeFailure, parseInputs } from "./input-checks";
import type { Context, Run } from "./context";
import { type Diff, type PropertyChange, toDiff } from "./diff";
import { fitsIntoError, RefusedError, withSettingsAdvice } from "./resource-errors";
import { withoutDefaults } from "./fields";
import { FROM_LIST_KEY } from "./host-keys";
import { diffListMark, listMarkOf } from "./list-mark";
import { warningIfUnreachable } from "./preview-looks";
import { isUnknown, pick, type Properties, UNKNOWN, withoutNil } from "./properties";
import type { LiveResource, Resource } from "./resource";
import { secretInputsOf } from "./resource-facts";
import { textsIn } from "./secret-texts";
import {
  type ResourceInProgram,
  duplicatesInCheck,
  environmentInRun,
  isDrifted,
  isImported,
  noteCheck,
  noteDiff,
  noteDrift,
  noteImport,
  noteRead,
} from "./run-notes";
import { isOfGet, isOfOtherType, refuseUnreadable, refuseUnreadableInRefresh } from "./stored-state";

// The calls of the engine for a resource: plain properties in, plain properties out.

/** A resource as hosts get it: what a handler may leave out is filled in. */
type FilledResource = Required<LiveResource>;

/**
 * Refuses what a program declares before any request, and fills in defaults.
 * @param olds Inputs of the last `up` or refresh. None: the resource is created, or a replacement begins.
 */
export function check(
  resource: Resource,
  given: Properties,
  olds: Properties,
  run: Run | undefined,
  about: ResourceInProgram,
): Checked {
  const checked = checkInputs(resource, given, olds);
  noteCheck(resource, checked, about.identity, Object.keys(olds).length === 0, run);
  if (checked.failures.length > 0) return checked;
  return { ...checked, failures: duplicatesInCheck(resource, about, checked.inputs, run) };
}

/** The check of inputs by themselves, whoever declares them. */
export function checkInputs(resource: Resource, given: Properties, olds: Properties = {}): Checked {
  const { [FROM_LIST_KEY]: _mark, ...news } = given;
  const parsed = parseInputs(resource.inputs, news, `a property of ${resource.type}`, olds);
  if (parsed.failures.length > 0) return parsed;
  const { known, unknowns } = split(resource, parsed.inputs);
  const { inputs, failures } = resource.check(known, unknowns);
  const mark = pick(given, [FROM_LIST_KEY]);
  const all = { ...pick(inputs, resource.inputNames), ...pick(parsed.inputs, [...unknowns]), ...mark };
  return { inputs: all, failures };
}

/** Compares state with inputs. No request is made. */
export function diff(resource: Resource, old: Properties, news: Properties, run?: Run): Diff {
  const changes = isOfOtherType(resource, old) ? MADE_ANEW : changesOf(resource, old, news, run);
  const found = toDiff(changes, resource.replaceOnChanges);
  noteDiff(resource, old, news, found, run);
  return found;
}

/** Creates what checked inputs declare. */
export function create(resource: Resource, ctx: Context, news: Properties): Promise<FilledResource> {
  return apply(resource, ctx, news);
}

/** Brings what exists to what checked inputs declare. */
export async function update(
  resource: Resource,
  ctx: Context,
  id: string,
  news: Properties,
  old: Properties,
): Promise<FilledResource> {
  const isMarkAlone = diffListMark(old, news).length > 0 && inputChanges(resource, old, news, ctx).length === 0;
  if (isMarkAlone) {
    const { [FROM_LIST_KEY]: _mark, ...rest } = old;
    return fillIn(resource, { id, state: { ...rest, ...listMarkOf(news) } });
  }
  try {
    return { ...(await apply(resource, ctx, news, old)), id };
  } catch (error) {
    // After drift was refreshed, state equals the service. Only the unfinished mark tells a later drift check that the update failed.
    if (!(error instanceof PreviewenvError) || !isDrifted(old, ctx) || !fitsIntoError(old)) throw error;
    return fillIn(resource, { id, state: old, unfinishedReasons: [error.message] });
  }
}

/** Looks at what exists, for a `get` that was given these inputs, or some of them. @throws RefusedError for wrong ones: nobody checks them */
export async function lookUp(
  resource: Resource,
  ctx: Context,
  id: string,
  given: Properties,
): Promise<FilledResource | undefined> {
  rememberSecrets(resource, ctx, given);
  const { type, inputs, inputNames } = resource;
  const { failures } = parseInputs(inputs.partial(), withoutNil(pick(given, inputNames)), `a property of ${type}`);
  if (failures.length > 0) throw new RefusedError(`${type}.get: ${failures.map(describeFailure).join("; ")}.`);
  const found = await resource.lookUp(ctx, id, given);
  // No defaults: Check fills them in, and it checks only what a program declares.
  return found && fillIn(resource, { ...found, state: withoutNil(found.state) });
}

/**
 * Reads what exists, for a refresh. `last` are the inputs of the last `up`, for hosts that have them. Of a `get` these stay, or there are none:
 * its program declares nothing of what it looks at, and a later diff would show other inputs as removed.
 */
export async function read(
  resource: Resource,
  ctx: Context,
  id: string,
  old: Properties,
  last?: Properties,
): Promise<FilledResource | undefined> {
  rememberSecrets(resource, ctx, old);
  refuseUnreadableInRefresh(resource, old);
  noteRead(resource, old, ctx);
  const reading = resource.read(ctx, id, old, last);
  const found = await withSettingsAdvice(ctx.client, reading, true);
  if (found === undefined) return undefined;
  const { inputs, state, ...rest } = fillIn(resource, found);
  const mark = listMarkOf(old);
  const now = { ...state, ...mark };
  noteDrift(resource, old, now, ctx);
  return { ...rest, id, state: now, inputs: isOfGet(resource, old) ? (last ?? {}) : { ...inputs, ...mark } };
}

/**
 * Deletes what a resource has on the service.
 * @throws RefusedError after a failure in its environment, which a destroy does not have: it creates and updates nothing. In an `up`, a
 * resource that the engine has skipped may depend on this one in state, and the engine cannot read a state with a dependency that is gone.
 */
export async function remove(resource: Resource, ctx: Context, id: string, old: Properties): Promise<void> {
  const inRun = environmentInRun(old, ctx);
  // A state that an import of this run has only looked at is nobody's yet.
  if (isImported(old, inRun)) return;
  if (inRun?.hasFailure === true)
    throw new RefusedError(
      `not deleted, because a create or update of environment ${ctx.client.titleOf(inRun.key)} failed in this run. The first ` +
        "`pulumi up` without such a failure deletes it. If its variables cause the failure, declare it again without variables first, or run " +
        "`pulumi destroy --target` with its URN.",
    );
  rememberSecrets(resource, ctx, old);
  if (resource.delete === undefined) return;
  refuseUnreadable(resource, old);
  await withSettingsAdvice(ctx.client, resource.delete(ctx, id, old), true);
}

/**
 * Finds what exists, for an import. `undefined` when it does not exist. The inputs are those that a program needs:
 * what equals its default is left out. Hidden values are `existing()`. One warning names them.
 * @throws RefusedError for a type that cannot be imported, and for what no program can declare
 */
export async function importExisting(
  resource: Resource,
  ctx: Context,
  id: string,
): Promise<FilledResource | undefined> {
  const found = await resource.import(ctx, id);
  if (found === undefined) return undefined;
  const { inputs, failures } = checkInputs(resource, pick(found.state, resource.inputNames));
  if (failures.length > 0)
    throw new RefusedError(
      `cannot import ${displayableName(id)}, because no program can declare it: ${failures.map(describeFailure).join("; ")}.`,
    );
  for (const warning of found.warnings ?? []) ctx.log.warn(warning);
  const state = { ...inputs, ...withoutNil(found.state) };
  noteImport(state, ctx);
  return fillIn(resource, { ...found, state, inputs: withoutDefaults(inputs, resource.defaults) });
}

/** The difference to a state of another type: a new resource is made, and the engine deletes the old one as what it is. */
const MADE_ANEW: readonly PropertyChange[] = [{ path: ["environmentId"], kind: "update" }];

/**
 * The answer of an update, or, without `old`, of a create, as far as it is certain, and UNKNOWN for the other outputs. `news` are checked
 * inputs. No request is made. Names that other resources of this `run` took away are written again.
 */
export function plannedOutputs(resource: Resource, news: Properties, old?: Properties, run?: Run): Properties {
  if (old !== undefined) refuseUnreadable(resource, old);
  const certain = resource.plannedOutputs(news, old, environmentInRun(old ?? news, run));
  const unknown = Object.fromEntries(resource.computed.map((name) => [name, UNKNOWN]));
  return withoutNil({ ...pick(news, resource.inputNames), ...unknown, ...certain, ...listMarkOf(news) });
}

/**
 * Warnings of a look at the service before an update, or, without `old`, before a create. None with `previewChecks: false`.
 * @throws what makes the `up` fail for certain.
 */
export async function previewCheck(
  resource: Resource,
  ctx: Context,
  news: Properties,
  old?: Properties,
): Promise<readonly string[]> {
  if (!ctx.previewChecks || environmentInRun(news, ctx) === undefined) return [];
  if (old !== undefined) refuseUnreadable(resource, old);
  rememberSecrets(resource, ctx, news, old);
  const { known, unknowns } = split(resource, news);
  return warningIfUnreachable(ctx, resource.previewCheck(ctx, { inputs: known, unknowns, state: old }));
}

/** The differences between state and inputs. @throws UnreadableStateError, and RefusedError for inputs that Check refuses */
function changesOf(
  resource: Resource,
  old: Properties,
  news: Properties,
  run: Run | undefined,
): readonly PropertyChange[] {
  const ofMark = diffListMark(old, news);
  try {
    const changes = inputChanges(resource, old, news, run);
    if (changes.length === 0) return ofMark;
    const { inputs, failures } = checkInputs(resource, pick(news, resource.inputNames), old);
    return [...(failures.length > 0 ? changes : inputChanges(resource, old, inputs, run)), ...ofMark];
  } catch (error) {
    refuseUnreadable(resource, old);
    checkedAgain(resource, news, old);
    throw error;
  }
}

/** Inputs as Check leaves them: the engine does not check again what a policy has changed after Check. @throws RefusedError */
function checkedAgain(resource: Resource, news: Properties, old?: Properties): Properties {
  const { inputs, failures } = checkInputs(resource, pick(news, resource.inputNames), old);
  if (failures.length === 0) return inputs;
  throw new RefusedError(
    `the inputs of ${resource.type} are not those that were checked: ${failures.map(describeFailure).join("; ")}. A policy ` +
      "of the stack that remediates resources may have changed them. Nothing was sent.",
  );
}

/** The differences between state and inputs, without the list mark. */
function inputChanges(
  resource: Resource,
  old: Properties,
  news: Properties,
  run: Run | undefined,
): readonly PropertyChange[] {
  refuseUnreadable(resource, old);
  // State of a version that did not have an input yet has its default: that is no change.
  const state = { ...resource.defaults, ...withoutNil(old) };
  return resource.diff(state, withStoredEnvironmentId(old, news), environmentInRun(news, run));
}

/** Inputs with the environment's id as state has it, when it is the same one: a UUID is the same in capitals. */
function withStoredEnvironmentId({ environmentId: stored }: Properties, news: Properties): Properties {
  const { environmentId: id } = news;
  const isText = typeof stored === "string" && typeof id === "string";
  return isText && environmentKey(stored) === environmentKey(id) ? { ...news, environmentId: stored } : news;
}

/** Creates or, from `old`, updates. The run learns from a failure, whatever it is, that its environment has one. */
async function apply(resource: Resource, ctx: Context, news: Properties, old?: Properties): Promise<FilledResource> {
  const inRun = environmentInRun(news, ctx);
  let isDone = false;
  try {
    if (old !== undefined) refuseUnreadable(resource, old);
    const inputs = resource.inputs.parse(checkedAgain(resource, news, old));
    rememberSecrets(resource, ctx, news, old);
    const live = await withSettingsAdvice(ctx.client, resource.apply(ctx, inputs, old), false);
    const written = fillIn(resource, { ...live, state: { ...live.state, ...listMarkOf(news) } });
    isDone = written.unfinishedReasons.length === 0;
    return written;
  } finally {
    if (!isDone && inRun !== undefined) inRun.hasFailure = true;
  }
}

/** Notes secrets of inputs and state before a request: a service may repeat in its texts what an earlier run has sent. */
function rememberSecrets(resource: Resource, ctx: Context, ...bags: readonly (Properties | undefined)[]): void {
  for (const bag of bags) if (bag !== undefined) ctx.client.remember(textsIn(pick(bag, secretInputsOf(resource, bag))));
}

function fillIn({ inputNames }: Resource, live: LiveResource): FilledResource {
  return { inputs: pick(live.state, inputNames), unfinishedReasons: [], warnings: [], ...live };
}

/** Inputs that are known, and the names of the others. */
function split(
  { inputNames }: Resource,
  bag: Properties,
): { readonly known: Properties; readonly unknowns: ReadonlySet<string> } {
  const unknowns = new Set(inputNames.filter((name) => isUnknown(bag[name])));
  const certain = inputNames.filter((name) => !unknowns.has(name));
  return { known: pick(bag, certain), unknowns };
}
