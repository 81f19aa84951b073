// Generated from package.json and tools/release/identity.json by `npm run generate`. Do not edit.
"use strict";

module.exports = require("pulumi-previewenv/native");
