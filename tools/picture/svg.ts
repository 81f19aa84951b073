import { type Piece, readAnsi } from "./ansi";

const FONT = 14;
/** Of every monospaced font in use: `textLength` brings others to it. */
const CHARACTER = 8.4;
const LINE = 20;
const MARGIN = 20;

const BACKGROUND = "#1b1f24";
const PLAIN = "#d0d7de";
/** The colours that the Pulumi CLI uses, by their numbers. */
const COLORS: ReadonlyMap<number, string> = new Map([
  [1, "#ff7b72"],
  [2, "#56d364"],
  [3, "#e3b341"],
  [13, "#d2a8ff"],
]);

/** A picture of what a program prints to a terminal, as text that can be selected and searched. */
export function drawTerminal(printed: string, title: string): string {
  const lines = readAnsi(printed.trimEnd());
  const columns = Math.max(...lines.map(lengthOf));
  const [width, height] = [Math.ceil(columns * CHARACTER) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const drawn = lines.flatMap((line, at) => (lengthOf(line) === 0 ? [] : [drawLine(line, MARGIN + at * LINE + FONT)]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ` +
      `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT}" fill="${PLAIN}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function drawLine(line: readonly Piece[], y: number): string {
  const length = (lengthOf(line) * CHARACTER).toFixed(1);
  return `<text x="${MARGIN}" y="${y}" textLength="${length}" xml:space="preserve">${line.map(drawPiece).join("")}</text>`;
}

function drawPiece({ text, color, isBold }: Piece): string {
  if (color === undefined && !isBold) return escaped(text);
  const weight = isBold ? ` font-weight="bold"` : "";
  return `<tspan${color === undefined ? "" : ` fill="${colorOf(color)}"`}${weight}>${escaped(text)}</tspan>`;
}

function colorOf(number: number): string {
  const color = COLORS.get(number);
  if (color === undefined) throw new Error(`the picture has no colour ${number}`);
  return color;
}

function lengthOf(line: readonly Piece[]): number {
  return line.reduce((sum, { text }) => sum + text.length, 0);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
