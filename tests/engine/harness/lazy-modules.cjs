"use strict";

// Loaded before Node programs that the Pulumi CLI starts. What @pulumi/pulumi loads in every process, and these programs do not use, would be half
// of the CPU time of each of some hundred processes.
const Module = require("node:module");

/** For functions as values, and for programs that run stacks of their own. Loaded when they are needed. */
const LATE = new Set(["@npmcli/arborist", "typescript", "./automation"]);
/** For traces, which nothing asks for, for functions as values, and for stacks in the words of other sources. Never loaded. */
const NEVER = /^@opentelemetry\/(?!api$)|^normalize-package-data$|^source-map-support\/register$/u;
const { _load: load } = Module;

/** @param {[request: string, ...rest: unknown[]]} args */
Module._load = function loadLess(...args) {
  if (NEVER.test(args[0])) return {};
  if (!LATE.has(args[0])) return load.apply(this, args);
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
