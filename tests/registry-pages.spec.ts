import { expect } from "chai";
import { parse } from "yaml";
import * as z from "zod";
import { identity } from "../tools/release/owner";
import { isVersion } from "../tools/release/versions";
import { read } from "./outside/fences";

const PAGES = ["docs/_index.md", "docs/installation-configuration.md"];
const FrontMatter = z.strictObject({
  title: z.string().min(1),
  meta_desc: z.string().min(1),
  layout: z.literal("package"),
});

/** What the registry makes a keyword `category/...` into. Another one is refused. */
const CATEGORIES = ["cloud", "database", "infrastructure", "monitoring", "network", "utility", "vcs"];

/**
 * What the listing of a package needs, from the registry's own program (github.com/pulumi/registry, tools/resourcedocsgen) and from the list
 * for authors there (.github/pull_request_template.md).
 */
const Listing = z.looseObject({
  name: z.string(),
  displayName: z.string().min(1),
  version: z.string().refine(isVersion),
  description: z.string().min(1),
  publisher: z.string().min(1),
  license: z.literal("Apache-2.0"),
  homepage: z.url(),
  repository: z.url(),
  logoUrl: z.url().regex(/\.svg$/u),
  keywords: z
    .array(z.string())
    .refine((all) => all.includes("kind/native"))
    .refine((all) => all.filter((one) => CATEGORIES.some((name) => one === `category/${name}`)).length === 1)
    .refine((all) => all.every((one) => !one.startsWith("category/") || CATEGORIES.includes(one.slice(9)))),
  pluginDownloadURL: z.string().regex(/^github:\/\/api\.github\.com\/[^/]+\/[^/]+$/u),
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
    });

  it("have the sections that the registry's pages have, with a tab for each language", () => {
    const page = read("docs/_index.md");
    const sections = Array.from(page.matchAll(/^## (.+)$/gmu), ([, title]) => title);
    expect(sections.slice(0, 3)).to.deep.equal(["Installation", "Example Usage", "Configuration"]);
    const languages = "typescript,python,go,csharp,java,yaml";
    const choosers = Array.from(page.matchAll(/\{\{< chooser language "([\w,]+)" >\}\}/gu), ([, one]) => one);
    expect(choosers).to.deep.equal([languages, languages]);
    const tabs = languages.split(",").flatMap(() => ["choosable", "/choosable"]);
    const chooser = ["chooser", ...tabs, "/chooser"];
    expect(shortcodes(page)).to.deep.equal([...chooser, ...chooser]);
    const shown = Array.from(page.matchAll(/choosable language (\w+) %\}\}\n\n<!-- part of .+ -->\n```(\w+)$/gmu));
    expect(shown.map(([, language]) => language).join()).to.equal(languages);
    expect(shown.map(([, , highlight]) => highlight).join()).to.equal(languages);
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

describe("provider/schema.json and the Pulumi registry", () => {
  const schema: unknown = JSON.parse(read("provider/schema.json"));
  const listing = Listing.parse(schema);

  it("has everything that a listing needs", () => {
    expect(listing).to.deep.include({
      repository: identity.repositoryUrl,
      pluginDownloadURL: identity.pluginDownloadUrl,
      publisher: identity.publisher,
    });
    // The registry takes the name of a package from the name of its repository.
    expect(identity.githubRepository.replaceAll("pulumi-", "")).to.equal(listing.name);
  });

  it("shows a logo that is a square SVG", () => {
    const [, file = ""] = /\/HEAD\/(.*)$/u.exec(listing.logoUrl) ?? [];
    const [, width, height] = /<svg [^>]*viewBox="0 0 (\d+) (\d+)"/u.exec(read(file)) ?? [];
    expect(Number(width)).to.be.greaterThan(0);
    expect(height).to.equal(width);
  });
});
