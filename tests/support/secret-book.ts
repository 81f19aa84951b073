import { isMap, type Properties } from "../../provider/src/framework/properties";
import { isMarked, leaves, type Marked, type Marks } from "./marked-values";

/** What design.md says is secret, whatever a program marks. */
function declaredMarks(type: string, bag: Properties): Marks {
  const { secrets, hidden } = bag;
  if (type === "EnvVarSet" && isMap(secrets)) return Object.keys(secrets).map((name) => ["secrets", name]);
  return type === "EnvVar" && hidden !== false && bag["value"] !== undefined ? [["value"]] : [];
}

/** What the service shows; a secret there is worth a warning, which scenarios do not expect. */
const SHOWN: ReadonlySet<string> = new Set(["variables", "value", "secrets"]);

/** Who declares the inputs: nobody marks anything in YAML, a generated SDK marks a property of the schema as a whole. */
export type Style = "yaml" | "classes" | "generated";

/** The marks that inputs have when they come from a program. With the classes it makes secrets of other inputs, too. */
export function programMarks(type: string, bag: Properties, style: Style): Marks {
  if (style === "yaml") return [];
  const declared = declaredMarks(type, bag);
  if (style === "generated") return declared.slice(0, 1).map((path) => path.slice(0, 1));
  const own = Object.keys(bag).filter((name) => !SHOWN.has(name));
  return [...declared, ...own.map((name) => [name])];
}

/** Shorter values turn up in texts by chance. */
const TELLING_LENGTH = 8;

/** The secrets of one scenario: no answer may lose their mark, no text may hold one. */
export class SecretBook {
  readonly #values = new Set<string>();

  /** Remembers what is secret by declaration. */
  note(type: string, bag: Properties): void {
    for (const [root = "", name] of declaredMarks(type, bag)) {
      const holder = bag[root];
      const value = name === undefined ? holder : isMap(holder) ? holder[name] : undefined;
      if (typeof value === "string" && value.length >= TELLING_LENGTH && !value.startsWith("previewenv:unknown:"))
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
    const wanted = [...declaredMarks(type, bag), ...sources.flatMap((source) => source.marks)];
    for (const path of leaves(bag)) {
      const name = path.join(".");
      if (isMarked(wanted, path) && !isMarked(marks, path)) throw new Error(`${type}: ${name} came back in clear`);
      if (!isMarked(wanted, path) && isMarked(marks, path)) throw new Error(`${type}: ${name} came back as a secret`);
    }
  }
}
