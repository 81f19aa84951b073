import { expect } from "chai";
import { redactor } from "../../provider/src/client/redact";

describe("client/redact", () => {
  const cases: readonly [string, string, string[], string][] = [
    ["every occurrence", "hunter2 and hunter2", ["hunter2"], "[secret] and [secret]"],
    ["the longer of two values that overlap", "abcd-efgh", ["abcd", "abcd-efgh"], "[secret]"],
    ["a short value that is quoted", 'FLAG "on" is not on', ["on"], 'FLAG "[secret]" is not on'],
    ["a short value in typographic quotes", "value ‘7’", ["7"], "value ‘[secret]’"],
    ["no short value that is not quoted", "value is not on", ["on"], "value is not on"],
    ["no short value at the end beside longer ones", "value is not on", ["on", "12345"], "value is not on"],
    ["a value as it is escaped in JSON", 'got "a\\"bcd\\n1"', ['a"bcd\n1'], 'got "[secret]"'],
    ["a percent-encoded value", "url a%2Fb%20c", ["a/b c"], "url [secret]"],
    ["a value of many lines that was put on one", "key AAAA BBBB bad", ["AAAA\nBBBB"], "key [secret] bad"],
    ["the beginning of a value that was cut", 'bad: "supersecretva..."', ["supersecretvalue"], 'bad: "[secret]..."'],
    ["the end of a value that was cut", "…etvalue-123 bad", ["supersecretvalue-123"], "…[secret] bad"],
    ["nothing for an empty value", "name is missing", [""], "name is missing"],
    ["text with characters of patterns", "price $& (1)", ["$& (1)"], "price [secret]"],
    ["values that are no well-formed text", "a\ud800bcd", ["a\ud800bcd"], "[secret]"],
  ];
  for (const [what, text, values, expected] of cases) {
    it(`replaces ${what}`, () => expect(redactor(values)(text)).to.equal(expected));
  }
});
