// Runs every check and every test but those of the group `outside`, or with `outside` alone that group, in several processes (queue.ts). With
// other arguments the tests of a group (groups.ts) in one mocha process, or only the spec files and folders that are named: node main.ts [GROUP]
// [--all] [FILES] [options of mocha]. With --all every host plays every scenario, the engine every history, and unit tests may start other programs.
import { existsSync } from "node:fs";
import { posix, resolve } from "node:path";
import { runProgram } from "../setup/run-program.mjs";
import { GROUPS, specsOf } from "./groups";
import { MOCHA, runQueue } from "./queue";

const ROOT = resolve(__dirname, "..", "..");

const [first] = process.argv.slice(2);
const group = first !== undefined && GROUPS.includes(first) ? first : "all";
const given = process.argv.slice(2).filter((argument, index) => index > 0 || argument !== group);
const args = given.filter((argument) => argument !== "--all");
const whole = args.length < given.length;
if (whole) process.env["PREVIEWENV_ALL_SCENARIOS"] = "1";
const names = args.filter((argument) => /^(?:\.\/)?tests\/|\.spec\.ts$/u.test(argument));
const options = args.filter((argument) => !names.includes(argument));
const all = specsOf(ROOT, group, whole);
const wrong = names.filter((name) => filesOf(name).length === 0);

/** Gives the exit code. */
async function main(): Promise<number> {
  if (wrong.length > 0) {
    console.error(`No such spec file, and no folder with specs of the group ${group}: ${wrong.join(", ")}`);
    return 1;
  }
  if (first === undefined || (group === "outside" && args.length === 0)) return runQueue(ROOT, group);
  const specs = names.length > 0 ? names.flatMap(filesOf) : all;
  return runProgram(process.execPath, [MOCHA, ...options, ...specs], ROOT, process.env);
}

/** The spec files that a name stands for: itself, or those of the group in this folder. */
function filesOf(name: string): readonly string[] {
  return name.endsWith(".ts") && existsSync(resolve(ROOT, name))
    ? [name]
    : all.filter((file) => file.startsWith(posix.join(name, "/")));
}

void main().then((code) => (process.exitCode = code));
