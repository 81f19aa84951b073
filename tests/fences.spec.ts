import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { guides } from "./outside/guides";
import { type Fence, fencesOf, read, ROOT, stepsOf, pages } from "./outside/fences";

const MAX_LINES = 150;

/** What is wrong with the use of a fence. `undefined` when nothing is. */
function fault({ use, about, same, page, lines }: Fence): string | undefined {
  const text = `${lines.join("\n")}\n`;
  if (use === "unknown") return "is neither commands nor has a comment that says what it is for";
  if (use === "part" && !read(about).includes(text)) return `is not in ${about}`;
  if (same !== undefined && read(same) !== text) return `is not the same as ${same}`;
  if (use === "elsewhere" && !(existsSync(join(ROOT, about)) && read(about).includes(page)))
    return `is said to be run by ${about}, which does not name the page`;
  return undefined;
}

describe("the fences of README.md and of every page", () => {
  const fences = pages().flatMap(fencesOf);
  const at = ({ page, line }: Fence): string => `${page}:${line}`;

  it("are run, are as the file that they show, or say why not", () => {
    const faults = fences.map((fence) => [at(fence), fault(fence)]).filter(([, what]) => what !== undefined);
    expect(faults).to.deep.equal([]);
  });

  it("are followed by `npm run test:outside`, command by command", () => {
    const followed = new Set(guides.flatMap(({ steps }) => steps.map((step) => step.at)));
    const shown = fences.flatMap(stepsOf);
    expect(shown.length).to.be.greaterThan(100);
    expect(shown.filter((step) => !followed.has(step.at))).to.deep.equal([]);
  });
});

describe("README.md and the guides", () => {
  for (const page of ["README.md", ...pages().filter((one) => one.startsWith("docs/guides/"))])
    it(`${page} has at most ${MAX_LINES} lines beside its code`, () => {
      const code = fencesOf(page).flatMap(({ lines }) => lines).length;
      expect(read(page).trimEnd().split("\n").length - code).to.be.at.most(MAX_LINES);
    });

  it("have the two commands for a checkout in README.md, after what needs none", () => {
    const lines = read("README.md").split("\n");
    const at = (command: string): number => lines.findIndex((line) => line.startsWith(command));
    for (const command of ["npm start ", "npm test "]) expect(at(command)).to.be.greaterThan(at("pulumi up"));
  });

  it("are listed in docs/README.md", () => {
    const listed = read("docs/README.md");
    // As a file beside it, or in the repository: not all of them are packed.
    const isListed = (page: string): boolean => listed.includes(`(${page.slice(5)})`) || listed.includes(`/${page})`);
    const missing = pages().filter((page) => /^docs\/(?:guides\/)?[^/]+\.md$/u.test(page) && !isListed(page));
    expect(missing).to.deep.equal(["docs/README.md"]);
  });
});
