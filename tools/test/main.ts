// Runs every check and every test but those of the group `outside`, or with `outside` alone that group, in several processes (queue.ts). With
// other arguments the tests of a group (groups.ts) in one mocha process, or only the spec files and folders that are named: node main.ts [GROUP]
// [--all] [FILES] [options of mocha]. With --all every host plays every scenario, the engine every history, and unit tests may start other programs.
import { existsSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
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
const named = args.filter((argument) => !argument.startsWith("-") && existsSync(resolve(ROOT, argument)));
const options = args.filter((argument) => !named.includes(argument));
const all = specsOf(ROOT, group, whole);
const filesByName = new Map(named.map((name) => [name, filesOf(name)]));
const files = [...filesByName.values()].flat();
const wrong = [
  ...options.filter((option) => !option.startsWith("-") && /^tests\/|\.spec\.ts$/u.test(option)),
  ...named.filter((name) => filesByName.get(name)?.length === 0),
];
/** Gives the exit code. */
async function main(): Promise<number> {
  if (wrong.length > 0) {
    console.error(`No such spec file, and no folder with specs of the group ${group}: ${wrong.join(", ")}`);
    return 1;
  }
  if (first === undefined || (group === "outside" && args.length === 0)) return runQueue(ROOT, group);
  const specs = files.length > 0 ? files : all;
  return runProgram(process.execPath, [MOCHA, ...options, ...specs], ROOT, process.env);
}

/** The spec files that a name stands for: of a folder, those of the group. */
function filesOf(name: string): readonly string[] {
  const path = resolve(ROOT, name);
  return statSync(path).isDirectory() ? all.filter((file) => resolve(ROOT, file).startsWith(path + sep)) : [name];
}

void main().then((code) => (process.exitCode = code));
