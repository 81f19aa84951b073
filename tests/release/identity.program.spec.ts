import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writtenFiles } from "../../tools/release/git";
import { identity } from "../../tools/release/owner";
import { ownedNames } from "../../tools/release/rename";

const ROOT = join(__dirname, "..", "..");
/** Files that can read the names, instead of saying them. An error of the provider names a page of the repository. */
const CODE =
  /^(?!provider\/src\/client\/troubleshooting\.ts$)(?:provider|sdk\/nodejs|tests|tools)\/.*\.(?:[cm]?[jt]s|py|go|xml)$/u;

describe("the names of the owner, in a clone", () => {
  before(function () {
    if (!existsSync(join(ROOT, ".git"))) this.skip();
  });

  it("are said by no code of their own", () => {
    const names = ownedNames(identity);
    const saying = [...writtenFiles(ROOT)].filter(
      ([path, text]) => CODE.test(path) && names.some((name) => text.includes(name)),
    );
    expect(saying.map(([path]) => path)).to.deep.equal([]);
  });
});
