import type { VariableSeed } from "../../../provider/src/sandbox";

/** Names and values that a language, a path or the engine could take for something else. */
const ODD: readonly (readonly [name: string, value: string])[] = [
  ["with.dot", "a.b"],
  ["with/slash", "a/b"],
  ["with space", " leading and trailing "],
  ['quo"te', `it's "quoted" 'twice'`],
  ["123", "123"],
  ["1e3", "1e3"],
  ["yes", "no"],
  ["null", "null"],
  ["~", "~"],
  ["constructor", "toString"],
  ["__internal", "__proto__"],
  ["ÄÖ-東京", "Grüße, 東京, 👩‍👩‍👧, e\u0301, \u200F, \u2028"],
  ["%2F", "%s %2F"],
  ["*", "********"],
  ["${name}", "${NOT} $${EXPANDED} $$ $ $HOME `x` ${"],
  ["# name: x", "# value: x"],
  ["*/", "*/ // -->"],
  ["EMPTY", ""],
  ["LINES", "first\n second\n\nlast\n"],
  ["CRLF", "first\r\nsecond\r"],
  ["TABS", "\ta\tb\t"],
  ["CONTROL", "\u0000\u001B[31m\u007f\u0085\ufeff"],
  ["JSON", JSON.stringify({ nested: { list: [1, null, "\u00e9"] } })],
  ["KEY", `-----BEGIN KEY-----\n${"MIIEvQIBADANBg/+\n".repeat(20)}-----END KEY-----\n`],
  ["DATE", "2026-01-31"],
  ["LARGE", "0123456789abcdef".repeat(4096)],
  ["a\\b", "\\n \\u0041 \\"],
  ["a<<b", "<<"],
];
const SCOPES = [["web", "worker"], ["web", "worker"], ["web"], [], ["api"]] as const;
const ALL = 60;

/** 60 variables, as people make them in a dashboard over the years: every third hidden, four scopes. */
export const madeByHand: readonly VariableSeed[] = Array.from({ length: ALL }, (_unused, index) => {
  const [name, value] = ODD[index] ?? [`NAME_${index}`, `value number ${index}`];
  const services = SCOPES[index % SCOPES.length] ?? [];
  const hidden = index % 3 === 0;
  return { name, value: hidden ? `${value} hidden-0123456789` : value, hidden, services: [...services] };
});
