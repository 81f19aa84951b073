import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import { type Properties, withoutNil } from "../framework/properties";
import type { LiveResource } from "../framework/resource";

/** A request that a resource makes once, and again when an input changes. */
export interface OneTimeRequest<I> {
  /** The input that is left out of state while it is not known whether the request took effect: so the next `up` sees it
   * as a change and makes the request again, also after a refresh. */
  readonly marker: string;
  /** An output that has the value of that input meanwhile. Left out: an earlier request does not matter. */
  readonly unansweredName?: string;
  /** The fact that is not known then: `the action was done`. */
  readonly effect: string;
  /**
   * @param old state before an update
   * @throws AmbiguousResultError
   */
  readonly perform: (ctx: Context, input: I, old?: Properties) => Promise<void>;
}

/** The handlers of such a resource. A refresh reads nothing, and there is nothing to delete: the service keeps no record. */
export function oneTimeRequest<I extends { readonly environmentId: string } & Properties>(request: OneTimeRequest<I>) {
  const { marker, unansweredName, effect } = request;
  async function apply(ctx: Context, input: I, old?: Properties): Promise<LiveResource> {
    const id = `${input.environmentId}/${ctx.randomId()}`;
    try {
      await request.perform(ctx, input, old);
      return { id, state: { ...input } };
    } catch (error) {
      if (!(error instanceof AmbiguousResultError)) throw error;
      const unanswered = unansweredName === undefined ? {} : { [unansweredName]: input[marker] };
      return {
        id,
        state: withoutNil({ ...input, [marker]: undefined, ...unanswered }),
        unfinishedReasons: [error.message],
      };
    }
  }
  return {
    apply,
    read(ctx: Context, id: string, old: Properties, last?: Properties): Promise<LiveResource> {
      const where = `environment ${ctx.client.titleOf(String(old["environmentId"]))}`;
      const reason = `${where}: it is not known whether ${effect}. Run \`pulumi up\` to finish.`;
      const unfinishedReasons = old[marker] === undefined ? [reason] : [];
      // The inputs stay whole: `ignoreChanges` would take the marker out of those of the program, too.
      return Promise.resolve({ id, state: old, ...(last && { inputs: last }), unfinishedReasons });
    },
  };
}
