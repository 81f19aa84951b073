import type * as z from "zod";

/** How a component is declared: a resource that is made of other resources. Schema, reference and SDKs come from this. */
export interface Component {
  /** Name of the type: `PreviewEnvironment` is `previewenv:index:PreviewEnvironment`. */
  readonly type: string;
  readonly description: string;
  /** The inputs that a program may write. */
  readonly inputs: z.ZodObject;
  /** Inputs, also within an object, that decide which children there are: a preview must know them. Values within them may be unknown. */
  readonly plain: readonly string[];
  readonly outputs: z.ZodObject;
}
