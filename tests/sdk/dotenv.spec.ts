import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { variablesFromDotenv } from "../../sdk/nodejs";
import { endStage, startStage } from "./stage";

describe("variablesFromDotenv", () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-dotenv-"))));
  afterEach(() => endStage());
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("makes every entry secret unless it is told which are, and expands no reference", () => {
    expect(variablesFromDotenv({ text: "A=1\nB=${A}" })).to.deep.equal({
      variables: {},
      secrets: { A: "1", B: "${A}" },
    });
  });

  it("makes those secret that a glob matches, and the others readable: each name is in one of the two", () => {
    const text = "A_TOKEN=1\nB_TOKEN=2\nDATABASE_URL=3\nPORT=4";
    const split = (secrets: string | readonly string[]): readonly (readonly string[])[] => {
      const found = variablesFromDotenv({ text }, { secrets });
      return [Object.keys(found.secrets), Object.keys(found.variables)];
    };

    expect(split("*_TOKEN")).to.deep.equal([
      ["A_TOKEN", "B_TOKEN"],
      ["DATABASE_URL", "PORT"],
    ]);
    expect(split(["A_*", "DATABASE_URL"])).to.deep.equal([
      ["A_TOKEN", "DATABASE_URL"],
      ["B_TOKEN", "PORT"],
    ]);
    expect(split([])).to.deep.equal([[], ["A_TOKEN", "B_TOKEN", "DATABASE_URL", "PORT"]]);
  });

  it("warns of each name in the option without an entry, because the entry that it means is not hidden then", async () => {
    const stage = await startStage();
    variablesFromDotenv({ text: "STRIPE_KEY=tiger\nA_TOKEN=1" }, { secrets: ["*_TOKEN", "Stripe_Key", "*PASSWORD*"] });
    variablesFromDotenv({ text: "STRIPE_KEY=tiger" }, { secrets: "STRIPE_KEY" });
    variablesFromDotenv({ text: "STRIPE_KEY=tiger" }, { secrets: [] });
    expect(stage.logged).to.deep.equal([
      'variablesFromDotenv: the text: there is no entry "Stripe_Key", which `secrets` names. An entry that nothing in `secrets` matches is ' +
        "visible in the dashboard.",
    ]);
  });

  it("reads a file by its path, also from the working directory, and leaves process.env alone", () => {
    const [plain, odd] = [join(folder, "plain.env"), join(folder, "shop=1.env")];
    for (const file of [plain, odd]) writeFileSync(file, "PREVIEWENV_DOTENV_SPEC=1\r\nB=2\r\n");
    const working = process.cwd();
    process.chdir(folder);
    try {
      for (const source of [plain, { path: odd }, "plain.env", "./plain.env"])
        expect(variablesFromDotenv(source).secrets).to.deep.equal({ PREVIEWENV_DOTENV_SPEC: "1", B: "2" });
    } finally {
      process.chdir(working);
    }
    expect(process.env["PREVIEWENV_DOTENV_SPEC"]).to.equal(undefined);
  });

  it("reads UTF-8 with and without a byte order mark, and UTF-16 with one, as PowerShell writes it", () => {
    const text = "GREETING=grüße\r\nTOKEN=tiger-4711\r\n";
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), utf16, Buffer.from(utf16).swap16()]) {
      writeFileSync(join(folder, "encoded.env"), bytes);
      expect(variablesFromDotenv(join(folder, "encoded.env")).secrets).to.deep.equal({
        GREETING: "grüße",
        TOKEN: "tiger-4711",
      });
    }
  });

  it("refuses bytes of another encoding, and says how to save the file", () => {
    const encoded = join(folder, "encoded.env");
    const text = "TOKEN=tiger-é";
    for (const bytes of [Buffer.from(text, "latin1"), Buffer.from(text, "utf16le")]) {
      writeFileSync(encoded, bytes);
      expect(() => variablesFromDotenv(encoded))
        .to.throw(pulumi.RunError, encoded)
        .with.property("message")
        .that.matches(/Save (?:it|the file) as UTF-8\.$/u)
        .and.does.not.include("tiger");
    }
  });

  it("refuses a text that it does not understand, with the file, the number of the line, and nothing of its text", () => {
    const unclosed = join(folder, "unclosed.env");
    writeFileSync(unclosed, 'A=1\nTOKEN="tiger-4711\nB=2\n');
    for (const [source, where] of [
      [unclosed, unclosed],
      [{ text: 'A=1\nTOKEN="tiger-4711\nB=2\n' }, "the text"],
    ] as const)
      expect(() => variablesFromDotenv(source, { secrets: [] }))
        .to.throw(pulumi.RunError, `variablesFromDotenv: ${where}: line 2 has a quote that is not closed`)
        .with.property("message")
        .that.does.not.include("tiger");
  });

  it("names the file that it cannot read, in full", () => {
    expect(() => variablesFromDotenv({ path: "nowhere/.env" })).to.throw(
      pulumi.RunError,
      `cannot read ${join(process.cwd(), "nowhere", ".env")} (ENOENT)`,
    );
    expect(() => variablesFromDotenv(folder)).to.throw(pulumi.RunError, `cannot read ${folder} (EISDIR)`);
  });

  const text = { text: "A=1" };
  const refused: readonly (readonly [args: readonly unknown[], text: RegExp])[] = [
    [[text, { secrets: ["A", "!B"] }], /^variablesFromDotenv: "!B" cannot begin with `!`/u],
    [[text, { secrets: "{A,B" }], /^variablesFromDotenv: "\{A,B" has a `\{` without a `\}`/u],
    ...["", ["A", ""]].map((secrets) => [[text, { secrets }], /^variablesFromDotenv: "" must not be empty/u] as const),
    [
      [text, { secrets: ["Calling [toString] on an [Output<T>] is not supported."] }],
      /holds a description of an Output/u,
    ],
    ...[null, [undefined], [["A"]], [pulumi.output("A")], 1].map(
      (secrets) => [[text, { secrets }], /`secrets` must be a glob, or a list of globs/u] as const,
    ),
    [[text, { secret: ["A"] }], /there is no property "secret"/u],
    [[""], /the path is an empty text/u],
    // It looks like the text of a file.
    ...["API_TOKEN=tiger-4711", "tiger-4711\ntiger-4711"].map((given) => [[given], /Pass `\{ text \}`/u] as const),
    ...[undefined, null, 1, {}, { text: 1 }, { path: "shop.env", text: "" }, pulumi.output("shop.env")].map(
      (given) =>
        [
          [given],
          /`\{ text: config\.require\("name"\) \}`.+`secrets: config\.requireSecret\(\.\.\.\)\.apply\(\(text\) => variablesFromDotenv\(\{ text \}\)\.secrets\)`/u,
        ] as const,
    ),
  ];
  it("refuses what cannot be meant, says what may be passed, and shows nothing of it", () => {
    for (const [args, message] of refused)
      expect(() => Reflect.apply(variablesFromDotenv, undefined, args))
        .to.throw(pulumi.RunError, message)
        .with.property("message")
        .that.does.not.include("tiger");
  });
});
