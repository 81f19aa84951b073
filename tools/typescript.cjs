"use strict";

// Lets Node run the TypeScript of this checkout: `node -r ./tools/typescript.cjs FILE.ts`. Types are not checked (`npm run check:types` does). What
// esbuild makes of a file, and what V8 makes of modules, is kept below node_modules/.cache, which makes a process start ten times faster.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const ROOT = path.resolve(__dirname, "..");
const CACHE = path.join(ROOT, "node_modules", ".cache", "previewenv");
const SALT =
  readFileSync(__filename, "utf8") + readFileSync(path.join(ROOT, "node_modules", "esbuild", "package.json"), "utf8");

/** @type {typeof import("esbuild") | undefined} */
let esbuild;

/**
 * @param {string} filename
 * @returns {string} CommonJS
 */
function compile(filename) {
  const source = readFileSync(filename, "utf8");
  // The map names the file as its neighbour, so that the same text in another checkout has the same entry.
  const name = path.basename(filename);
  const hash = createHash("sha256").update(`${SALT}\0${name}\0${source}`).digest("hex");
  const cached = path.join(CACHE, `${hash}.js`);
  try {
    return readFileSync(cached, "utf8");
  } catch {
    esbuild ??= require("esbuild");
    const { code } = esbuild.transformSync(source, {
      loader: "ts",
      format: "cjs",
      platform: "node",
      target: "node22",
      sourcefile: name,
      sourcemap: "inline",
    });
    keep(cached, code);
    return code;
  }
}

/**
 * Other processes may write the same file, and read it only when it is whole. Without a place for it the next process compiles again.
 * @param {string} file
 * @param {string} code
 */
function keep(file, code) {
  const own = `${file}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(own, code);
    renameSync(own, file);
  } catch {
    rmSync(own, { force: true });
  }
}

process.setSourceMapsEnabled(true);
// V8 counts less precisely in functions that come from its cache.
if (process.env["NODE_V8_COVERAGE"] === undefined) Module.enableCompileCache?.(path.join(CACHE, "v8"));
/**
 * @param {{ _compile(code: string, filename: string): void }} module
 * @param {string} filename
 */
const load = (module, filename) => module._compile(compile(filename), filename);
Object.assign(require.extensions, { ".ts": load });
