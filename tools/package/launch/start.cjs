// Runs plugin.cjs. In the syntax of old Node releases, so that one that is too old can be told so.
"use strict";

const OLDEST = [22, 19];

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `pulumi-resource-previewenv: Node ${OLDEST.join(".")} or newer is needed; ${process.execPath} is ${process.version}. ` +
      "Install a newer one (https://nodejs.org/en/download), or the packaged plugin, which brings its own.",
  );
  process.exit(1);
}

module.exports = require("./plugin.cjs");
