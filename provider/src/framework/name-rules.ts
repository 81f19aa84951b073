import { hasUnpairedSurrogate } from "../client/text-rules";
import { nearlyExisting } from "./existing-text";
import { outputInText } from "./output-in-text";
import { isUnknown, SIGNATURE } from "./properties";

// Names and texts that a program can declare. Check refuses the rest, and nothing else is imported or adopted.

/**
 * A text of one line that names something on the service, such as a branch. A text from a command or a file often ends with a line
 * break: then it names something else, which does not exist.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
export const ONE_LINE = /^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$/u;

/** The name of a variable: it becomes a path segment of DELETE and a name in a shell. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "is an empty name";
  if (name === "." || name === "..")
    return 'must not be "." or "..", which would address another resource of the service';
  if (/\p{Cc}/u.test(name)) return "has a control character in its name";
  return undefined;
}

/** Why a text cannot be passed on as it is, after its path. An unpaired surrogate has no UTF-8 form: neither gRPC nor a request can send it. */
export function textProblem(text: string): string | undefined {
  return hasUnpairedSurrogate(text) ? "contains an unpaired surrogate" : (outputInText(text) ?? nearlyExisting(text));
}

/** Whether a program can declare a text. One text means "not known yet". */
export function isDeclarableText(text: string): boolean {
  return textProblem(text) === undefined && !isUnknown(text);
}

/** Whether a program can declare the name of a service, a repository or a branch. */
export function isDeclarableLine(text: string): boolean {
  return text !== "" && ONE_LINE.test(text) && isDeclarableText(text);
}

/**
 * Why no map in a program and in state can have the name, after the path of the map. `__proto__` is no ordinary key. The engine refuses a
 * map with its own key, unless it is one of its special values. It reads the path of each entry that changes, and finds no end of one with
 * an empty name, or with a backslash at the end (`sdk/go/common/resource/properties_path.go`): then no update of the resource gets through.
 */
export function keyProblem(name: string): string | undefined {
  if (name === "") return "has an entry with an empty name";
  if (name === "__proto__" || name === SIGNATURE)
    return `has an entry named "${name}", which Pulumi cannot send. Choose another name`;
  return name.endsWith("\\")
    ? "has an entry whose name ends with a backslash, which Pulumi could not change"
    : undefined;
}

/** Whether a map in a program and in state can have the name. */
export function isMapKey(name: string): boolean {
  return keyProblem(name) === undefined && !hasUnpairedSurrogate(name);
}
