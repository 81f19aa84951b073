import { expect } from "chai";
import * as fc from "fast-check";
import { SentValues } from "../../provider/src/client/redact";

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
    ["a value of many lines that was put on one", "key AAAA BBBB bad", ["AAAA\nBBBB"], "key [secret] bad"],
    ["the beginning of a value that was cut", 'bad: "supersecretva..."', ["supersecretvalue"], 'bad: "[secret]..."'],
    ["the end of a value that was cut", "…etvalue-123 bad", ["supersecretvalue-123"], "…[secret] bad"],
    ["nothing for an empty value", "name is missing", [""], "name is missing"],
    ["text with characters of patterns", "price $& (1)", ["$& (1)"], "price [secret]"],
    ["values that are no well-formed text", "a\ud800bcd", ["a\ud800bcd"], "[secret]"],
    ["a value as it is escaped in HTML", "<b>a&lt;b &amp;&#39;c&#x22;</b>", [`a<b &'c"`], "<b>[secret]</b>"],
    [
      "a value in which every character is escaped",
      String.raw`\u0068\x75\u{6e}ter2 &#104;unter2`,
      ["hunter2"],
      "[secret] [secret]",
    ],
    [
      "a value that is escaped twice",
      String.raw`a%252Fb, "a&amp;lt;b", "x\\\"yz1"`,
      ["a/b.", "a<b.", 'x"yz1'],
      'a%252Fb, "a&amp;lt;b", "[secret]"',
    ],
    [
      "a value that looks escaped",
      String.raw`at C:\new\table%20, C:\\new\\table%20`,
      [String.raw`C:\new\table%20`],
      "at [secret], [secret]",
    ],
    [
      "a value within a text in base64",
      `header:${btoa("user:hunter2-long")}`,
      ["hunter2-long"],
      "header:dXNlcj[secret]=",
    ],
    [
      "the end of a value in base64 that was cut",
      `…${btoa("a-hunter2-longer-1").slice(3)}`,
      ["a-hunter2-longer-1"],
      "…o[secret]",
    ],
    [
      "a value that is not ASCII, in every form",
      `Grüße-42 gr%C3%BC%C3%9Fe-42 ${Buffer.from("grüße-42").toString("base64")}`,
      ["grüße-42"],
      "[secret] [secret] [secret]==",
    ],
    [
      "a value as forms encode it, with its own plus",
      "PHRASE=zed+lima%2Bkilo++%0Aecho, zed%2Blima%252Bkilo%2B%2Becho",
      ["zed lima+kilo  echo"],
      "PHRASE=[secret], [secret]",
    ],
    ["a value that has a plus itself", 'got "+a+" and +hunter2+', ["+a+", "+hunter2+"], 'got "[secret]" and [secret]'],
    [
      "a value in octal digits, and as Python writes it",
      String.raw`gr\303\274\303\237e-4 key-\U0001f511-9 \u00f6beef1234`,
      ["grüße-4", "key-🔑-9", "öbeef1234"],
      "[secret] [secret] [secret]",
    ],
    [
      "a value in hex with separators",
      "at 68:75:6e:74:65:72:32, 68 75 6E 74 65 72 32, 68-75-6e-74-65-72-32",
      ["hunter2"],
      "at [secret], [secret], [secret]",
    ],
    [
      "a value in groups of hex",
      "at 6875 6e74 6572 32; 68756e74-657232; 68,75,6e,74,65,72,32; 0x68, 0x75, 0x6e, 0x74, 0x65, 0x72, 0x32",
      ["hunter2"],
      "at [secret]; [secret]; [secret]; [secret]",
    ],
    [
      "a value in capital letters that are more",
      "no STRASSE12, GR\u00DCSSE34",
      ["Straße12", "grüße34"],
      "no [secret], [secret]",
    ],
    [
      "a value beside what only looks like hex",
      "12:34:56:78 ab%2Fcd, K=ab%2Fcd",
      ["ab/cd"],
      "12:34:56:78 [secret], K=[secret]",
    ],
    ["a value in quoted-printable", "K=3Dgr=C3=BC=C3=\r\n=9Fe-4", ["=grüße-4"], "K[secret]"],
    ["a value whose quotes are doubled", `'it''s zed', "it""s"`, ["it's zed", 'it"s'], `'[secret]', "[secret]"`],
    [
      "no word whose letters are no number of the value",
      "environment-variables are not accepted0000",
      ["hunter2-long"],
      "environment-variables are not accepted0000",
    ],
  ];
  for (const [what, text, values, expected] of cases) {
    it(`replaces ${what}`, () => expect(new SentValues("the-api-token").redactorFor(values)(text)).to.equal(expected));
  }

  it("leaves no value in a text, however a service has written it", () => {
    const forms: readonly ((value: string) => string)[] = [
      (value) => value,
      (value) => value.toUpperCase(),
      (value) => JSON.stringify(value),
      encodeURIComponent,
      (value) => value.replaceAll(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`),
      (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
      (value) => Buffer.from(value).toString("base64"),
      (value) => Buffer.from(value).toString("base64url"),
      (value) => Buffer.from(value).toString("hex"),
      (value) => new URLSearchParams({ "": value }).toString().slice(1),
      (value) =>
        Buffer.from(value)
          .toString("hex")
          .replaceAll(/..(?!$)/gu, "$&:"),
      (value) => value.replaceAll("'", "''"),
    ];
    const value = fc
      .string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 })
      .map((text) => text.replaceAll(/[\s\\]/gu, "_"));
    fc.assert(
      fc.property(value, fc.constantFrom(...forms), fc.constantFrom("", " at ", ": ", '"'), (secret, write, around) => {
        const shown = new SentValues("the-api-token").redactorFor([secret])(around + write(secret) + around);
        expect(
          shown
            .replaceAll(/[=":\\]/gu, "")
            .replaceAll("at", "")
            .trim(),
        ).to.equal("[secret]");
      }),
    );
  });
});

describe("client/redact: values in another form of Unicode", () => {
  const value = "ﬁ-grüße-각-x";
  const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;
  const writes: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    (text) => Buffer.from(text).toString("hex"),
  ];
  for (const write of writes)
    it(`replaces them: ${write("ü")}`, () => {
      const hide = new SentValues("the-api-token").redactorFor([value.normalize("NFD")]);
      for (const form of forms) expect(hide(`K ${write(value.normalize(form))}`), form).to.equal("K [secret]");
      const hideComposed = new SentValues("the-api-token").redactorFor([value.normalize("NFC")]);
      for (const form of forms) expect(hideComposed(`K ${write(value.normalize(form))}`), form).to.equal("K [secret]");
    });
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
