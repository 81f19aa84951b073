import { readdirSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** The names of the groups. */
export const GROUPS = ["all", "unit", "contract", "engine", "outside", "coverage"];

/** Folders of tests/ whose specs need more than this process, or take long. Every other folder is one of unit tests. */
const CONTRACT = ["contract", "hosts"];
const ENGINE = ["engine"];
const ENGINE_JOBS = 8;
const MORE = ["outside", "packaging", "schema", "setup", "simulation", "tour"];

/**
 * How names of specs of the group `outside` end, which are in no other group: they are about other languages, installation or scale, or they
 * play on the real engine what the scenarios of tests/contract hold.
 */
const OUTSIDE = ".outside.spec.ts";

/** How names of specs in folders of unit tests end that start other programs: a shell, a browser, git, or our own commands. */
const PROGRAM = ".program.spec.ts";

/** The spec files of a group, with `/`, relative to the checkout, sorted. Unit tests that start other programs are among them when all are asked for. */
export function specsOf(root: string, group: string, whole = false): readonly string[] {
  const all = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".spec.ts") && file.endsWith(OUTSIDE) === (group === "outside"))
    .map((file) => `tests/${file.split(sep).join("/")}`)
    .toSorted();
  const isIn = (folders: readonly string[]) => (file: string) => folders.includes(file.split("/")[1] ?? "");
  if (group === "all" || group === "outside") return all;
  if (group === "contract") return all.filter(isIn(CONTRACT));
  if (group === "engine") return all.filter(isIn(ENGINE));
  const unit = all.filter((file) => file.split("/").length > 2 && !isIn([...CONTRACT, ...ENGINE, ...MORE])(file));
  if (group === "unit") return whole ? unit : unit.filter((file) => !file.endsWith(PROGRAM));
  // The limits hold without most scenarios, which are to say what users see. Those of a cancelled step are the only tests of what it interrupts.
  if (group === "coverage") return [...unit, ...all.filter(isIn(["hosts"])), "tests/contract/cancelled.spec.ts"];
  throw new Error(`there is no group of tests called ${group}`);
}

/** The spec files of `all` or `outside` in jobs of one mocha process each, the longest jobs first. */
export function jobsOf(root: string, group: string): readonly (readonly string[])[] {
  const jobs = group === "outside" ? outsideJobs(root) : allJobs(root);
  return jobs.filter((files) => files.length > 0);
}

/** Each list of guides is a job. */
function outsideJobs(root: string): readonly (readonly string[])[] {
  const specs = specsOf(root, "outside");
  const guides = specs.filter((file) => dirname(file) === "tests/outside");
  return [...guides.map((file) => [file]), ...byFolder(specs.filter((file) => !guides.includes(file)))];
}

/**
 * Specs of tests/contract share the processes of their hosts. Those of tests/engine share nothing, but each process has to compile what they
 * import.
 */
function allJobs(root: string): readonly (readonly string[])[] {
  const [contract, engine, unit] = [specsOf(root, "contract"), specsOf(root, "engine"), specsOf(root, "unit")];
  const programs = specsOf(root, "unit", true).filter((file) => !unit.includes(file));
  const named = new Set([...contract, ...engine, ...unit, ...programs]);
  const others = specsOf(root, "all").filter((file) => !named.has(file));
  const size = (file: string): number => statSync(join(root, file)).size;
  const largest = engine.toSorted((one, other) => size(other) - size(one));
  return [
    contract,
    ...byFolder(others),
    ...Array.from({ length: ENGINE_JOBS }, (_, job) => largest.filter((_file, place) => place % ENGINE_JOBS === job)),
    programs,
    unit,
  ];
}

function byFolder(files: readonly string[]): readonly (readonly string[])[] {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  return folders.map((folder) => files.filter((file) => dirname(file) === folder));
}
