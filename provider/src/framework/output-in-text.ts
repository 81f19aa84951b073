// A program loads this file: it imports nothing.

/** The characters between two words of the warning: a program may have made an address or the name of a branch of it. */
const GAP = "(?:%[\\da-f]{2}|[^a-z%])+";
/** The text that an Output becomes in Node.js, .NET, Python and Java: `Calling [toString] on an [Output<T>] is not supported`. */
const WARNING = new RegExp(`calling(?<quote>${GAP})(?<method>tostring|tojson|str)${GAP}on${GAP}an${GAP}output`, "iu");
/** The text that Python prints of an Output in a list or a map, and Go of every Output: where it lies in memory. Since Go 1.26, that is anywhere. */
const PYTHON_OBJECT = /<pulumi\.output\.Output object at /u;
const GO_STRUCT = /\(\*internal\.OutputState[=)]|\{(?:OutputState:)?0x[1-9a-f][\da-f]{8,11}\}/u;
/** The text that JavaScript makes of a Promise, and of an object such as a resource. */
const JAVASCRIPT_OBJECT = /\[object (?<kind>Promise|Object)\]/u;

const PYTHON = "`pulumi.Output.format` or `pulumi.Output.concat`";
/** By the method that the SDK names. What is not here comes from TypeScript. */
const WAYS: ReadonlyMap<string, string> = new Map([
  ["toJSON", "`pulumi.jsonStringify`"],
  ["ToString", "`Output.Format`"],
  ["str", PYTHON],
]);

/**
 * Why a text is refused into which a program has put an Output, or an object: it describes the Output instead of having its value.
 * This follows the text's path, and names the way out of the program's language. `undefined` for any other text.
 */
export function outputInText(text: string): string | undefined {
  const way = wayOutOf(text);
  if (way !== undefined)
    return `holds a description of an Output instead of its value. Put the text together with ${way}`;
  const kind = JAVASCRIPT_OBJECT.exec(text)?.groups?.["kind"];
  if (kind === undefined) return undefined;
  const advice = kind === "Promise" ? "Await it" : "Name the property of it that is meant";
  return `holds "[object ${kind}]" instead of a value. ${advice}`;
}

function wayOutOf(text: string): string | undefined {
  const { method, quote = "" } = WARNING.exec(text)?.groups ?? {};
  if (method !== undefined)
    return quote.includes("'") ? "`Output.format`" : (WAYS.get(method) ?? "`pulumi.interpolate`");
  if (PYTHON_OBJECT.test(text)) return PYTHON;
  return GO_STRUCT.test(text) ? "`pulumi.Sprintf`" : undefined;
}
