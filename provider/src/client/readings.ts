/** A text in another form, and for each of its characters where in the text that begins and ends. */
export interface Reading {
  readonly text: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/**
 * Ways to write a character: percent-encoding, HTML, backslashes as in JSON and in most languages. In `\U0001f511`, as Python writes it, eight
 * digits are one character: the first four alone would be a control character that no text has.
 */
const ESCAPES = new RegExp(
  [
    String.raw`(?:%[\da-f]{2})+`,
    String.raw`&#(?:\d{1,7}|x[\da-f]{1,6});?`,
    "&(?:amp|lt|gt|quot|apos|nbsp);",
    String.raw`\\u\{[\da-f]{1,6}\}`,
    String.raw`\\u000[1-3][\da-f]{4}`,
    String.raw`\\u[\da-f]{4}`,
    String.raw`\\x[\da-f]{2}`,
    String.raw`(?:\\[0-3][0-7]{2})+`,
    String.raw`\\[^\s]`,
  ].join("|"),
  "giu",
);
/**
 * What may be an escape, or just what it looks like: the space of a form, bytes in hexadecimal with a separator after each or after up to four,
 * quoted-printable, and the doubled quotes of SQL and CSV. Each is replaced in a reading of its own.
 */
const DOUBTFUL_ESCAPES: readonly RegExp[] = [
  /\+/gu,
  /(?:0x)?(?:[\da-f]{2}){1,4}(?:(?:[ :,-](?:0x)?|, 0x)(?:[\da-f]{2}){1,4})+/giu,
  /(?:=(?:[\da-f]{2}|\r?\n))+/giu,
  /(["'])\1/gu,
];
/** In hexadecimal, whatever stands between the digits, or before them. */
const BYTES_ESCAPE = /^[%=\da-f]/iu;
const OCTAL_ESCAPE = /^\\[0-3][0-7]{2}/u;
const HEXADECIMAL_ESCAPE = /^(?:&#x|\\u\{?|\\x)([\da-f]+)/iu;
const DECIMAL_ESCAPE = /^&#(\d+)/u;
const HEXADECIMAL = 16;
const OCTAL = 8;
const MAX_CODE_POINT = 0x10_ffff;
const NAMED: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&nbsp;", " "],
]);
/** Letters that stand for white space after a backslash. */
const WHITE_SPACE_LETTERS = "bfnrtv0";
/** So often a text may be escaped. */
const MAX_ROUNDS = 3;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** The parts that a message may write otherwise than the value: characters that nobody sees, white space, capital letters. */
const VARIABLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+|[\s\p{Cc}]+|\p{Lu}/gu;
const UNSEEN = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const CAPITAL = /^\p{Lu}/u;

/** The texts that may be a number of at least four bytes: of how many bits a digit is, and how many of them begin a byte in turn. */
const NUMBERS = [
  { encoding: "base64", bits: 6, starts: [0, 1, 2, 3], digits: /[\w+/-]{6,}/gu },
  { encoding: "hex", bits: 4, starts: [0, 1], digits: /[\da-f]{8,}/giu },
] as const;
const BITS_OF_BYTE = 8;
/** A service may store a text in another form of Unicode: with its accents composed or not. */
const UNICODE_FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

/**
 * The forms that a value is looked for as in {@link readingsOf} a text: as it is, without its own escapes, with a space for a plus, each in
 * capital letters, too, and in every form of Unicode, and each of these as bytes of UTF-8.
 */
export function formsOf(value: string): readonly string[] {
  let plain = value;
  for (let round = 0; round < MAX_ROUNDS; round++) plain = plain.replaceAll(ESCAPES, unescaped);
  // In capital letters, `ß` is two, which have small forms of their own.
  const written = new Set([value, plain, plain.replaceAll("+", " ")].flatMap((form) => [form, form.toUpperCase()]));
  const stored = new Set([...written].flatMap((form) => [form, ...UNICODE_FORMS.map((name) => form.normalize(name))]));
  const forms = new Set([...stored].flatMap((form) => [form, Buffer.from(form).toString("latin1")]));
  return [...new Set([...forms].map((form) => form.replaceAll(VARIABLE, withoutVariation).trim()))].filter(
    (form) => form !== "",
  );
}

/** The readings of a text: as it is, without escapes, without doubtful ones, and the bytes of what may be a number in base64 or hexadecimal. */
export function readingsOf(text: string): readonly Reading[] {
  const from = Array.from({ length: text.length }, (_, at) => at);
  const asItIs: Reading = { text, from, to: from.map((at) => at + 1) };
  let plain = asItIs;
  for (let round = 0; round < MAX_ROUNDS; round++) plain = replaced(plain, ESCAPES, unescaped);
  const shown = [
    asItIs,
    ...(plain.text === text ? [] : [plain]),
    ...DOUBTFUL_ESCAPES.filter((escapes) => plain.text.search(escapes) >= 0).map((escapes) =>
      replaced(plain, escapes, unescaped),
    ),
  ];
  // A break may stand for white space, or within a word.
  const joined = shown.filter((one) => one.text.search(BREAKS) >= 0).map((one) => replaced(one, BREAKS, () => ""));
  return [...shown, ...joined, ...NUMBERS.flatMap((kind) => numbersIn(plain, kind))].map((reading) =>
    replaced(reading, VARIABLE, withoutVariation),
  );
}

/** A reading with something else in the place of each match. */
function replaced({ text, from, to }: Reading, pattern: RegExp, replace: (match: string) => string): Reading {
  const made = { text: "", from: new Array<number>(), to: new Array<number>() };
  let copied = 0;
  const copy = (end: number): void => {
    made.text += text.slice(copied, end);
    for (let at = copied; at < end; at++) {
      made.from.push(from[at] ?? 0);
      made.to.push(to[at] ?? 0);
    }
  };
  for (const { 0: match, index } of text.matchAll(pattern)) {
    copy(index);
    copied = index + match.length;
    const replacement = replace(match);
    made.text += replacement;
    for (let count = 0; count < replacement.length; count++) {
      made.from.push(from[index] ?? 0);
      made.to.push(to[copied - 1] ?? 0);
    }
  }
  copy(text.length);
  return made;
}

/** The bytes of each number, from each digit on with which it may begin: other letters may stand before it. */
function numbersIn(
  { text, from, to }: Reading,
  { encoding, bits, starts, digits }: (typeof NUMBERS)[number],
): readonly Reading[] {
  return Array.from(text.matchAll(digits)).flatMap(({ 0: number, index }) =>
    starts.map((skipped) => {
      const bytes = Buffer.from(number.slice(skipped), encoding).toString("latin1");
      const digit = (bit: number): number => index + skipped + Math.floor(bit / bits);
      const places = Array.from({ length: bytes.length }, (_, at) => at * BITS_OF_BYTE);
      return {
        text: bytes,
        from: places.map((bit) => from[digit(bit)] ?? 0),
        to: places.map((bit) => to[digit(bit + BITS_OF_BYTE - 1)] ?? 0),
      };
    }),
  );
}

function unescaped(escape: string): string {
  if (escape === "+") return " ";
  if (BYTES_ESCAPE.test(escape)) return Buffer.from(escape.replaceAll(/0x|[^\da-f]/giu, ""), "hex").toString();
  if (OCTAL_ESCAPE.test(escape)) {
    const bytes = escape.split("\\").slice(1);
    return Buffer.from(bytes.map((digits) => Number.parseInt(digits, OCTAL))).toString();
  }
  const [, hexadecimal] = HEXADECIMAL_ESCAPE.exec(escape) ?? [];
  if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, HEXADECIMAL));
  const [, decimal] = DECIMAL_ESCAPE.exec(escape) ?? [];
  if (decimal !== undefined) return characterOf(Number(decimal));
  const after = escape.slice(1);
  return NAMED.get(escape.toLowerCase()) ?? (WHITE_SPACE_LETTERS.includes(after) ? " " : after);
}

function characterOf(codePoint: number): string {
  return codePoint > MAX_CODE_POINT ? "" : String.fromCodePoint(codePoint);
}

/** Nothing for what nobody sees, a letter in its small form, unless that is longer, and a space for white space. */
function withoutVariation(found: string): string {
  if (UNSEEN.test(found)) return "";
  if (!CAPITAL.test(found)) return " ";
  const small = found.toLowerCase();
  return small.length === found.length ? small : found;
}
