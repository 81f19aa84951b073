import { expect } from "chai";
import { parse } from "dotenv";
import * as fc from "fast-check";
import { readDotenv } from "../../provider/src/functions/dotenv-text";
import { variablesFromDotenv } from "../../provider/src/functions/variables-from-dotenv";
import { failureOf, startService } from "./service";

/** What is refused, and what the error says before anything else. No text of it may be shown, such as `tiger`. */
const REFUSED: readonly (readonly [what: string, text: string, problem: string])[] = [
  ["a text without anything", "", "there is no entry in it"],
  ["comments alone", "# TOKEN=tiger\n\n  # more\n", "there is no entry in it"],
  ["a JSON object", '{\n  "TOKEN": "tiger"\n}', "this is JSON"],
  ["a JSON list", '["tiger"]', "this is JSON"],
  ["a name without a value", "A=1\nTOKEN tiger\n", "line 2 is no entry"],
  ["a name with other letters", "TÖKEN=tiger", "line 1 is no entry"],
  ["a line of a shell script", "A=1\n\n# all\nset -a", "line 4 is no entry"],
  ["the next line of a value without quotes", "KEY=-----BEGIN KEY-----\ntiger+tiger/\n", "line 2 is no entry"],
  ["a value in the line after the name", 'A=\n"tiger"', "line 2 is no entry"],
  ["a YAML map", "shop:\n  TOKEN: tiger", "line 1 is no entry"],
  ["the name that no map can have", "__proto__=tiger", "line 1 is no entry"],
  ["an encrypted file", "$ANSIBLE_VAULT;1.1;AES256\n3132", "line 1 is no entry"],
  [
    "UTF-16 that was read as UTF-8",
    "T\0=\0t\0i\0g\0e\0r\0",
    "line 1 has a character that stands for what cannot be read",
  ],
  ["bytes that were no UTF-8", "A=1\nTOKEN=tiger\uFFFD", "line 2 has a character that stands for what cannot be read"],
  ["a quote that is not closed", 'A=1\r\nTOKEN="tiger\r\nB=2', "line 2 has a quote that is not closed"],
  ["a quote that closes in the next entry", "TOKEN='tiger\nB='2'", "line 1 has a quote that is not closed"],
  ["text after a quote", 'TOKEN="tiger"s', "line 1 has a quote that is not closed, or text after it"],
  ["a quote that a # cuts off", 'TOKEN="tiger # and"more', "line 1 has a quote that is not closed"],
  [
    "a value that swallows the next entry",
    'A=1\nLOG="debug\nTOKEN=tiger\nSIZE=5"\nB=2',
    "line 2 begins a value whose quote closes in line 4, and line 3 looks like another entry",
  ],
  ["a line break as SOPS prints it", "A=1\nTOKEN=tiger\\ntiger", "line 2 has `\\n` or `\\r` in a value without quotes"],
];

describe("the text of a .env file", () => {
  for (const [what, text, problem] of REFUSED)
    it(`is refused: ${what}`, () => {
      const found = readDotenv(text).problem;
      expect(found?.startsWith(problem), found).to.equal(true);
      expect(found).not.to.match(/tiger|3132/u);
    });

  it("may have what dotenv's syntax has", () => {
    const { entries, problem, warnings } = readDotenv(
      [
        "\uFEFF# the shop",
        "A = plain # comment",
        'export B="a # b\\nc" # comment',
        "C='a\\nb'",
        "D: yaml",
        "E=it's",
        "F='it's'",
        'G="-----BEGIN KEY-----',
        "MIIBOgIBAAJBAK==",
        '-----END KEY-----"',
        "H=`a",
        "b`",
        "I=",
        "A=last",
      ].join("\r\n"),
    );
    expect(problem).to.equal(undefined);
    expect(warnings).to.deep.equal([]);
    expect(Object.fromEntries(entries)).to.deep.equal({
      A: "last",
      B: "a # b\nc",
      C: "a\\nb",
      D: "yaml",
      E: "it's",
      F: "it's",
      G: "-----BEGIN KEY-----\nMIIBOgIBAAJBAK==\n-----END KEY-----",
      H: "a\nb",
      I: "",
    });
  });

  it("is read as dotenv reads it, if it is not refused", () => {
    const part = fc.constantFrom(
      "A",
      "b",
      "=",
      ": ",
      "'",
      '"',
      "`",
      "#",
      " ",
      "\n",
      "\r\n",
      "\\",
      "\\n",
      "export ",

      "B=1",
    );
    const texts = fc.array(part, { maxLength: 24 }).map((parts) => `A=1\n${parts.join("")}`);
    fc.assert(
      fc.property(texts, (text) => {
        const { entries, problem } = readDotenv(text);
        if (problem === undefined) expect(Object.fromEntries(entries)).to.deep.equal(parse(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("warns of a # that cuts a value, by line and name, and not of a comment", () => {
    const { warnings } = readDotenv("A=1\nCOLOR=#tiger\nPASSWORD=tiger#tiger\nB=1 # comment\nC='#'#comment");
    expect(warnings.map((text) => text.split(" ends ")[0])).to.deep.equal([
      "line 2: the value of COLOR",
      "line 3: the value of PASSWORD",
    ]);
    expect(warnings.join("")).not.to.include("tiger");
  });

  it("warns of escapes whose backslash stays, by line and name", () => {
    const kept = [
      String.raw`A="{\"tiger\":1}"`,
      String.raw`B="pa\$\$tiger" # comment`,
      String.raw`C="a\\b"`,
      'D="a\\`b"',
      String.raw`E="a\\nb"`,
      'F="a \\\nb"',
      String.raw`G='it\'s'`,
      "H=`a\\`b`",
    ];
    const { entries, warnings } = readDotenv(kept.join("\n"));
    expect([...entries.values()].every((value) => value.includes("\\"))).to.equal(true);
    expect(warnings.map((text) => text.split(" keeps ")[0])).to.deep.equal([
      "line 1: the value of A",
      "line 2: the value of B",
      "line 3: the value of C",
      "line 4: the value of D",
      "line 5: the value of E",
      "line 6: the value of F",
      "line 8: the value of G",
      "line 9: the value of H",
    ]);
    expect(warnings.join("")).not.to.include("tiger");
    const plain = [
      String.raw`A='{"a":"\"\\"}'`,
      String.raw`B="C:\dir\"`,
      String.raw`C="a" # \" \$`,
      String.raw`D=pa\$word`,
      String.raw`E="a\nb\d"`,
      String.raw`F='"\"\$'`,
    ];
    expect(readDotenv(plain.join("\n")).warnings).to.deep.equal([]);
  });

  it("warns of what dotenvx and SOPS have encrypted, and of references to secrets", () => {
    const { warnings } = readDotenv(
      [
        "A=1",
        "VAULT_ADDR=vault:8200",
        "VAULT_URL=vault:8200/v1",
        "IMAGE=vault:latest",
        "VERSION=vault:v1.15",
        "PORT=vault:http",
        "OP_NAME=op",
        "T=encrypted:tiger",
        "U=ENC[AES256_GCM,data:tiger,type:str]",
        "V=op://tiger/item/field",
        'W="{{ op://tiger/item/field }}"',
        "X=ref+vault://tiger",
        'Y="vault:secret/data/tiger#KEY"',
        "Z='>>vault:secret/data/tiger#KEY'",
      ].join("\n"),
    );
    expect(warnings).to.deep.equal([
      "the values of T, U, V, W, X, Y, Z are encrypted or references to secrets, and the service gets them as they are. Put the secrets into " +
        "the file first (`dotenvx decrypt`, `sops decrypt`, `op inject`)",
    ]);
  });

  it("is an argument of the function in other languages: refused, or read with warnings in the engine's log", async () => {
    await using service = await startService();
    const warned: string[] = [];
    const context = {
      ...service.context,
      log: { ...service.context.log, warn: (text: string) => void warned.push(text) },
    };

    expect(await failureOf(variablesFromDotenv.invoke(context, { text: "A=1\nTOKEN tiger" }))).to.equal(
      "variablesFromDotenv: the text of the file: line 2 is no entry (`NAME=value`), no comment and not blank.",
    );
    expect(await variablesFromDotenv.invoke(context, { text: "A=1#2" })).to.deep.equal({ variables: { A: "1" } });
    expect(warned.map((text) => text.split(" ends ")[0])).to.deep.equal([
      "variablesFromDotenv: line 1: the value of A",
    ]);
  });
});
