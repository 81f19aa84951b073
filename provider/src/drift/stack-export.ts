import * as z from "zod";

const resource = z.object({ urn: z.string(), inputs: z.record(z.string(), z.unknown()).optional() });

const deployment = z.object({
  /** When it was stored, by the clock of the run that stored it. Commands such as `pulumi state delete` keep it. */
  manifest: z.object({ time: z.string() }).nullish(),
  resources: z.array(resource).nullish(),
  pending_operations: z.array(z.object({ resource: z.object({ urn: z.string() }), type: z.string() })).nullish(),
});

/** State of a stack, as far as a check needs it. A stack that was never deployed has none. */
export type Deployment = Partial<z.output<typeof deployment>>;

/** What `pulumi stack export` writes. Secrets in it are encrypted. */
export const stackExport = z
  .object({ deployment: deployment.nullish() })
  .transform(({ deployment: stored }): Deployment => stored ?? {});
