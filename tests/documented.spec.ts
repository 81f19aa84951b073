import { expect } from "chai";
import manifest from "../package.json";
import * as sdk from "../sdk/nodejs";
import installed from "./compatibility/installed/package.json";
import { see } from "../provider/src/client/troubleshooting";
import { identity } from "../tools/release/owner";
import { endpoints } from "./contract/support/specification";
import { fencesOf, read, stepsOf, ROOT } from "./outside/fences";
import { globSync } from "node:fs";
import { MAX_ANSWER_BYTES } from "../provider/src/client/connections";

const BASE = "/api/v1/environment";
/** The anchors of docs/guides/troubleshooting.md. One may be added, and none goes. */
const PUBLISHED = [
  "conflict",
  "masked",
  "not-deleted",
  "no-such-variable",
  "value-not-known",
  "not-running",
  "build-not-finished",
  "other-branches",
  "no-answer",
  "not-restored",
  "token",
  "every-404",
  "gateway-404",
  "gone",
  "certificate",
  "unreadable-state",
  "no-stacks",
  "connection",
];

describe("README.md", () => {
  it("gives the same commands for a first `up` as the guide", () => {
    const [readme = [], guide = []] = ["README.md", "docs/guides/quickstart-typescript.md"].map((page) =>
      fencesOf(page)
        .flatMap(stepsOf)
        .map(({ run }) => run),
    );
    const first = readme.slice(0, readme.indexOf("pulumi up") + 1);
    expect(first).to.have.length(5);
    expect(guide.slice(0, first.length)).to.deep.equal(first);
  });
});

describe("docs/installation-configuration.md and docs/guides/upgrade.md", () => {
  const [, typescript = ""] = /@(\d+\.\d+)\./u.exec(installed.dependencies["oldest-typescript"]) ?? [];
  const [, node = ""] = /^>=(\d+\.\d+)/u.exec(manifest.engines.node) ?? [];
  const [, pulumi = ""] = /^>=(\d+\.\d+)/u.exec(manifest.peerDependencies["@pulumi/pulumi"]) ?? [];

  it("name the oldest Node, @pulumi/pulumi and TypeScript, as package.json and the tests have them", () => {
    const [installation, upgrade] = ["docs/installation-configuration.md", "docs/guides/upgrade.md"].map(read);
    expect(installation)
      .to.contain(`Node ${node} or newer, \`@pulumi/pulumi\` ${pulumi} or newer`)
      .and.to.contain(`\`typescript\` ${typescript} to 6`);
    expect(upgrade)
      .to.contain(`| ${node} and newer |`)
      .and.to.contain(`\`@pulumi/pulumi\` | ${pulumi} and newer`)
      .and.to.contain(`| TypeScript | ${typescript} to 6 |`);
  });

  it("name the same oldest versions as README.md", () => {
    const [readme, upgrade] = ["README.md", "docs/guides/upgrade.md"].map(read);
    const oldest = ["Python", "Go", ".NET", "Java"].map((language) => {
      const row = readme?.split("\n").find((line) => line.startsWith(`| ${language} |`));
      return row?.split(" | ")[1];
    });
    expect(readme)
      .to.contain(`Pulumi CLI ${pulumi} or newer`)
      .and.to.contain(`| TypeScript, JavaScript | Node ${node} |`);
    expect(upgrade).to.contain(
      `| Python, Go, .NET, Java | ${oldest.slice(0, 3).join(", ")} and ${oldest[3]}, and newer |`,
    );
  });
});

describe("tests/endpoints.md", () => {
  it("names for every endpoint what reaches it from a program, and a test that does", () => {
    const rows = [
      ...read("tests/endpoints.md").matchAll(/^\| `([A-Z, ]+?)(?: (\/\S+))?` \| (.+?) \| (tests\/\S+) \|$/gmu),
    ];
    const shown = rows.map(([, methods = "", path = ""]) => `${methods} ${path}`);
    const known = Object.values(endpoints).map(
      ({ methods, path }) => `${methods.join(", ")} ${path.slice(BASE.length)}`,
    );
    expect(shown.toSorted()).to.deep.equal(known.toSorted());
    for (const [, , , means = "", file = ""] of rows) {
      const spec = read(file);
      const names = means.split(", ").map((name) => name.replaceAll("`", ""));
      expect(Object.keys(sdk)).to.include.members(names);
      expect(
        names.some((name) => spec.includes(name)),
        file,
      ).to.equal(true);
    }
  });
});

const MIB = 1024 * 1024;

describe("docs/security.md", () => {
  const page = read("docs/security.md");
  const refusals = page.slice(page.indexOf("## What is refused"), page.indexOf("## Dependencies"));
  const spec = String.raw`tests/[\w/-]+(?:\.program)?\.spec\.ts`;
  const named = [...page.matchAll(new RegExp(spec, "gu"))].map(([file]) => file);

  it("names a test for everything that is refused", () => {
    const rows = refusals.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attempt"));
    expect(rows.length).to.be.greaterThan(20);
    expect(
      rows.filter((row) => !new RegExp(String.raw` <!-- (?:${spec}(?:, )?)+ --> \|$`, "u").test(row)),
    ).to.deep.equal([]);
  });

  it("names every test of what is hostile", () => {
    const hostile = globSync("tests/**/*hostile*.spec.ts", { cwd: ROOT }).map((file) => file.replaceAll("\\", "/"));
    expect(hostile).to.have.length.greaterThan(2);
    expect(named).to.include.members(hostile);
  });

  it("gives the bounds that the client has", () => {
    expect(page).to.contain(`more than ${MAX_ANSWER_BYTES / MIB} MiB`);
  });
});

describe("docs/guides/troubleshooting.md", () => {
  // Texts in the sources are split over lines, and have values between their words.
  const sources = globSync("provider/src/**/*.ts", { cwd: ROOT })
    .map((file) =>
      read(file)
        .replaceAll(/["`] \+\n\s*["`]/gu, "")
        .replaceAll(/[`\\]/gu, ""),
    )
    .join("\n");
  const page = read("docs/guides/troubleshooting.md");
  const quoted = Array.from(page.matchAll(/^### `(.+)`$/gmu), ([, text = ""]) => text);

  // Errors of every release name these: the page must have them for ever.
  it("has every anchor that an error has ever named", () => {
    const anchors = Array.from(page.matchAll(/^<a id="([\w-]+)"><\/a>\n### /gmu), ([, anchor]) => anchor);
    expect(anchors).to.include.members(PUBLISHED);
    expect(anchors).to.have.lengthOf(quoted.length);
    expect(see("gone")).to.equal(`See ${identity.repositoryUrl}/blob/HEAD/docs/guides/troubleshooting.md#gone.`);
  });

  it("is named by an error at each of them, and at no other", () => {
    const named = Array.from(sources.matchAll(/\bsee\("([\w-]+)"\)/gu), ([, anchor]) => anchor);
    expect([...new Set(named)]).to.have.members(PUBLISHED);
  });

  for (const text of quoted)
    it(`quotes "${text}" as the program prints it`, () => {
      for (const part of text.split("...")) expect(sources).to.contain(part.trim());
    });
});
