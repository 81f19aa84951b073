import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import * as z from "zod";
import { findOnPath } from "../../tools/setup/command.mjs";
import { cacheFolder } from "../../tools/setup/cache-folder.mjs";
import { root, programFolders, temporaryFolder } from "./package-schema";

const run = promisify(execFile);
const DOWNLOAD_MS = 900_000;
const NEEDED = ["mvn", "javac"];

/** How Maven says that it has not got what it needs, and could not get it. */
const WITHOUT_DOWNLOADS = /offline mode|Could not transfer|Unknown host|Network is unreachable|Connection refused/u;

// Only the compiler tells whether generated code fits Pulumi's classes. Nothing else here runs Java.
describe("the Java SDK", () => {
  const folder = temporaryFolder();
  const missing = NEEDED.find((name) => findOnPath(name) === undefined);
  const title = "compiles, and so does each of the examples";
  if (missing !== undefined) it.skip(`${title} (there is no ${missing} on PATH)`);
  else
    it(title, async function () {
      cpSync(join(root, "sdk", "java"), folder.path(), { recursive: true });
      for (const program of programFolders("java")) addProgram(program, join(folder.path(), "src", "main", "java"));
      const repository = join(cacheFolder(), "maven");

      const said =
        (await compile(folder.path(), repository, ["--offline"])) ?? (await compile(folder.path(), repository, []));

      if (said === undefined) this.skip();
      expect(said).to.equal("");
    }).timeout(DOWNLOAD_MS);
});

/** Copies a program into a package of its own: each is named `App`. */
function addProgram(program: string, sources: string): void {
  const name = `example_${basename(program).replaceAll("-", "_")}`;
  mkdirSync(join(sources, name));
  const text = readFileSync(join(program, "App.java"), "utf8");
  writeFileSync(join(sources, name, "App.java"), `package ${name};\n${text}`);
}

/** What Maven says to a compilation, nothing when it succeeds. `undefined` when it lacks something it would have to download. */
async function compile(cwd: string, repository: string, options: readonly string[]): Promise<string | undefined> {
  const args = ["--quiet", "--batch-mode", `-Dmaven.repo.local=${repository}`, ...options, "compile"];
  try {
    await run("mvn", args, {
      cwd,
      env: { ...process.env, MAVEN_OPTS: "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" },
    });
    return "";
  } catch (error) {
    const { stdout } = z.object({ stdout: z.string() }).parse(error);
    return WITHOUT_DOWNLOADS.test(stdout) ? undefined : stdout;
  }
}
