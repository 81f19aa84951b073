import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { generatedFiles } from "../tools/generate/files";
import { FIRST_LINE } from "../tools/generate/first-line";
import { languages } from "../tools/generate/sdks/generator";
import { TYPESCRIPT } from "./support/typescript";

const ROOT = join(__dirname, "..");
const run = promisify(execFile);

describe("generated files", () => {
  it("follow from the declarations as they are: `npm run generate` changes nothing", async () => {
    const { stdout, stderr } = await run(process.execPath, [...TYPESCRIPT, "tools/generate/main.ts", "--check"]);

    expect(stdout + stderr).to.equal("");
  });

  describe("in a clone", () => {
    before(function () {
      if (!existsSync(join(ROOT, ".git"))) this.skip();
    });

    it("are marked in .gitattributes, each that `npm run generate` and `npm run generate:sdks` write", async () => {
      const isOfSdk = ({ name, kept }: (typeof languages)[number], file: string): boolean =>
        file.startsWith(`sdk/${name}/`) && !kept.some((one) => file === `sdk/${name}/${one}`);
      const written = [
        ...(await generatedFiles()).keys(),
        ...files().filter((file) => languages.some((language) => isOfSdk(language, file))),
      ];

      const marked = markedFiles();
      expect(written.filter((file) => !marked.has(file))).to.deep.equal([]);
    });

    it("say in their first line from what and by which command, or CONTRIBUTING.md names them; no other file does", () => {
      const contributing = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
      const isNamed = (file: string): boolean =>
        contributing.includes(`\`${file}\``) || contributing.includes(`\`${file.slice(file.lastIndexOf("/") + 1)}\``);
      const saysSo = new Set(files().filter((file) => FIRST_LINE.test(firstLine(file))));

      const marked = markedFiles();
      expect([...marked].filter((file) => !saysSo.has(file) && !isNamed(file))).to.deep.equal([]);
      expect([...saysSo].filter((file) => !marked.has(file))).to.deep.equal([]);
    });
  });
});

function git(args: readonly string[], input = ""): string {
  return execFileSync("git", args, { cwd: ROOT, input, encoding: "utf8" });
}

/** Every file of the repository, and those that may be added to it. */
function files(): readonly string[] {
  return git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(ROOT, file)));
}

function markedFiles(): ReadonlySet<string> {
  const fields = git(["check-attr", "-z", "--stdin", "linguist-generated"], files().join("\0")).split("\0");
  // Three fields a file: its path, the attribute, its value.
  return new Set(files().filter((_, index) => fields[index * 3 + 2] === "set"));
}

function firstLine(file: string): string {
  return readFileSync(join(ROOT, file), "utf8").split("\n", 1).join();
}
