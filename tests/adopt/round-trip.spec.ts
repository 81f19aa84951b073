import { expect } from "chai";
import * as fc from "fast-check";
import type { EnvVar } from "../../provider/src/client/env-vars";
import type { Language } from "../../provider/src/adopt/usage";
import { EXISTING } from "../../provider/src/framework/existing-text";
import { isPlaceholder } from "../../provider/src/env-vars/placeholder";
import { SIGNATURE } from "../../provider/src/framework/properties";
import { configured, type Declared, readYaml, runTypeScript, takenOver } from "./support/program";
import { environment, hidden, ID, MASK, visible, written } from "./support/environments";

/** Few, and many variables in each: a program in TypeScript is compiled first. */
const RUNS = 30;
const READERS: Readonly<Record<Language, (program: string) => Declared>> = {
  typescript: runTypeScript,
  yaml: readYaml,
};
const LANGUAGES = ["typescript", "yaml"] as const;

/** Texts that a language, a library or a person could take for something else. */
const ODD = [
  ..."|a b|a.b|a/b|123|1e3|0x1f|1_000|007|1:30|2026-01-31|yes|No|on|null|~|true|.inf|<<|=|constructor|then|__internal".split(
    "|",
  ),
  ..."a: b|a #b|# a|- a|? a|a:|*a|&a|!a|%a|@a|`a`|[a]|{a}|'a'|it's|\"a\"|\\|\\n|*/|//|-->|<!--|</script>".split("|"),
  ..."$|$$|$$$|${a}|$${a}|$$${a}|a$${|${|}|$ {|%s|`${1}`|previewenv|---|...".split("|"),
  ..." a|a |  a\n b|a\n\n|\n|\na|a\r\nb|a\rb|\t|a\tb|\u0000|\u0007|\u007f|\u0085|\u00a0|\ufeff|\ufffe|\uffff".split(
    "|",
  ),
  ..."\u2028|\u2029|\u202e|\u200b|😀|👩‍👩‍👧|\u{e0041}|\u{1fffe}|東京|e\u0301|\u{10ffff}|\ud800|a\udc00b".split("|"),
  "__proto__",
  SIGNATURE,
  "..",
  ".",
  "fn::secret",
  "Fn::StringAsset",
  "x".repeat(2000),
  `${"long line ".repeat(500)}\n`,
];
const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const anyText = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc.string({ unit: codeUnit, maxLength: 6 }),
  fc.string({ unit: fc.constantFrom("$", "{", "}", "'", '"', "\\", "\n", ":", "#", " ", "-", "a"), maxLength: 12 }),
);
const services = fc.uniqueArray(fc.constantFrom("web", "api", "worker one", "yes", "12"), { maxLength: 3 });
const variable: fc.Arbitrary<EnvVar> = fc
  .tuple(anyText, anyText, services, fc.boolean())
  .map(([name, value, scope, isHidden]) => (isHidden ? hidden(name, scope) : visible(name, value, scope)));
const variables = fc.uniqueArray(variable, { selector: ({ name }) => name, maxLength: 40 });
const branches = fc.uniqueArray(fc.tuple(anyText, anyText), { selector: ([repoName]) => repoName, maxLength: 12 });

/** Two settings of the provider. */
const NOT_A_SECRET = /^(?:apiToken|baseUrl)$/u;

const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** The name of a repository or branch is one line: Check refuses any other. */
const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

const hasMeaningInYaml = (name: string): boolean => name === "<<" || name.toLowerCase().startsWith("fn::");

/** By the rules of README and the specification, and not by the code that is tested. */
function isDeclarable({ name, value, hidden: isHidden }: EnvVar, language: Language): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  const isWritable = name !== "" && !/[\u0000-\u001f\u007f-\u009f]/u.test(name) && !name.endsWith("\\");
  const isName = isWritable && ![".", "..", "__proto__", SIGNATURE].includes(name);
  return isName && !(language === "yaml" && hasMeaningInYaml(name)) && isWhole(name) && (isHidden || isWhole(value));
}

describe("adopt: what the program declares, run or parsed, is what the environment has", () => {
  for (const language of LANGUAGES) {
    it(`every name with every value and scope, in ${language}`, () => {
      fc.assert(
        fc.property(variables, (all) => {
          fc.pre(all.every(({ value }) => value !== EXISTING && !isPlaceholder(value)));
          const { program, leftOut } = written(language, all);
          const { vars } = READERS[language](program).resources;
          const {
            environmentId,
            variables: shown = {},
            secrets = {},
            services: most = [],
            scopes = {},
          } = vars?.inputs ?? {};
          const there = all.filter((one) => isDeclarable(one, language));
          expect(environmentId).to.equal(ID);
          expect(new Map(Object.entries(shown))).to.deep.equal(
            new Map(there.filter((one) => !one.hidden).map(({ name, value }) => [name, value])),
          );
          expect(new Map(Object.entries(secrets))).to.deep.equal(
            new Map(there.filter((one) => one.hidden).map(({ name }) => [name, EXISTING])),
          );
          for (const { name, services: own } of there)
            expect((Object.hasOwn(scopes, name) ? scopes[name] : most)?.toSorted()).to.deep.equal(own.toSorted());
          expect(leftOut).to.have.length(all.length - there.length);
          expect(program).not.to.contain(MASK);
        }),
        { numRuns: RUNS },
      );
    });

    it(`secrets are taken over as the comment says, each with a key of its own in the stack's config, in ${language}`, () => {
      fc.assert(
        fc.property(fc.uniqueArray(anyText, { maxLength: 40 }), (names) => {
          const all = names.map((name) => hidden(name));
          const there = all.filter((one) => isDeclarable(one, language));
          const { program } = written(language, all);
          const keys = Array.from(
            program.matchAll(
              /(?:previewenv\.existing\(\), \/\/ config\.requireSecret\("|:v1 # \$\{secrets\.)(.*?)["}]/gu,
            ),
            ([, key = ""]) => key,
          );
          expect(new Set(keys)).to.have.property("size", there.length);
          for (const key of keys)
            expect(key)
              .to.match(/^[A-Za-z_]\w*$/u)
              .and.not.match(NOT_A_SECRET);
          const { secrets = {} } = READERS[language](takenOver(language, program)).resources["vars"]?.inputs ?? {};
          expect(new Set(Object.keys(secrets))).to.deep.equal(new Set(there.map(({ name }) => name)));
          expect(Object.values(secrets)).to.have.members(keys.map(configured));
          for (const [name, value] of Object.entries(secrets))
            if (/^[A-Z][A-Z_]*$/u.test(name)) expect(value).to.equal(configured(name));
        }),
        { numRuns: RUNS, examples: [[["vars", "apiToken", "A-B", "A_B", "A.B", "A_B_2", "SESSION_KEY", "yes", "1"]]] },
      );
    });

    it(`every repository with every branch, and every filter, in ${language}`, () => {
      fc.assert(
        fc.property(branches, anyText, (found, name) => {
          const projects = found.map(([repoName, one]) => ({
            repoName,
            branch: one,
            orgName: "acme",
            commitHash: "1",
          }));
          const filters = { name: isWhole(name) ? name : "shop", pullRequestNumber: 42 };
          const { program } = written(language, [], { found: environment({ projects }), selector: { filters } });
          const declared = READERS[language](program);
          const there = found.filter(
            ([repoName, one]) =>
              !["__proto__", SIGNATURE].includes(repoName) &&
              !repoName.endsWith("\\") &&
              [repoName, one].every((text) => text !== "" && isWhole(text) && isOneLine(text)),
          );
          expect(new Map(Object.entries(declared.resources["branches"]?.inputs.branches ?? {}))).to.deep.equal(
            new Map(there.filter(([repoName]) => !(language === "yaml" && hasMeaningInYaml(repoName)))),
          );
          expect(declared.filters).to.deep.equal(filters);
        }),
        // A letter that came with Unicode 16.
        { numRuns: RUNS, examples: [[[["\uA7CB", "main"]], "main"]] },
      );
    });

    it(`comments hold no line break that a name or title has, in ${language}`, () => {
      const evil = '\nprocess.exit(); */ \u2028process.exit()\u0085x: "';
      const { program, leftOut } = written(language, [visible(evil, "1"), visible("A", "\ud800")], {
        found: environment({ name: evil, projects: [] }),
      });
      expect(leftOut).to.have.length(2);
      expect(READERS[language](program).resources).to.have.keys(["vars"]);
      const comment = language === "yaml" ? "#" : "//";
      for (const line of program.split(/[\n\r\u0085\u2028\u2029]/u))
        if (line.includes("process.exit")) expect(line.startsWith(comment), line).to.equal(true);
    });
  }
});
