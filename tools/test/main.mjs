// Runs every check and every test, or with `outside` alone the tests of that group, in several processes (queue.mjs). With other arguments the
// tests of a group (groups.mjs) in one mocha process, or only the spec files that are named: node main.mjs [GROUP] [--all] [FILES] [options of
// mocha]. With --all every host plays every scenario, the engine every history, and unit tests may start other programs.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../setup/run-program.mjs";
import { GROUPS, specsOf } from "./groups.mjs";
import { mochaArguments } from "./mocha.mjs";
import { runQueue } from "./queue.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

const [first] = process.argv.slice(2);
const group = first !== undefined && GROUPS.includes(first) ? first : "all";
const given = process.argv.slice(2).filter((argument, index) => index > 0 || argument !== group);
const args = given.filter((argument) => argument !== "--all");
const whole = args.length < given.length;
if (whole) process.env["PREVIEWENV_ALL_SCENARIOS"] = "1";
const files = args.filter((argument) => !argument.startsWith("-") && existsSync(resolve(ROOT, argument)));
const options = args.filter((argument) => !files.includes(argument));
const specs = files.length > 0 ? files : specsOf(ROOT, group, whole);
process.exitCode =
  first === undefined || (group === "outside" && args.length === 0)
    ? await runQueue(ROOT, group)
    : await runProgram(process.execPath, mochaArguments(specs, options), ROOT, process.env);
