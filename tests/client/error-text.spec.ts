import { expect } from "chai";
import * as fc from "fast-check";
import { type Redact, SentValues } from "../../provider/src/client/redact";
import { readTitles } from "../../provider/src/client/answer";
import { displayable, displayableName, progressLine, refusalText } from "../../provider/src/client/error-text";
import { see } from "../../provider/src/client/troubleshooting";

const redactor = (values: readonly string[]): Redact => new SentValues("the-api-token").redactorFor(values);

describe("client/error-text", () => {
  for (const [description, status, titles, text] of [
    [
      "stop environment 1",
      404,
      ["Not here"],
      ': the service answered 404: "Not here". Check the id, and that the token belongs to the same organization.',
    ],
    ["stop environment 1", 400, [], ": the service answered 400."],
    [
      "list environments",
      401,
      ["Invalid token"],
      ': the service answered 401: "Invalid token". Check the token in PREVIEWENV_API_TOKEN or, in a program, in previewenv:apiToken or a `Provider`. ' +
        see("token"),
    ],
    ["list environments", 500, [], ": the service answered 500. The service failed: run the command again later."],
  ] as const)
    it(`says what was attempted, the status, the service's titles and what to do: ${status}`, () =>
      expect(refusalText(description, status, titles)).to.equal(`Could not ${description}${text}`));

  for (const [body, titles] of [
    ['{"errors": [{"status": 400, "title": "a"}, {"status": 400, "title": "b"}]}', ["a", "b"]],
    ['{"errors": ["a", 7, {"detail": "b"}, {"code": 1}]}', ["a", "b"]],
    ['{"errors": {"message": "a"}}', ["a"]],
    ['{"error": "a"}', ["a"]],
    ['{"error": {"message": "a"}}', ["a"]],
    ['{"message": "a"}', ["a"]],
    ['"a"', ["a"]],
    ...['{"ok": false}', "[]", "null", "<html>502 Bad Gateway</html>", ""].map((other) => [other, []] as const),
  ] as const)
    it(`reads titles from the documented error body and other usual ones, and from no other: ${body}`, () =>
      expect(readTitles(body, (text) => text)).to.deep.equal(titles));

  it("takes out what turns, hides or fakes a piece of a text, and caps its length", () => {
    const cases: readonly (readonly [string, string])[] = [
      ["\u009b31mred\u009b0m", "red"],
      ["\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007", "link"],
      ["\u001b[2J\u001b[1;1Herror: none\rok", "error: none ok"],
      ["one\nerror: two\u0085three\u2028four\u000bfive", "one error: two three four five"],
      ["a\u061cb\u2066c\u2069d\u202ee\u200bf\ufeffg\u00adh\u{e0041}i\u3164j", "abcdefghij"],
      ["half \ud800 of a character", "half \ufffd of a character"],
      ["é".repeat(5_000), `${"é".repeat(299)}…`],
    ];
    expect(cases.map(([text]) => displayable(text))).to.deep.equal(cases.map(([, shown]) => shown));
  });

  it("leaves nothing that a terminal acts upon, whatever a text or name holds", () => {
    const pieces = [
      "\u001b",
      "]8;;http://a\u0007",
      "[31m",
      "\u009b",
      "\u009d0;t\u009c",
      "P",
      "\\",
      "\r\n",
      "\ud83d",
      "x",
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })))
      .map((all) => all.join(""));
    const acts = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    fc.assert(
      fc.property(text, (one) => {
        expect(displayable(one)).not.to.match(acts);
        expect(displayableName(one)).not.to.match(acts);
      }),
    );
  });

  it("finds a value through characters that nobody sees", () => {
    for (const gap of ["\u200b", "\u0000", "\u001b[0m", "\n", "\u202e", "\u{e0041}"]) {
      const shown = displayable(`bad: hun${gap}ter2-${gap}longer`, redactor(["hunter2-longer"]));
      expect(shown, JSON.stringify(gap)).to.equal("bad: [secret]");
    }
  });

  it("tells names apart that Unicode takes for the same text", () => {
    const pieces = Array.from("e\u0301\u0323\u00e9\u1eb9\u212b\u1100\u1161\u11a8\uac00\u0915\u093c\u{1d15e}");
    const made = fc.array(fc.constantFrom(...pieces)).map((all) => all.join(""));
    // What two names look like is the same when one form of Unicode makes them equal.
    const look = (name: string): string => displayableName(name).normalize("NFC");
    fc.assert(
      fc.property(fc.oneof(made, fc.string({ unit: "binary" })), (name) => {
        for (const twin of [name.normalize("NFC"), name.normalize("NFD")])
          if (twin !== name) expect(look(name)).not.to.equal(look(twin));
      }),
    );
  });

  it("spells out in a name what a terminal acts upon or does not show", () => {
    const cases: readonly (readonly [string, string])[] = [
      ["FEATURE_ä-ü.日本 x/y", "FEATURE_ä-ü.日本 x/y"],
      ["A\u001b[31m", "A\\u{1b}[31m"],
      ["A\n\u009bB", "A\\u{a}\\u{9b}B"],
      ["A\u202eB\u200bC\u2028D\ud800", "A\\u{202e}B\\u{200b}C\\u{2028}D\\u{d800}"],
      ["A\u00a0B\u3000C\tD E", "A\\u{a0}B\\u{3000}C\\u{9}D E"],
      // A letter with its accent, the Ångström sign and the syllable of Hangul 한, each composed and not.
      ["e\u0301日", "e\\u{301}\\u{65e5}"],
      ["Å", "Å"],
      ["\u212b", "\\u{212b}"],
      ["한", "한"],
      ["한".normalize("NFD"), "\\u{1112}\\u{1161}\\u{11ab}"],
      // No composed form exists: this is how the letter is written.
      ["m\u0303", "m\u0303"],
      ["x".repeat(200), "x".repeat(200)],
      ["😀".repeat(201), `${"😀".repeat(199)}…`],
      ["x".repeat(100_000), `${"x".repeat(199)}…`],
    ];
    expect(cases.map(([name]) => displayableName(name))).to.deep.equal(cases.map(([, shown]) => shown));
  });

  it("cuts a line of progress where a usual terminal ends", () =>
    expect(progressLine(0, "x".repeat(100))).to.equal(`0 s: ${"x".repeat(74)}…`));

  it("shows no piece of a value that the cap would cut", () => {
    const value = "s3cr3t-".repeat(20);
    expect(displayable(`${"x ".repeat(130)}${value}`, redactor([value]))).not.to.include("s3cr3t");
    expect(displayable(`${"x ".repeat(240)}${value}${value}`, redactor([value]))).not.to.include("s3cr3t");
  });
});
