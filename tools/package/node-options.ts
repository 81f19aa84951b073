// Prints those of a job's NODE_OPTIONS with which the plugin's own Node may start. It becomes node-options.cjs.
import { optionsForAll } from "../../provider/src/installation/node-options";

const known = process.allowedNodeEnvironmentFlags;
// Of an option that it does not know, or not there, Node says so and ends.
const isKnown = (option: string): boolean => known.has(option) || known.has(option.replace(/^--no-/, "--"));

process.stdout.write(optionsForAll(process.env["PREVIEWENV_NODE_OPTIONS"] ?? "", isKnown));
