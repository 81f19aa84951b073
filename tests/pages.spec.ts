import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import manifest from "../package.json";
import { identity } from "../tools/release/owner";
import { type Fence, fencesOf, pages, read, ROOT, stepsOf } from "./outside/fences";
import { guides } from "./outside/guides";

const FOLDERS = ["docs", "examples", "provider", "sdk", "tests", "tools"];
const LINK = /\]\(([^)#\s]*)(?:#([^)\s]+))?\)/gu;
/** Where GitHub shows a file of the repository, as its newest commit has it. */
const IN_REPOSITORY = `${identity.repositoryUrl}/blob/HEAD/`;
const FENCE = /^ *```.*?^ *```$/gmsu;
const PATH = new RegExp(`(?<![\\w/.@-])(?:${FOLDERS.join("|")}|\\.ci)/[\\w./-]*[\\w/]`, "gu");
const SCRIPT = /\bnpm (?:run ([\w:-]+)|(test|start)\b(?!:))/gu;

/** The headings of a page, as GitHub names them in links. None when it does not exist. */
function headingsOf(page: string): readonly string[] {
  if (!existsSync(join(ROOT, page))) return [];
  const text = read(page).replaceAll(FENCE, "");
  const named = [...text.matchAll(/^<a id="([\w-]+)"><\/a>$/gmu)].map(([, id = ""]) => id);
  const headings = [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...named, ...headings];
}

/** What a page names and the repository has not. */
function missing(page: string): readonly string[] {
  const text = read(page);
  const links = [...text.matchAll(LINK)].flatMap(([, target = "", heading]) => {
    if (target.startsWith(IN_REPOSITORY)) return [{ path: target.slice(IN_REPOSITORY.length), heading }];
    return /^https?:/u.test(target) ? [] : [{ path: target === "" ? page : join(dirname(page), target), heading }];
  });
  const linked = links.map(({ path }) => path);
  const named = [...text.matchAll(PATH)].map(([path]) => path);
  const scripts = [...text.matchAll(SCRIPT)].map(([, run, own]) => run ?? own ?? "");
  return [
    ...[...linked, ...named].filter((path) => !existsSync(join(ROOT, path))),
    ...links.flatMap(({ path, heading }) =>
      heading === undefined || !path.endsWith(".md") || headingsOf(path).includes(heading)
        ? []
        : [`${path}#${heading}`],
    ),
    ...scripts.filter((script) => !Object.hasOwn(manifest.scripts, script)).map((script) => `npm run ${script}`),
  ].map((what) => `${page}: ${what}`);
}

/** The scripts that another one runs, or npm itself. */
function partsOf(scripts: Readonly<Record<string, string>>): readonly string[] {
  const called = [...Object.values(scripts), read("tests/checks.spec.ts")].join("\n");
  const isCalled = (name: string): boolean => new RegExp(`npm run ${name}(?![\\w:])`, "u").test(called);
  return ["prepack", ...Object.keys(scripts).filter(isCalled)];
}

describe("the pages at the top of the project, and those below docs and examples", () => {
  it("name only files, headings and npm scripts that exist", () => {
    expect(pages().flatMap(missing)).to.deep.equal([]);
  });
});

describe("the classes and functions of the TypeScript SDK", () => {
  it("link to what the reference says of them", () => {
    const files = globSync("sdk/nodejs/generated/{env,get,snapshot,written}*.ts", { cwd: ROOT });
    const headings = headingsOf("docs/reference.md");
    for (const file of files) {
      const links = [...read(file).matchAll(/@see \{@link \S+#(\w+)\}/gu)];
      expect(links, file).not.to.have.lengthOf(0);
      expect(headings, file).to.include.members(links.map(([, heading]) => heading));
    }
    expect(files).to.have.length.above(10);
  });
});

describe("CONTRIBUTING.md and RELEASING.md", () => {
  it("say what each npm script does that is no part of another one", () => {
    const text = read("CONTRIBUTING.md") + read("RELEASING.md");
    const described = [...text.matchAll(SCRIPT)].map(([, run, own]) => run ?? own ?? "");
    const own = Object.keys(manifest.scripts).filter((name) => !partsOf(manifest.scripts).includes(name));
    expect(own.length).to.be.greaterThan(15);
    expect(described).to.include.members(own);
  });

  it("keep what a first change needs within 1,600 words", () => {
    expect(read("CONTRIBUTING.md").replaceAll(FENCE, "").trim().split(/\s+/u)).to.have.lengthOf.at.most(1600);
  });
});

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

/** Secrets in a command. The sandbox's token and an empty passphrase protect nothing. */
const SECRETS_IN_COMMANDS: readonly RegExp[] = [
  /export .*(?:TOKEN|PASSPHRASE|PASSWORD)=(?!""|sandbox-token)\S/u,
  /-H ["'](?:x-api-token|private-token|authorization): (?!sandbox-token)/iu,
  /config set --secret [\w:.${}-]+ [^|\s]/u,
  /sops set /u,
];

describe("commands on pages and in texts of the provider", () => {
  it("have no secret, which would be in the shell's history or in the list of processes", () => {
    const sources = globSync("{provider/src,sdk/nodejs/runtime}/**/*.ts", {
      cwd: ROOT,
      exclude: (path) => path.includes("sandbox"),
    });
    const lines = [...pages(), ...sources].flatMap((file) =>
      read(file)
        .split("\n")
        .map((line) => `${file}: ${line}`),
    );
    expect(matching(lines, SECRETS_IN_COMMANDS)).to.deep.equal([]);
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
    const unlisted = pages().filter((page) => /^docs\/(?:guides\/)?[^/]+\.md$/u.test(page) && !isListed(page));
    expect(unlisted).to.deep.equal(["docs/README.md"]);
  });
});

const COMMENT = /<!--.*?-->/gsu;
const CODE = /`[^`]*`/gu;

/** A dash or a semicolon that does the work of a sentence. */
const JOINS: readonly RegExp[] = [/;/u, /\s[–—]\s/u];

const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/u;
const FENCE_IN_COMMENT = /^\s*\* ```.*?^\s*\* ```$/gmsu;

/** What a reader of a page reads as text, line by line, each after its place: no code and no comments. */
function proseOf(page: string): readonly string[] {
  const blank = (text: string): string => text.replaceAll(/[^\n]/gu, "");
  const text = read(page).replaceAll(FENCE, blank).replaceAll(COMMENT, blank).replaceAll(CODE, "``");
  return text.split("\n").map((line, index) => `${page}:${index + 1}: ${line}`);
}

/** The lines of the comments in a source, each after the file's name. */
function commentsOf(file: string): readonly string[] {
  const lines = read(file).replaceAll(FENCE_IN_COMMENT, "").split("\n");
  return lines
    .filter((line) => COMMENT_LINE.test(line))
    .map((line) => `${file}: ${line.replaceAll(CODE, "``").trim()}`);
}

function matching(lines: readonly string[], patterns: readonly RegExp[]): readonly string[] {
  return lines.filter((line) => patterns.some((pattern) => pattern.test(line)));
}

describe("the words of comments and pages", () => {
  const sources = globSync("{provider/src,sdk/nodejs,tools,tests,examples}/**/*.{ts,mjs,cjs,js}", {
    exclude: (path) => path.includes("node_modules"),
  });
  const forUsers = pages().filter((page) => !["CONTRIBUTING.md", "RELEASING.md"].includes(page));

  it("are sentences, which no dash or semicolon joins", () => {
    expect(matching(sources.flatMap(commentsOf), [/; \S/u, /\s[–—]\s/u])).to.deep.equal([]);
    expect(matching(forUsers.flatMap(proseOf), JOINS)).to.deep.equal([]);
  });
});
