// A program loads this file: it imports nothing.

/** The characters between two words of the warning: a program may have made an address or the name of a branch of it. */
const GAP = "(?:%[\\da-f]{2}|[^a-z%])+";
/** The text that an Output becomes in Node.js, .NET, Python and Java: `Calling [toString] on an [Output<T>] is not supported`. */
const WARNING = new RegExp(`calling(?<quote>${GAP})(?<method>tostring|tojson|str)${GAP}on${GAP}an${GAP}output`, "iu");
/** The text that Python prints of an Output in a list or a map, and Go of every Output: where it lies in memory. Since Go 1.26, that is anywhere. */
const PYTHON_OUTPUT = /<pulumi\.output\.Output object at /u;
const GO_STRUCT = /\(\*internal\.OutputState[=)]|\{(?:OutputState:)?0x[1-9a-f][\da-f]{8,11}\}/u;
/**
 * The texts that JavaScript, Python and Java make of an object that has none of its own, such as a resource. Of Java, only classes of this
 * package, of Pulumi and of the language: a person may mean other names before an `@`. The hash behind it ends the word: otherwise that is an
 * address or a version. A short one is rare, and may be a word. .NET prints only the name of a class.
 */
const OBJECT = [
  /\[object Object\]/u,
  /<(?:[\w. -]|<(?:locals|lambda|genexpr)>){1,200} at 0x[\da-f]+>/iu,
  /(?:\.previewenv|com\.pulumi|java\.(?:lang|util))(?:\.[a-z]\w{0,50}){0,9}\.[A-Z][\w$]{0,200};?@[\da-f]{5,8}(?![\w.-])/u,
];
/** The texts that they and .NET make of what is still being computed. */
const PROMISE = [
  /\[object Promise\]/u,
  /<coroutine object (?:[\w.]|<locals>){1,200} at 0x/u,
  /<(?:Task|Future|_GatheringFuture) (?:pending|finished|cancell(?:ed|ing))\b/u,
  /<Future at 0x[\da-f]+ state=/iu,
  /java\.util\.concurrent\.\w{1,200}@[\da-f]+\[/u,
  /System\.(?:Threading\.Tasks|Runtime\.CompilerServices)\.[\w+`]{1,200}`\d\[/u,
];
/** The text that Java makes of what may be missing. */
const OPTIONAL = [/^Optional(?:\.empty|\[.*\])$/su];
/** The text that Go makes of an optional output, which is a pointer, by any verb for texts. `%d`, `%v` and `%x` leave only a number. */
const POINTER = [/%!\w\(\*[\w.]{1,200}=(?:0x[\da-f]+|<nil>)\)/u];
const WAYS_OUT_OF_OBJECTS = [
  [PROMISE, "Await it"],
  [OBJECT, "Name the property of it that is meant"],
  [OPTIONAL, "Take its value with `orElseThrow`"],
  [POINTER, "Pass `.Elem()` of the optional output"],
] as const;

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
  const advice = WAYS_OUT_OF_OBJECTS.find(([forms]) => forms.some((form) => form.test(text)))?.[1];
  return advice === undefined ? undefined : `holds a description of an object instead of its value. ${advice}`;
}

function wayOutOf(text: string): string | undefined {
  const { method, quote = "" } = WARNING.exec(text)?.groups ?? {};
  if (method !== undefined)
    return quote.includes("'") ? "`Output.format`" : (WAYS.get(method) ?? "`pulumi.interpolate`");
  if (PYTHON_OUTPUT.test(text)) return PYTHON;
  return GO_STRUCT.test(text) ? "`pulumi.Sprintf`" : undefined;
}
