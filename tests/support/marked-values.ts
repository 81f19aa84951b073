import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isMap, type Properties } from "../../provider/src/framework/properties";

/** What tells a marked value from a map on the wire (`sdk/go/common/resource/sig`), written out once more on purpose. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";

type Path = readonly string[];

/** Paths of the values that are marked as secrets. The items of a list are named by their index. */
export type Marks = readonly Path[];

/** Properties as they go over the wire: plain values, and which of them are marked. */
export interface Marked {
  readonly bag: Properties;
  readonly marks: Marks;
}

/** Reads properties as the engine does. @throws Error for a special value that a provider has no reason to send */
export function open(struct: Struct | undefined): Marked {
  const marks: Path[] = [];
  const bag = struct === undefined ? {} : openMap(struct.toJavaScript(), [], marks);
  return { bag, marks };
}

export function seal({ bag, marks }: Marked): Struct {
  const plain: Record<string, JavaScriptValue> = JSON.parse(JSON.stringify(sealMap(bag, [], marks)));
  return Struct.fromJavaScript(plain);
}

export function unmarked(bag: Properties): Marked {
  return { bag, marks: [] };
}

/** Whether the value at this path is marked, alone or with what it lies in. */
export function isMarked(marks: Marks, path: Path): boolean {
  return marks.some((mark) => mark.length <= path.length && mark.every((step, index) => step === path[index]));
}

/** The paths of a bag that have no map below them. */
export function leaves(value: unknown, path: Path = []): readonly Path[] {
  if (!isMap(value)) return [path];
  return Object.entries(value).flatMap(([name, item]) => leaves(item, [...path, name]));
}

/** The texts within a value, with their paths. */
export function textsOf(value: unknown, path: Path): readonly { readonly path: Path; readonly text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, [...path, name]));
}

/** Whether a text is in what a bag has at a path. */
function isRepeated(bag: Properties, path: Path, text: string): boolean {
  const at = textsOf(bag, []).filter((found) => isMarked([path], found.path));
  return text !== "" && at.some((found) => found.text.includes(text));
}

function openValue(value: unknown, path: Path, marks: Path[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => openValue(item, [...path, String(index)], marks));
  return isMap(value) ? openStruct(value, path, marks) : value;
}

function openStruct(struct: Properties, path: Path, marks: Path[]): unknown {
  const signature = struct[SIGNATURE];
  if (signature === undefined) return openMap(struct, path, marks);
  // Of inputs that are refused.
  if (signature === RESOURCE) return struct;
  if (signature !== SECRET) throw new Error(`${path.join(".")} came back with another signature than a secret's`);
  marks.push(path);
  return openValue(struct["value"], path, marks);
}

function openMap(map: Properties, path: Path, marks: Path[]): Properties {
  return Object.fromEntries(Object.entries(map).map(([name, item]) => [name, openValue(item, [...path, name], marks)]));
}

function sealValue(value: unknown, path: Path, marks: Marks): unknown {
  const inner = Array.isArray(value)
    ? value.map((item, index) => sealValue(item, [...path, String(index)], marks))
    : isMap(value)
      ? sealMap(value, path, marks)
      : value;
  const isWhole = marks.some((mark) => mark.length === path.length && isMarked([mark], path));
  return isWhole ? { [SIGNATURE]: SECRET, value: inner } : inner;
}

function sealMap(map: Properties, path: Path, marks: Marks): Properties {
  return Object.fromEntries(Object.entries(map).map(([name, item]) => [name, sealValue(item, [...path, name], marks)]));
}

/** What design.md says is secret, whatever a program marks. */
function declaredMarks(type: string, bag: Properties): Marks {
  const { secrets, hidden } = bag;
  if (type === "EnvVarSet" && isMap(secrets)) return Object.keys(secrets).map((name) => ["secrets", name]);
  return type === "EnvVar" && hidden !== false && bag["value"] !== undefined ? [["value"]] : [];
}

/** What the service shows. A secret there is worth a warning, which scenarios do not expect. */
const SHOWN: ReadonlySet<string> = new Set(["variables", "value", "secrets"]);

/** Who declares the inputs: nobody marks anything in YAML, a generated SDK marks a property of the schema as a whole. */
export type Style = "yaml" | "classes" | "generated";

/** Each run is of another program. The first one marks its secrets entry by entry. */
export function styleOf(run: number): Style {
  const styles = ["generated", "classes"] as const;
  return styles[run % 3] ?? "yaml";
}

/** The marks that inputs have when they come from a program. With the classes it makes secrets of other inputs, too. */
export function programMarks(type: string, bag: Properties, style: Style): Marks {
  if (style === "yaml") return [];
  const declared = declaredMarks(type, bag);
  if (style === "generated") return declared.slice(0, 1).map((path) => path.slice(0, 1));
  const own = Object.keys(bag).filter((name) => !SHOWN.has(name));
  return [...declared, ...own.map((name) => [name])];
}

/** Outputs of an EnvironmentBranches that stay secrets after a branch was one. */
const SHOW_BRANCHES: Marks = [["projects"], ["originalBranches"]];

/** Shorter values turn up in texts by chance. */
const TELLING_LENGTH = 8;
/** Placeholders, and the text of `existing()`: messages may show them. */
const STANDS_FOR_A_VALUE = /^previewenv:(?:unknown|existing):/u;

/** The secrets of one scenario: no answer may lose their mark, no text may hold one. */
export class SecretBook {
  readonly #values = new Set<string>();
  /** Texts that were sent as secrets. */
  readonly #marked = new Set<string>();

  /** Remembers what is secret by declaration, and what is sent as a secret. */
  note(type: string, { bag, marks }: Marked): void {
    for (const { path, text } of textsOf(bag, [])) if (isMarked(marks, path)) this.#marked.add(text);
    for (const [root = "", name] of declaredMarks(type, bag)) {
      const holder = bag[root];
      const value = name === undefined ? holder : isMap(holder) ? holder[name] : undefined;
      if (typeof value === "string" && value.length >= TELLING_LENGTH && !STANDS_FOR_A_VALUE.test(value))
        this.#values.add(value);
    }
  }

  /** @throws Error when a text holds a secret */
  refuse(texts: readonly string[]): void {
    for (const value of this.#values)
      if (texts.some((text) => text.includes(value))) throw new Error(`the secret ${value} is in a text for people`);
  }

  /** @throws Error when something secret is not marked in an answer, or something else is */
  hold(type: string, { bag, marks }: Marked, sources: readonly Marked[]): void {
    const told = [...declaredMarks(type, bag), ...sources.flatMap((source) => source.marks)];
    // They may show a branch that was a secret before.
    const hasSecretBranch = type === "EnvironmentBranches" && told.some(([root]) => root === "branches");
    const wanted = hasSecretBranch ? [...told, ...SHOW_BRANCHES] : told;
    for (const path of leaves(bag)) {
      const name = path.join(".");
      if (isMarked(wanted, path) && !isMarked(marks, path)) throw new Error(`${type}: ${name} came back in clear`);
      // An output that repeats a secret input is one, too.
      if (
        isMarked([...wanted, ...SHOW_BRANCHES], path) ||
        [...this.#marked].some((secret) => isRepeated(bag, path, secret))
      )
        continue;
      if (isMarked(marks, path)) throw new Error(`${type}: ${name} came back as a secret`);
    }
  }
}
