import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { expect } from "chai";
import { findProgram } from "../../tools/generate/sdks/programs";
import { schemaFile, root } from "./package-schema";
import * as z from "zod";
import { identity } from "../../tools/release/owner";
import { installCommands } from "../../tools/release/rehearsal/install-commands";
import { isVersion } from "../../tools/release/versions";

const metaschema = JSON.parse(readFileSync(join(__dirname, "metaschema", "pulumi.json"), "utf8"));

describe("provider/schema.json and Pulumi's own rules", () => {
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(metaschema);
  const schema = (): Record<string, unknown> => JSON.parse(readFileSync(schemaFile, "utf8"));

  it("is valid against Pulumi's metaschema", () => {
    validate(schema());
    expect(validate.errors ?? []).to.deep.equal([]);
  });

  const pulumi = findProgram("pulumi");
  const title = "passes `pulumi schema check`, which also follows every reference";
  if (pulumi === undefined) it.skip(`${title} (there is no pulumi on PATH)`);
  else
    it(title, () => {
      // Exit code 1, and so an error here, for anything wrong.
      const said = execFileSync(pulumi, ["schema", "check", schemaFile], { encoding: "utf8", stdio: "pipe" });
      expect(said).not.to.match(/error|warning/iu);
    });
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

const Named = z.looseObject({
  name: z.string(),
  language: z.looseObject({
    nodejs: z.looseObject({ packageName: z.string() }),
    python: z.looseObject({ packageName: z.string() }),
    go: z.looseObject({ importBasePath: z.string() }),
    csharp: z.looseObject({ rootNamespace: z.string() }),
    java: z.looseObject({ basePackage: z.string() }),
  }),
});

/**
 * How the registry's program names the package of each language, which it does not look up: `DeriveInstalls` in
 * github.com/pulumi/registry, tools/resourcedocsgen/pkg/overview/install.go. PyPI takes a hyphen for an underscore.
 */
function derivedNames(schema: unknown): Readonly<Record<string, string>> {
  const { name, language } = Named.parse(schema);
  const { nodejs, python, go, csharp, java } = language;
  return {
    typescript: nodejs.packageName,
    python: python.packageName.replaceAll("_", "-"),
    go: go.importBasePath,
    csharp: `${csharp.rootNamespace}.${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    java: `${java.basePackage}:${name}`,
  };
}

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

  it("leads the registry's program to the packages as they are published; the page has by hand what it would name otherwise", () => {
    const { npmPackage, pythonPackage, goModule, nugetPackage, mavenGroup } = identity;
    const { csharp = "", java = "", ...derived } = derivedNames(read());
    expect(derived).to.deep.equal({
      typescript: npmPackage,
      python: pythonPackage.replaceAll("_", "-"),
      // A package of the module, which `go get` takes as well.
      go: `${goModule}/previewenv`,
    });
    const byHand = Object.fromEntries(installCommands());
    expect(byHand["csharp"]).to.equal(`dotnet add package ${nugetPackage}`).and.not.contain(csharp);
    const [group, artifact] = java.split(":");
    expect(byHand["java"]).to.contain(`<groupId>${mavenGroup}</groupId>`).and.contain(`<artifactId>${artifact}</`);
    // The same for an owner without a hyphen.
    expect(group).to.equal(mavenGroup.replaceAll("-", "_"));
  });

  it("shows a logo that is a square SVG", () => {
    const [, file = ""] = /\/HEAD\/(.*)$/u.exec(Listing.parse(read()).logoUrl) ?? [];
    const [, width, height] = /<svg [^>]*viewBox="0 0 (\d+) (\d+)"/u.exec(readFileSync(join(root, file), "utf8")) ?? [];
    expect(Number(width)).to.be.greaterThan(0);
    expect(height).to.equal(width);
  });
});
