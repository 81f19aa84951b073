/** A piece of a line that looks the same from its first to its last character. */
export interface Piece {
  readonly text: string;
  /** Number of the terminal's colour; `undefined`: that of plain text. */
  readonly color?: number | undefined;
  readonly isBold: boolean;
}

type Style = Omit<Piece, "text">;

const PLAIN: Style = { isBold: false };
const ESCAPE = "\u001B";
const CODE = new RegExp(`${ESCAPE}\\[([\\d;]*)m`, "u");

/** The lines of what a program prints to a terminal, in pieces. @throws Error for a code that is not drawn */
export function readAnsi(printed: string): readonly (readonly Piece[])[] {
  let style = PLAIN;
  return printed.split("\n").map((line) =>
    line.split(CODE).flatMap((part, at) => {
      // Every second part is what the code says.
      if (at % 2 === 1) {
        style = styleAfter(style, part);
        return [];
      }
      return part === "" ? [] : [{ text: part, ...style }];
    }),
  );
}

function styleAfter(style: Style, code: string): Style {
  const color = /^38;5;(\d+)$/u.exec(code)?.[1];
  if (color !== undefined) return { ...style, color: Number(color) };
  switch (code) {
    case "0":
      return PLAIN;
    case "1":
      return { ...style, isBold: true };
    case "22":
      return { ...style, isBold: false };
    default:
      throw new Error(`the picture cannot show the code ${JSON.stringify(code)} of a terminal`);
  }
}
