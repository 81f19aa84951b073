import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { languages } from "../../tools/release/smoke/languages";
import { published } from "../../tools/release/smoke/source";

const ROOT = join(__dirname, "..", "..");

describe("the quickstarts that a release is tried with", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-smoke-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("in Java, have the pom.xml of the guide, which the tests of the pages run", () => {
    const java = languages.get("java");
    cpSync(join(ROOT, "examples", java?.example ?? ""), folder, { recursive: true });
    const commands: string[] = [];
    const run = (...words: readonly string[]): void => void commands.push(words.join(" "));
    java?.install({ folder, source: published, run, npm: run });

    const pom = readFileSync(join(folder, "pom.xml"), "utf8");
    expect(readFileSync(join(ROOT, "docs", "guides", "quickstart-languages.md"), "utf8")).to.contain(pom);
    // Gradle publishes Pulumi as what runs with the package, not as what a program is compiled with.
    expect(pom)
      .to.match(/<artifactId>pulumi<\/artifactId>/u)
      .and.match(/<artifactId>previewenv<\/artifactId>/u);
    // The compiler plugin of Maven 3.8 knows no `maven.compiler.release`.
    expect(pom).to.contain("maven.compiler.source").and.not.contain("maven.compiler.release");
    expect(commands.join()).to.match(/^mvn .*compile$/u);
  });
});
