import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import { PartialFailureError } from "../framework/partial-failure";
import { type Properties, withoutNil } from "../framework/properties";
import type { Created } from "../framework/resource";

/** A request that a resource makes once, and again when an input changes. */
export interface OneTimeRequest<I> {
  /** The input that is left out of state while it is not known whether the request took effect: so the next `up` sees it
   * as a change and makes the request again, also after a refresh. */
  readonly marker: string;
  /** What is not known then: `the action was done`. */
  readonly effect: string;
  /**
   * @param isRepeated whether an earlier `up` made the request, with an ambiguous result.
   * @throws AmbiguousResultError
   */
  readonly perform: (ctx: Context, input: I, isRepeated: boolean) => Promise<void>;
}

/** The handlers of such a resource. A refresh reads nothing, and a delete does nothing: the service keeps no record. */
export function oneTimeRequest<I extends { readonly environmentId: string }>(request: OneTimeRequest<I>) {
  const { marker, effect } = request;
  async function perform(ctx: Context, id: string, input: I, isRepeated: boolean): Promise<Properties> {
    try {
      await request.perform(ctx, input, isRepeated);
      return { ...input };
    } catch (error) {
      if (!(error instanceof AmbiguousResultError)) throw error;
      throw new PartialFailureError(id, withoutNil({ ...input, [marker]: undefined }), [error.message]);
    }
  }
  return {
    async create(ctx: Context, input: I): Promise<Created> {
      const id = `${input.environmentId}/${ctx.randomId()}`;
      return { id, state: await perform(ctx, id, input, false) };
    },
    read: (_ctx: Context, _id: string, old: Properties): Promise<Properties> => Promise.resolve(old),
    update: (ctx: Context, id: string, input: I, old: Properties): Promise<Properties> =>
      perform(ctx, id, input, old[marker] === undefined),
    incomplete: (old: Properties): readonly string[] =>
      old[marker] === undefined
        ? [
            `environment ${String(old["environmentId"])}: it is not known whether ${effect}; run \`pulumi up\` to finish.`,
          ]
        : [],
    delete: (): Promise<void> => Promise.resolve(),
  };
}
