import { CustomResource } from "@pulumi/pulumi";

/** What V8 asks for the text of a stack; `undefined` where V8 makes the text by itself. */
type Format = (error: Error, frames: NodeJS.CallSite[]) => unknown;

/** The function of the Pulumi SDK that notes a stack with a promise. Under another name, only the time would not be saved. */
const NOTES_STACKS = "debuggablePromise";
/** The function of the Pulumi SDK that looks where the program declares a resource. Under another name, it would find our files. */
const FINDS_PLACE = "callsites";
/** The frames above a resource's class: `callsites`, `stackTrace`, and the constructors of Resource and CustomResource. */
const ABOVE_CLASSES = 4;
const stacks: { prepareStackTrace?: Format | undefined } = Error;

/**
 * Changes two kinds of stacks that the Pulumi SDK takes while it constructs a resource, until the returned function is called:
 * - It looks for the line of the program behind the frame of one class, and resources of ours have two or three classes. All but
 *   one are left out, so that state and the engine's events name the line of the program.
 * - It notes a stack with each of four promises for a property, and shows it only when PULUMI_DEBUG_PROMISE_LEAKS is set. But
 *   `source-map-support`, which Pulumi installs, formats all of them at once, which is most of what a resource costs a program
 *   (docs/decisions/0022-loading.md has the figures). They are not formatted.
 *
 * All other stacks stay as they are, such as those of errors in a program's transformations.
 * @param constructed class of the resource
 */
export function withResourceStacks(constructed: object): () => void {
  const format = stacks.prepareStackTrace;
  if (format === undefined) return () => undefined;
  const showsPromises = Boolean(process.env["PULUMI_DEBUG_PROMISE_LEAKS"]);
  const own: Format = (error, frames) => {
    const taker = frames[0]?.getFunctionName();
    if (taker === NOTES_STACKS && !showsPromises) return String(error);
    return format(error, taker === FINDS_PLACE ? withOneClass(frames, constructed) : frames);
  };
  stacks.prepareStackTrace = own;
  return () => {
    // What a transformation of the program has installed stays.
    if (stacks.prepareStackTrace === own) stacks.prepareStackTrace = format;
  };
}

/** Leaves out the frames of a resource's classes except one, and of `get`, which constructs it. */
function withOneClass(frames: readonly NodeJS.CallSite[], constructed: object): NodeJS.CallSite[] {
  let end = ABOVE_CLASSES;
  // Compared by name, because a program may be bundled into one file. A class without a constructor may have no frame.
  for (const name of classesOf(constructed))
    if (frames[end]?.isConstructor() && frames[end]?.getFunctionName() === name) end += 1;
  if (end === ABOVE_CLASSES) return [...frames];
  const files = frames.slice(ABOVE_CLASSES, end).map((frame) => frame.getFileName());
  const next = frames[end];
  if (next?.getFunctionName() === "get" && files.includes(next.getFileName())) end += 1;
  return [...frames.slice(0, ABOVE_CLASSES), ...frames.slice(end - 1)];
}

/** The names of a class and of those that it extends, up to Pulumi's own, outermost last. */
function classesOf(constructed: object): readonly string[] {
  const names: string[] = [];
  let one: unknown = constructed;
  while (typeof one === "function" && one !== CustomResource) {
    names.unshift(one.name);
    one = Object.getPrototypeOf(one);
  }
  return names;
}
