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

describe("the pages that the Pulumi registry takes", () => {
  for (const path of PAGES)
    it(`${path} begins with what the registry asks for`, () => {
      const page = read(path);
      const [, head = ""] = /^---\n(.*?)\n---\n/su.exec(page) ?? [];
      expect(FrontMatter.parse(parse(head))).to.be.an("object");
      // The registry makes the first heading from the title.
      expect(page).not.to.match(/^# /mu);
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
});
