/** One option of a command: `--help` and docs/command-line.md show it. */
export interface Option {
  /** The word for its value in texts, such as `file`. A switch has none. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly default?: string;
  /** Its effect: whole sentences in Markdown. A default and a repetition are added. */
  readonly text: string;
  /** The heading above it. Default: "Options". */
  readonly group?: string;
}

/** Everything that a command says about itself. */
export interface Usage<Options extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** The one argument beside the options, which may be left out. */
  readonly argument?: { readonly name: string; readonly text: string };
  /** By their names in camelCase: `ignoreFile` is `--ignore-file`. */
  readonly options: Options;
  /** Paragraphs below the options. */
  readonly notes: readonly string[];
  readonly exitCodes: readonly (readonly [code: number, text: string])[];
}

/** The values of these options on a command line: a text, texts, or whether a switch is there. */
export type Values<Options> = {
  readonly [Name in keyof Options]:
    | ValueOf<Options[Name]>
    | (Options[Name] extends { readonly default: string } ? never : undefined);
};

type ValueOf<Declared> = Declared extends { readonly value: string }
  ? Declared extends { readonly multiple: true }
    ? readonly string[]
    : string
  : boolean;

/** An option as somebody writes it: `--ignore-file <file>`. */
export function formOf(name: string, { value }: Option): string {
  const flag = `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? flag : `${flag} <${value}>`;
}

/** The effect of an option, and whether it may be repeated. */
export function sentencesOf({ text, multiple = false }: Option): string {
  return multiple ? `${text} May be repeated.` : text;
}
