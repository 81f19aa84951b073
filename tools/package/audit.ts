import { spawnSync } from "node:child_process";
import { judge } from "./audit-verdict";

// Asks the registry about everything that is installed with the package; needs network, so no test runs it.
const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const { text, exitCode } = judge(stdout);
console.log(text);
process.exitCode = exitCode;
