import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { expect } from "chai";
import { findOnPath } from "../../tools/setup/command.mjs";
import { TYPESCRIPT } from "../support/languages";

const TOUR_MS = 900_000;
const ROOT = resolve(__dirname, "..", "..");

/** What `npm start` runs, in a temporary folder and a process group of its own. */
class Tour implements Disposable {
  /** What it has printed so far: both streams, in the order in which they came. */
  output = "";
  readonly #folder = mkdtempSync(join(tmpdir(), "previewenv-tour-spec-"));
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<unknown[]>;

  constructor(settings: NodeJS.ProcessEnv = {}) {
    const env = { ...process.env, NODE_V8_COVERAGE: undefined, ...settings };
    this.#child = spawn(process.execPath, [...TYPESCRIPT, "tools/tour/main.ts"], {
      cwd: ROOT,
      env: { ...env, TMPDIR: this.#folder, TEMP: this.#folder, TMP: this.#folder },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.#ended = once(this.#child, "close");
  }

  async exitCode(): Promise<unknown> {
    const [code] = await this.#ended;
    return code;
  }

  /** The folders that it has made and not removed. */
  get leftFolders(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => name.startsWith("previewenv-tour-"));
  }

  [Symbol.dispose](): void {
    // All of its processes, should it hang.
    if (this.#child.pid !== undefined && this.#child.exitCode === null) process.kill(-this.#child.pid, "SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The part of the output that the first screen of README.md shows. */
function shownInReadme(): readonly string[] {
  const [, fence = ""] = readFileSync(join(ROOT, "README.md"), "utf8").split(
    "tour.outside.spec.ts compares them -->\n```text\n",
  );
  return fence
    .slice(0, fence.indexOf("```"))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** As many of these lines as the output has in this order, with others between them. */
function linesThatFollow(output: string, lines: readonly string[]): readonly string[] {
  const printed = output.split("\n").map((line) => line.replace(/^ *\|/u, "").trim());
  let place = 0;
  return lines.filter((line) => {
    const found = printed.indexOf(line, place);
    if (found >= 0) place = found + 1;
    return found >= 0;
  });
}

// Worth its half minute: it is the first command of the README, and each step of it checks what it shows, on the real engine.
describe("tour: on the real CLI", function () {
  this.timeout(TOUR_MS);

  before(function () {
    if (findOnPath("pulumi") === undefined) this.skip();
  });

  it("goes through all steps, and leaves nothing behind", async () => {
    using tour = new Tour({ PREVIEWENV_API_TOKEN: "a-real-token", NO_COLOR: "" });
    expect(await tour.exitCode(), tour.output).to.equal(0);
    const headings = tour.output.match(/^== \d\. /gmu) ?? [];
    expect(headings.join("")).to.equal("== 0. == 1. == 2. == 3. == 4. == 5. == 6. == 7. ");
    expect(tour.output).to.contain("PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN are not used");
    expect(tour.output).to.match(/^Every check passed, in \d+ s\.$/mu);
    expect(tour.output).not.to.contain("\u001b");
    expect(tour.leftFolders).to.deep.equal([]);
    expect(linesThatFollow(tour.output, shownInReadme()), "README.md shows what it prints").to.deep.equal(
      shownInReadme(),
    );
  });
});
