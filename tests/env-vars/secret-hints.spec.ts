import { expect } from "chai";
import { EXISTING } from "../../provider/src/framework/existing-text";
import { placeholder } from "../../provider/src/env-vars/placeholder";
import { secretHints } from "../../provider/src/env-vars/secret-hints";
import { UNKNOWN } from "../../provider/src/framework/properties";
import { findResource } from "../../provider/src/resources";

describe("the warning of plain texts that read like secrets", () => {
  const ofSet = (
    variables: unknown,
    marked: readonly (readonly string[])[] = [],
    notSecretNames: readonly string[] = [],
  ) => secretHints('EnvVarSet "vars"', findResource("EnvVarSet"), { variables }, marked, notSecretNames).join("\n");
  const ofOne = (inputs: object) =>
    secretHints('EnvVar "one"', findResource("EnvVar"), { ...inputs }, [], []).join("\n");

  it("names variables, no values, and says what to write instead", () => {
    const text = ofSet({
      STRIPE_API_KEY: "sk_live_tiger",
      DATABASE: "postgres://shop:tiger@db.example/shop",
      LOG_LEVEL: "debug",
      db_password: "tiger",
    });
    expect(text).to.equal(
      'EnvVarSet "vars": variables.DATABASE, variables.STRIPE_API_KEY, variables.db_password read like secrets, and are plain ' +
        "text: the program, diffs and the service's dashboard show them. To hide them, use `secrets`, with a Pulumi secret, in TypeScript " +
        "from `config.requireSecret(...)`. If they were deployed, replace them, too: the next diff and earlier states still show them. For a value that is no secret, name the variable in a setting: " +
        '`pulumi config set --plaintext previewenv:secretHints "SORT_KEY,CACHE_*"` (`false`: no such warnings). ' +
        "Outside TypeScript, an explicit `Provider` does not read stack config.",
    );
  });

  it("knows names of one word, names that end in a word for a password, and private keys", () => {
    for (const name of [
      ..."PASSWORD passwd PASS TOKEN SECRET KEY APIKEY StripeApiKey".split(" "),
      ..."DB_PASS DBPASSWORD spring.datasource.password api-key".split(" "),
    ])
      expect(ofSet({ [name]: "tiger" }), name).to.contain(`variables.${name} reads like a secret`);
    for (const name of ["REPUBLIC_DB_PASSWORD", "REPUBLIC_KEY"])
      expect(ofSet({ [name]: "tiger" }), name).to.contain(`variables.${name} reads like a secret`);
    const names = "COMPASS BYPASS PASS_THROUGH PASSWORD_MIN_LENGTH MONKEY TOKENS PASSAGE".split(" ");
    expect(ofSet(Object.fromEntries(names.map((name) => [name, "tiger"])))).to.equal("");

    const pem = (kind: string): string => `-----BEGIN ${kind}-----\nMII`;
    for (const value of [pem("PRIVATE KEY"), pem("RSA PRIVATE KEY"), `\n${pem("PGP PRIVATE KEY BLOCK")}`])
      expect(ofSet({ A: value }), value).to.contain("variables.A reads like a secret");
    for (const value of [pem("CERTIFICATE"), pem("PUBLIC KEY"), `write ${pem("PRIVATE KEY")}`])
      expect(ofSet({ A: value }), value).to.equal("");
  });

  it("knows a URL with a password, also one of JDBC, whatever the name", () => {
    for (const value of ["postgres://u:tiger@h/db", "jdbc:postgresql://u:tiger@h/db", "jdbc:mysql:aws://u:tiger@h/db"])
      expect(ofSet({ A: value }), value).to.contain("variables.A reads like a secret");
    for (const value of ["jdbc:postgresql://h:5432/db", "jdbc:h2:mem:a", "see: https://u:tiger@h/db"])
      expect(ofSet({ A: value }), value).to.equal("");
  });

  it("is not given for public names, markers, empty and unknown texts, and names that only begin so", () => {
    const text = ofSet({
      STRIPE_PUBLISHABLE_KEY: "pk_live_1",
      NEXT_PUBLIC_API_KEY: "tiger",
      "app.public.key": "tiger",
      publicKey: "tiger",
      REQUIRE_TOKEN: "true",
      USE_PASS: "No",
      MAX_KEY: "42",
      SESSION_KEY: EXISTING,
      HIDDEN_KEY: placeholder("2026-01-01T00:00:00", "x"),
      LATER_KEY: UNKNOWN,
      EMPTY_TOKEN: "",
      API_KEY_HEADER: "x-api-key",
      MONKEY: "ape",
      HOMEPAGE: "https://shop.example/@team:blue",
    });
    expect(text).to.equal("");
    expect(ofSet(UNKNOWN)).to.equal("");
  });

  it("is not given for Pulumi secrets, and for names that the setting has", () => {
    const variables = { A_KEY: "tiger", B_KEY: "lion" };
    expect(ofSet(variables, [["variables", "A_KEY"]]))
      .to.contain("variables.B_KEY reads")
      .and.not.contain("A_KEY");
    expect(ofSet(variables, [["variables"]])).to.equal("");
    expect(ofSet(variables, [], ["A_*"]))
      .to.contain("variables.B_KEY reads")
      .and.not.contain("A_KEY");
    expect(ofSet(variables, [], ["*"])).to.equal("");
  });

  it("is given for an EnvVar only when the service shows it", () => {
    expect(ofOne({ name: "API_TOKEN", value: "tiger", hidden: false }))
      .to.match(
        /^EnvVar "one": value reads like a secret, .+To hide it, leave out `hidden`, with .+ If it was deployed, replace it, too:/u,
      )
      .and.not.contain("tiger");
    for (const hidden of [true, undefined, UNKNOWN])
      expect(ofOne({ name: "API_TOKEN", value: "tiger", hidden })).to.equal("");
  });
});
