import { expect } from "chai";
import { redactor, SentValues } from "../../provider/src/client/redact";

const MIB = 1024 * 1024;

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

describe("client/redact: sent values", () => {
  it("hides the token, values of the request, and hidden values sent before", () => {
    const sent = new SentValues("the-api-token");
    sent.remember(["earlier-value"]);
    const text = 'the-api-token, earlier-value, own-value-1, "x"';
    expect(sent.redactorFor(["own-value-1", "x"])(text)).to.equal('[secret], [secret], [secret], "[secret]"');
  });

  it("takes no short value of an earlier request for a secret: it would be an ordinary word", () => {
    const sent = new SentValues("the-api-token");
    sent.remember(["running"]);
    expect(sent.redactorFor([])('the environment is "running"')).to.equal('the environment is "running"');
    expect(sent.redactorFor(["running"])('the environment is "running"')).to.equal('the environment is "[secret]"');
  });

  it("shows no text any more once hidden values have more than a million characters", () => {
    const sent = new SentValues("the-api-token");
    const hide = sent.redactorFor([]);
    sent.remember(["the-first-value"]);
    expect(hide("it is not the-first-value")).to.equal("it is not [secret]");
    sent.remember([`large-1-${"x".repeat(MIB)}`]);
    expect(hide("it is not the-first-value")).to.equal("[secret]");
    expect(hide("")).to.equal("");
  });
});
