import { environmentOf } from "../../framework/ownership";
import { oncePlanned, type PreviewContext } from "../../framework/preview";
import type { Properties } from "../../framework/properties";
import { type HandlerCall, runHandler } from "./handler-call";
import type { ProviderSession } from "./provider-session";

/** A resource that is about to be created or, from `old`, changed. */
export interface Planned {
  readonly news: Properties;
  readonly old?: Properties;
}

/** Looks at the service in a preview, and says what it finds. @throws what makes the `up` fail for certain. */
export async function look(session: ProviderSession, subject: HandlerCall, { news, old }: Planned): Promise<void> {
  await runHandler(session, subject, async (context) => {
    const ctx: PreviewContext = { ...context, looks: session.looks };
    const check = (): Promise<readonly string[]> => subject.resource.previewCheck(ctx, news, old);
    for (const warning of await oncePlanned(ctx, environmentOf(news, ctx), check)) ctx.log.warn(warning);
  });
}
