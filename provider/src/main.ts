#!/usr/bin/env node
import type * as Adopt from "./adopt/run";
import { USAGE as adopt } from "./adopt/usage";
import { runCommands, subcommand } from "./command/command";
import type * as Drift from "./drift/run";
import { USAGE as drift } from "./drift/usage";
import type * as Sandbox from "./sandbox/run";
import { USAGE as sandbox } from "./sandbox/usage";

// Of the commands that are not asked for, only what `--help` says of them is loaded.
runCommands([
  subcommand(drift, (values) => {
    const { run }: typeof Drift = require("./drift/run");
    return run(values);
  }),
  subcommand(adopt, (values, id) => {
    const { run }: typeof Adopt = require("./adopt/run");
    return run(values, id);
  }),
  subcommand(sandbox, (values) => {
    const { run }: typeof Sandbox = require("./sandbox/run");
    return run(values);
  }),
]);
