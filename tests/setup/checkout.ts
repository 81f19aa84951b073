import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Progress } from "../../tools/setup/progress.mjs";
import { cachedPulumi } from "../../tools/setup/pulumi/pulumi-cli.mjs";

const ROOT = resolve(__dirname, "..", "..");
const EXECUTABLE_MODE = 0o755;

/** A new folder that `removeFolders` takes away again. */
export function newFolder(): string {
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

/** What the fake npm installs: Node, a compiler and what runs TypeScript, which note their runs, and Pulumi's script. */
const NPM = (root: string, node: string) => `
echo "npm $*" >> ${root}/calls.log
case "$*" in *--no-dry-run*) ;; *) [ -n "$npm_config_dry_run" ] && exit 0 ;; esac
/bin/rm -rf ${root}/node_modules
/bin/mkdir -p ${root}/node_modules/.bin ${root}/node_modules/typescript/bin ${root}/node_modules/@pulumi/pulumi
/bin/ln -s ${node} ${root}/node_modules/.bin/node
/bin/cp ${root}/fake-tsc ${root}/node_modules/typescript/bin/tsc
/bin/cp -R ${root}/fake-ts-node ${root}/node_modules/ts-node
printf '#!/bin/sh\\n' > ${root}/node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs
/bin/cp ${root}/package-lock.json ${root}/node_modules/.package-lock.json
echo "npm noise"`;

const COMPILER = `
const { appendFileSync, mkdirSync, readdirSync, writeFileSync } = require("node:fs");
appendFileSync("calls.log", "tsc " + process.argv.slice(2).join(" ") + "\\n");
for (const folder of ["provider/src", "sdk/nodejs"]) {
  mkdirSync("dist/" + folder, { recursive: true });
  for (const file of readdirSync(folder)) writeFileSync("dist/" + folder + "/" + file.replace(".ts", ".js"), "");
}
`;

/** Stands for a program in TypeScript. */
const RUN_TYPESCRIPT = `
const [, program] = process.argv;
require("node:fs").appendFileSync("calls.log", require("node:path").basename(program) + "\\n");
process.exit();
`;

/** A checkout with the real set-up, fake npm, tsc and Pulumi, its own cache folder, and one more file, which is a program. */
export function newCheckout(program = "", text = "") {
  const root = newFolder();
  const bin = join(root, "fake-bin");
  const cache = join(root, "cache");
  cpSync(join(ROOT, "tools"), join(root, "tools"), { recursive: true });
  write(join(root, "package.json"), JSON.stringify({ name: "sample", main: "./dist/sdk/nodejs/index.js" }));
  if (program !== "") write(join(root, program), text);
  write(join(root, "package-lock.json"), `{ "packages": {} }`);
  write(join(root, "provider", "src", "a.ts"), "1;");
  write(join(root, "sdk", "nodejs", "index.ts"), "1;");
  write(join(root, "fake-tsc"), COMPILER);
  write(join(root, "fake-ts-node", "register", "index.js"), RUN_TYPESCRIPT);
  writeProgram(join(bin, "npm"), NPM(root, process.execPath));
  writePulumi(bin, "v3.240.0");
  symlinkSync(process.execPath, join(bin, "node"));
  const main = join(root, "tools", "setup", "main.mjs");
  return {
    root,
    /** The only folder on PATH. */
    bin,
    /** Runs main.mjs with arguments to its end. `env` is added to what it gets. */
    run: (args: string[], env: NodeJS.ProcessEnv = {}) =>
      runNode([main, ...args], root, { PATH: bin, HOME: root, PREVIEWENV_CACHE_DIR: cache, ...env }),
  };
}

/** Runs this Node with arguments to its end. */
export async function runNode(args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code]: unknown[] = await once(child, "close");
  return { code, stdout, stderr };
}
