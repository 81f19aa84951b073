"use strict";

// Lets Node run the TypeScript of this checkout: `node -r ./tools/typescript.cjs FILE.ts`. Types are not checked (`npm run check:types` does). What
// the compiler makes of a file, and what V8 makes of modules, is kept below node_modules/.cache, which makes a process start ten times faster (docs/decisions/0019).
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const ROOT = path.resolve(__dirname, "..");
const CACHE = path.join(ROOT, "node_modules", ".cache", "previewenv");
const SALT =
  readFileSync(__filename, "utf8") +
  readFileSync(path.join(ROOT, "node_modules", "typescript", "package.json"), "utf8");

/** @type {typeof import("typescript") | undefined} */
let typescript;

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
    // Loaded only for a file that is not in the cache: it takes half a second.
    typescript ??= require("typescript");
    const code = transpile(typescript, source, name);
    keep(cached, code);
    return code;
  }
}

/**
 * @param {typeof import("typescript")} ts
 * @param {string} source
 * @param {string} fileName
 * @returns {string}
 */
function transpile(ts, source, fileName) {
  return ts.transpileModule(source, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      // CommonJS, as package.json says; `import()` stays, since some modules of the tools are ECMAScript modules.
      module: ts.ModuleKind.Node20,
      esModuleInterop: true,
      inlineSourceMap: true,
      inlineSources: true,
    },
  }).outputText;
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
