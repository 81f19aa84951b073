import { expect } from "chai";
import { writeReport } from "../../provider/src/drift/report";
import type { DriftItem, Report } from "../../provider/src/drift/report-schema";
import { webAddress } from "../../provider/src/drift/markdown-report";
import { changed, reportOf, set, stack } from "./support/reports";

const EVIL = "@acme/all #1 <!channel> <b> [x](http://a) ` `` | *_~ &amp; GH-7 www.example.com";
const evil: DriftItem = {
  ...set,
  environmentName: EVIL,
  resource: EVIL,
  name: EVIL,
  kind: "services",
  detail: `now ${EVIL}`,
};
const dev = stack("dev", {
  status: "drift",
  drift: [{ ...set, name: "LOG_LEVEL", kind: "changed", since: "2026-01-31T09:30:00" }],
  ignored: changed(2),
});
const many = (count: number, each: number): Report =>
  reportOf(
    ...Array.from({ length: count }, (_, index) => stack(`pr-${index}`, { status: "drift", drift: changed(each) })),
  );

describe("drift: the report for a pull request", () => {
  it("is a table of each environment, with a link to it", () => {
    const drift = dev.drift.map((item) => ({ ...item, environmentName: "shop", environmentUrl: "https://a.example/" }));
    const text = writeReport("markdown", reportOf(stack("calm"), { ...dev, drift }));
    expect(text).to.equal(`## Drift of preview environments

2 stacks: 1 in sync, 1 drift. 1 difference, 2 ignored.

### \`dev\`: drift, 2 ignored

Environment [\`shop\`](https://a.example/)

| resource | type | name | change | |
|---|---|---|---|---|
| \`vars\` | EnvVarSet | \`LOG_LEVEL\` | changed | since 2026-01-31T09:30:00 |

Restore it: \`npx pulumi-previewenv drift --heal\`, or \`pulumi up --refresh\`.
`);
  });

  it("has others' text in code spans only, where it is no markup, no link and no mention", () => {
    const text = writeReport("markdown", reportOf(stack(EVIL, { status: "drift", drift: [evil] })));
    // A code span is a run of backticks, anything, and as long a run.
    const outside = text.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gu, "");
    expect(outside).not.to.match(/[@<>*~&\\]|acme|http|www|GH-|#1/u);
    const rows = text.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.map((row) => row.split("|").length)).to.deep.equal([7]);
  });

  it("shows an error as it is, and no more of it than a page can take", () => {
    const text = writeReport("markdown", reportOf(stack("bad", { status: "error", errors: ["a\n```b\n@acme"] })));
    expect(text).to.include("### `bad`: error\n\n```text\na\n'''b\n@acme\n```\n");
    const long = writeReport("markdown", reportOf(stack("bad", { status: "error", errors: ["x\n".repeat(500)] })));
    expect(long).to.include("x\n461 more lines\n```");
  });

  it("fits into a comment, and names the stacks that have no place", () => {
    for (const report of [many(300, 3), many(3, 5000)]) {
      const text = writeReport("markdown", report);
      expect(text.length).to.be.below(65_536);
      expect(text).to.match(/\d+ more (?:stacks|lines)/u);
      expect(text).to.include("### `pr-0`: drift");
    }
  });

  it("links an environment by a web address only", () => {
    expect(webAddress("https://shop.preview.example/a?b=c")).to.equal("https://shop.preview.example/a?b=c");
    expect(webAddress("https://a.example/)](http://b)|<x>")).to.equal(
      "https://a.example/%29%5d%28http://b%29%7c%3Cx%3E",
    );
    for (const url of ["javascript:alert(1)", "shop", "", "https://user:pw@a.example", undefined])
      expect(webAddress(url), url).to.equal(undefined);
  });
});
