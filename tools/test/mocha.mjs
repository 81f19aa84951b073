import { createRequire } from "node:module";

/**
 * The arguments of Node that run spec files. Everything else about mocha stands in package.json.
 * @param {readonly string[]} files
 * @param {readonly string[]} options
 */
export function mochaArguments(files, options = []) {
  const mocha = createRequire(import.meta.url).resolve("mocha/bin/mocha.js");
  return [mocha, ...options, ...(process.stdout.isTTY ? ["--color"] : []), ...files];
}
