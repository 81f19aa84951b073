"use strict";

// Loaded before Node programs that the Pulumi CLI starts. @pulumi/pulumi loads TypeScript and npm's own package manager in every process, and needs
// them only to serialise functions. Loaded when they are needed, they spare each of some hundred processes a third of its CPU time.
const Module = require("node:module");

const LARGE = new Set(["@npmcli/arborist", "typescript"]);
const { _load: load } = Module;

/** @param {[request: string, ...rest: unknown[]]} args */
Module._load = function loadLate(...args) {
  if (!LARGE.has(args[0])) return load.apply(this, args);
  let real;
  return new Proxy(
    {},
    {
      // TypeScript's output asks for this mark at once.
      get: (_, name) => (name === "__esModule" ? true : (real ??= load.apply(Module, args))[name]),
      has: (_, name) => name in (real ??= load.apply(Module, args)),
    },
  );
};
