import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { findProgram } from "../../tools/generate/sdks/programs";
import { identity } from "../../tools/release/owner";
import { root, programFolders, temporaryFolder } from "./package-schema";

const run = promisify(execFile);
/** Pulumi's own SDK has to be compiled once on a machine. Later it takes seconds. */
const FIRST_MS = 900_000;

// Only the compiler tells whether generated code has two things of one name, and whether the examples fit it.
describe("the Go SDK", () => {
  const folder = temporaryFolder();
  const go = findProgram("go");
  const title = "compiles without a finding of `go vet`, and so does each example";
  if (go === undefined) it.skip(`${title} (there is no go on PATH)`);
  else
    it(title, async () => {
      const quickstart = join(root, "examples", "quickstart-go");
      cpSync(join(quickstart, "go.sum"), join(folder.path(), "go.sum"));
      // The SDK of the checkout, instead of a published one.
      const module = readFileSync(join(quickstart, "go.mod"), "utf8");
      const replace = `replace ${identity.goModule} => ${join(root, "sdk", "go")}`;
      writeFileSync(join(folder.path(), "go.mod"), `${module}\n${replace}\n`);
      for (const program of programFolders("go")) {
        const target = join(folder.path(), basename(program));
        mkdirSync(target);
        cpSync(join(program, "main.go"), join(target, "main.go"));
      }

      // With the flags of the set-up's own builds, whose results it then finds in Go's cache.
      const vet = await run(go, ["vet", "-mod=readonly", "-trimpath", "./...", `${identity.goModule}/...`], {
        cwd: folder.path(),
        env: { ...process.env, GOWORK: "off", GOFLAGS: "-buildvcs=false" },
      });

      expect(vet.stdout + vet.stderr.replaceAll(/^go: downloading .*\n/gmu, "")).to.equal("");
    }).timeout(FIRST_MS);
});
