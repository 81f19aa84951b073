import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Progress } from "../../tools/setup/progress.mjs";
import { cachedPulumi } from "../../tools/setup/pulumi/pulumi-cli.mjs";

const EXECUTABLE_MODE = 0o755;

/** A new folder that `removeFolders` takes away again. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-setup-"));
  created.push(folder);
  return folder;
}

/** Removes what `newFolder` has made. For afterEach. */
export function removeFolders(): void {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
}

const created: string[] = [];

/** A made-up machine for one step of the set-up: an empty checkout, an empty cache and an empty PATH. */
export function newMachine() {
  const root = newFolder();
  const [bin, cache, log] = [join(root, "bin"), join(root, "cache"), join(root, "log")];
  let said = "";
  const progress = new Progress({ write: (text) => void (said += text) });
  const env: NodeJS.ProcessEnv = { PATH: bin, LOG: log, HOME: root };
  return {
    /** What the step gets. */
    context: { root, cache, env, progress },
    bin,
    /** Where the cache has the programs of the Pulumi CLI. */
    cached: join(cachedPulumi(cache), "bin"),
    /** What the step has said until now. */
    said: () => said,
    /** What its programs have written to $LOG, line by line. */
    logged: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes a program: a shell script with these lines. */
export function writeProgram(path: string, lines: string): void {
  write(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, EXECUTABLE_MODE);
}

/** A `pulumi` of a version, with its hosts, in `folder`. */
export function writePulumi(folder: string, version: string): void {
  writeProgram(join(folder, "pulumi"), `echo ${version}`);
  writeProgram(join(folder, "pulumi-language-nodejs"), "true");
  writeProgram(join(folder, "pulumi-resource-pulumi-nodejs"), "true");
}

/** The packages of programs that a module of `tools/setup/pulumi/modules` has. One ends with a version, as real ones do. */
const TOOLS = "example.com/cmd/pulumi example.com/pulumi-language-nodejs/v3";

/** A fake go: `go list` gives packages, and `go build -o X PACKAGES` puts programs that print their version into the folder X. */
export const fakeGo = (extra = ""): string => `
[ "$*" = "list -mod=readonly tool" ] && { printf '%s\\n' ${TOOLS}; exit 0; }
while [ $# -gt 0 ]; do
  case "$1" in
    -ldflags) shift; flags=$1;;
    -o) shift; folder=$1;;
    example.com/*) packages="$packages $1";;
  esac
  shift
done
for package in $packages; do
  program=\${package#example.com/}; program=\${program#cmd/}; program=\${program%/v3}
  echo "\${PWD##*/}: $program GOWORK=$GOWORK" >> "\${LOG:-/dev/null}"
  out=$folder/$program
  printf '#!/bin/sh\\necho %s\\n' "\${flags##*=}" > "$out"
  /bin/chmod 755 "$out"
  ${extra}
done`;
