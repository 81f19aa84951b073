import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import * as z from "zod";
import { identity } from "../tools/release/owner";
import { read, ROOT } from "./outside/fences";

const PAGES = ["docs/_index.md", "docs/installation-configuration.md"];
const FrontMatter = z.strictObject({
  title: z.string().min(1),
  meta_desc: z.string().min(1),
  layout: z.literal("package"),
});

/** What pulumi/registry refuses, line by line: scripts/ci/community-package/doc_lint.py and scripts/lint/check-shortcode-delimiters.js there. */
const REFUSED = [
  /<img[^>]+src=["'](?:\.|\/|[^h])/u,
  /!\[[^\]]*\]\((?:\.|\/)/u,
  /<a[^>]+href="(?:\.|\/)/u,
  /\]\((?!https?:\/\/)[^)]*\.md[)#]/u,
  /\{\{[ \t]+[<%]/u,
];

/** Every opening and closing shortcode, in its order: "chooser", "/chooser". */
function shortcodes(page: string): readonly string[] {
  return Array.from(page.matchAll(/\{\{[<%] (\/?\w+)/gu), ([, name = ""]) => name);
}

describe("the pages that the Pulumi registry takes", () => {
  for (const path of PAGES)
    describe(path, () => {
      const page = read(path);

      it("begins with what the registry asks for", () => {
        const [, head = ""] = /^---\n(.*?)\n---\n/su.exec(page) ?? [];
        expect(FrontMatter.parse(parse(head))).to.be.an("object");
        // The registry makes the first heading from the title.
        expect(page).not.to.match(/^# /mu);
      });

      it("has nothing that breaks where the registry shows it", () => {
        const lines = page.split("\n").filter((line) => REFUSED.some((pattern) => pattern.test(line)));
        expect(lines).to.deep.equal([]);
      });

      it("links only files of the project that exist", () => {
        const own = page.matchAll(new RegExp(`${identity.repositoryUrl}/blob/HEAD/([^)#\\s]+)`, "gu"));
        const missing = Array.from(own, ([, file = ""]) => file).filter((file) => !existsSync(join(ROOT, file)));
        expect(missing).to.deep.equal([]);
      });
    });

  it("show one example in every language of the chooser", () => {
    const page = read("docs/_index.md");
    const [, languages = ""] = /\{\{< chooser language "([\w,]+)" >\}\}/u.exec(page) ?? [];
    expect(languages).to.equal("typescript,python,go,csharp,java,yaml");
    const shown = Array.from(page.matchAll(/choosable language (\w+) %\}\}\n\n<!-- part of .+ -->\n```(\w+)$/gmu));
    expect(shown.map(([, language]) => language).join()).to.equal(languages);
    expect(shown.map(([, , highlight]) => highlight).join()).to.equal(languages);
    const inside = languages.split(",").flatMap(() => ["choosable", "/choosable"]);
    expect(shortcodes(page)).to.deep.equal(["chooser", ...inside, "/chooser"]);
  });

  it("name the package of each language as it is published", () => {
    const page = read("docs/installation-configuration.md");
    const { npmPackage, pythonPackage, goModule, nugetPackage, mavenGroup } = identity;
    for (const link of [
      `https://www.npmjs.com/package/${npmPackage}`,
      `https://pypi.org/project/${pythonPackage}/`,
      `https://pkg.go.dev/${goModule}`,
      `https://www.nuget.org/packages/${nugetPackage}`,
      `https://central.sonatype.com/artifact/${mavenGroup}/previewenv`,
    ])
      expect(page).to.contain(`](${link})`);
  });
});
