// What `require("pulumi-previewenv/dynamic")` of a state file loads: it is small, and is compiled anew in each process.
import { keepCompiled } from "./compile-cache";
import type * as Dynamic from "./dynamic";

keepCompiled();
const host: typeof Dynamic = require("./dynamic");

/** The provider of a resource type. */
export const { provider } = host;
