import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import { identity } from "../../tools/release/owner";
import { root, schemaFile } from "./package-schema";

/** What the registry makes a keyword `category/...` into; another one is refused. */
const CATEGORIES = ["cloud", "database", "infrastructure", "monitoring", "network", "utility", "vcs"];

/**
 * What the listing of a package needs, from the registry's own program (github.com/pulumi/registry, tools/resourcedocsgen) and from the list
 * for authors there (.github/pull_request_template.md).
 */
const Listing = z.looseObject({
  name: z.string(),
  displayName: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+$/u),
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

describe("provider/schema.json and the Pulumi registry", () => {
  const read = (): unknown => JSON.parse(readFileSync(schemaFile, "utf8"));

  it("has everything that a listing needs", () => {
    const listing = Listing.parse(read());
    expect(listing).to.deep.include({
      repository: identity.repositoryUrl,
      pluginDownloadURL: identity.pluginDownloadUrl,
      publisher: identity.publisher,
    });
    // The registry takes the name of a package from the name of its repository.
    expect(identity.githubRepository.replaceAll("pulumi-", "")).to.equal(listing.name);
  });

  it("would be found out: no publisher, an unknown category, a plugin from nowhere", () => {
    const schema = z.looseObject({}).parse(read());
    for (const wrong of [
      { publisher: "" },
      { keywords: ["kind/native", "category/previews"] },
      { pluginDownloadURL: "" },
      { logoUrl: "https://previews.example/logo.png" },
    ])
      expect(Listing.safeParse({ ...schema, ...wrong }).success, JSON.stringify(wrong)).to.equal(false);
  });

  it("shows a logo that is a square SVG", () => {
    const [, file = ""] = /\/HEAD\/(.*)$/u.exec(Listing.parse(read()).logoUrl) ?? [];
    const [, width, height] = /<svg [^>]*viewBox="0 0 (\d+) (\d+)"/u.exec(readFileSync(join(root, file), "utf8")) ?? [];
    expect(Number(width)).to.be.greaterThan(0);
    expect(height).to.equal(width);
  });
});
