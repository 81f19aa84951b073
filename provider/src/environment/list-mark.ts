import type { Environment } from "../client";
import { environmentTitle } from "../client/error-text";
import type { Context } from "../framework/context";
import { environmentSessionOf } from "../framework/noted-names";
import type { EnvironmentSession } from "../run/environment-session";
import type { Properties } from "../framework/properties";
import type { Resource } from "../framework/resource";
import { getUnlessGone } from "./existence";

/**
 * The list mark: an input that no program writes. The component PreviewEnvironments gives it to the children of an environment that it
 * found in a list, and state keeps it. Whoever deletes such a child later asks for the environment first: a list may lack one that exists.
 */
const LISTED_KEY = "__listed";

/** What one run knows of an environment that a list gave. */
class Listing {
  /** The engine has checked a child: the program still lists the environment. */
  isDeclared = false;
  isWarned = false;
  #environment: Promise<Environment | undefined> | undefined;

  /** One GET for all children of the environment. A failed one is not kept. */
  read(ctx: Context, { key }: EnvironmentSession): Promise<Environment | undefined> {
    this.#environment ??= getUnlessGone(ctx, key).catch((error: unknown) => {
      this.#environment = undefined;
      throw error;
    });
    return this.#environment;
  }
}

/**
 * The same resource with the list mark: the mark goes from the inputs into state. And when the program does not list the
 * environment any more, a delete leaves everything there is on the service as it is.
 */
export function leavingWhatIsUnlisted(resource: Resource): Resource {
  return {
    ...resource,
    check(news, run, checkedResource) {
      const checked = resource.check(unmarked(news), run, checkedResource);
      const session = environmentSessionOf(checked.inputs, run);
      if (isMarked(news) && session !== undefined) session.part(Listing).isDeclared = true;
      return { ...checked, inputs: marked(checked.inputs, news) };
    },
    diff(state, news, run) {
      const diff = resource.diff(unmarked(state), unmarked(news), run);
      if (isMarked(state) === isMarked(news)) return diff;
      const kind = isMarked(news) ? "add" : "delete";
      // Otherwise state would keep what it has, and `onUnlisted` would have no effect on what exists.
      return { ...diff, changes: [...diff.changes, { path: [LISTED_KEY], kind }], mustReport: true };
    },
    async create(ctx, news) {
      const written = await resource.create(ctx, unmarked(news));
      return { ...written, state: marked(written.state, news) };
    },
    async read(ctx, id, old, inputs) {
      const read = await resource.read(ctx, id, unmarked(old), inputs && unmarked(inputs));
      return read && { ...read, state: marked(read.state, old), inputs: marked(read.inputs, old) };
    },
    async update(ctx, id, news, old) {
      const [ownState, ownNews] = [unmarked(old), unmarked(news)];
      const isOnlyMark = isMarked(news) !== isMarked(old) && resource.diff(ownState, ownNews, ctx).changes.length === 0;
      const written = isOnlyMark ? { id, state: ownState } : await resource.update(ctx, id, ownNews, ownState);
      return { ...written, state: marked(written.state, news) };
    },
    async delete(ctx, id, old) {
      if (isMarked(old) && (await mustStayOnService(ctx, ctx.environment(id)))) return;
      await resource.delete(ctx, id, unmarked(old));
    },
    plannedOutputs: (news, old, run) =>
      marked(resource.plannedOutputs(unmarked(news), old && unmarked(old), run), news),
    previewCheck: (ctx, news, old) => resource.previewCheck(ctx, unmarked(news), old && unmarked(old)),
  };
}

/**
 * Whether a delete must leave an environment as it is. Without a program the command is a destroy, which deletes. A program that
 * still lists the environment has dropped a child of it.
 */
async function mustStayOnService(ctx: Context, session: EnvironmentSession): Promise<boolean> {
  const listing = session.part(Listing);
  if (listing.isDeclared || (await ctx.runsProgram?.()) === false) return false;
  const environment = await listing.read(ctx, session);
  // Deleted or gone: the usual end. Nothing is left to delete, or it comes back with the environment.
  if (environment === undefined || environment.deleted || listing.isWarned) return true;
  listing.isWarned = true;
  ctx.log.warn(
    `environment ${environmentTitle(environment)} exists, and the program declares nothing for it any more, as far as this provider can ` +
      "see: the list, `match`, `exclude` or `each` leaves it out, or another Provider or plugin version has it now. Its variables and branches " +
      "stay as they are. What no other resource of this stack has of them is not managed any more. When the program declares it again, it is " +
      'taken over. To have it deleted: declare it again, and drop it in an `up` of its own, with `onUnlisted: "delete"` when the list leaves it ' +
      "out. Or run `pulumi destroy` without `--run-program`.",
  );
  return true;
}

function isMarked(bag: Properties): boolean {
  return bag[LISTED_KEY] === true;
}

/** A bag with the mark of another one. */
function marked(bag: Properties, like: Properties): Properties {
  return isMarked(like) ? { ...bag, [LISTED_KEY]: true } : bag;
}

/** A bag without the mark. Where it has none, the same object: `StoredState` parses each object once. */
function unmarked(bag: Properties): Properties {
  if (!Object.hasOwn(bag, LISTED_KEY)) return bag;
  const { [LISTED_KEY]: _mark, ...rest } = bag;
  return rest;
}
