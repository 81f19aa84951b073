/** What V8 asks for the text of a stack; `undefined` where V8 makes the text by itself. */
type Format = (error: Error, frames: NodeJS.CallSite[]) => unknown;

/** The function of the Pulumi SDK that notes a stack with a promise. Under another name, only the time would not be saved. */
const NOTES_STACKS = "debuggablePromise";
const stacks: { prepareStackTrace?: Format | undefined } = Error;

/**
 * Lets the Pulumi SDK make the promises of a resource without their stacks, until the returned function is called. The SDK
 * notes a stack with each of four promises for a property, and shows it only when PULUMI_DEBUG_PROMISE_LEAKS is set. But
 * `source-map-support`, which Pulumi installs, formats all of them at once, which is most of what a resource costs a program
 * (docs/decisions/0022-loading.md has the figures).
 *
 * All other stacks stay as they are, such as those of errors in a program's transformations, and of source positions in state.
 */
export function withoutPromiseStacks(): () => void {
  const format = stacks.prepareStackTrace;
  if (format === undefined || process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const skip: Format = (error, frames) =>
    frames[0]?.getFunctionName() === NOTES_STACKS ? String(error) : format(error, frames);
  stacks.prepareStackTrace = skip;
  return () => {
    // What a transformation of the program has installed stays.
    if (stacks.prepareStackTrace === skip) stacks.prepareStackTrace = format;
  };
}
