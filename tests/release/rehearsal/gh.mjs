#!/usr/bin/env node
// Stands in for GitHub's command line: it keeps one release in the folder $REHEARSAL_GITHUB, tags the repository there, and records its calls.
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const folder = process.env["REHEARSAL_GITHUB"] ?? "";
const [draft, published] = [join(folder, "draft"), join(folder, "published")];
const args = process.argv.slice(2);
const [area, action] = args;

/**
 * @param {string} text
 * @returns {never}
 */
function fail(text) {
  console.error(`gh: ${text}`);
  process.exit(1);
}

/** @param {string} name */
function field(name) {
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** @type {Readonly<Record<string, () => void>>} */
const release = {
  view() {
    if (!existsSync(draft) && !existsSync(published)) fail("release not found");
    console.log(existsSync(draft));
  },
  delete: () => rmSync(draft, { recursive: true }),
  create() {
    if (!args.includes("--draft")) fail("the release would be public before its files are there");
    if (readFileSync(args[args.indexOf("--notes-file") + 1] ?? "", "utf8").trim() === "") fail("the notes are empty");
    mkdirSync(draft);
  },
  upload() {
    if (!existsSync(draft)) fail("there is no draft");
    for (const file of args.slice(3)) copyFileSync(file, join(draft, basename(file)));
  },
  edit: () => renameSync(draft, published),
};

/** Reads or writes a tag. */
function api() {
  const repository = ["--git-dir", join(folder, "repository.git")];
  const named = args.find((arg) => /\/git\/refs?\/tags\//u.test(arg))?.replace(/^.*\/git\/refs?\//u, "refs/");
  const [ref = named ?? fail("no tag is named"), sha] = [field("ref"), field("sha")];
  try {
    const command = sha === undefined ? ["show-ref", "--verify", ref] : ["update-ref", ref, sha];
    execFileSync("git", [...repository, ...command], { stdio: "pipe" });
  } catch {
    fail(`${ref}: not found`);
  }
}

appendFileSync(join(folder, "calls"), `${args.join(" ")}\n`);
if (area === "api") api();
else (release[action ?? ""] ?? fail(`unknown: ${args.join(" ")}`))();
