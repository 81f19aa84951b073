// Prints those of a job's NODE_OPTIONS with which the plugin's own Node may start. In the syntax of old Node releases.
"use strict";

/** They load what belongs to the job's own programs, or wait for somebody who looks into these. */
const OF_PROGRAMS =
  /^(?:-r|--(?:require|import|(?:experimental-)?loader|snapshot-blob|experimental-package-map|entry-url|inspect.*|watch.*))$/;

let isKept = false;
const kept = wordsOf(process.env.PREVIEWENV_NODE_OPTIONS || "").filter((word) => {
  // A word without a dash is the value of the option before it.
  if (word[0] === "-") isKept = isFitting(word.split("=")[0].replace(/_/g, "-"));
  return isKept;
});
process.stdout.write(kept.map(quoted).join(" "));

/** An option that this Node does not know, or not there, would end it. */
function isFitting(option) {
  const known = process.allowedNodeEnvironmentFlags;
  return !OF_PROGRAMS.test(option) && (known.has(option) || known.has(option.replace(/^--no-/, "--")));
}

/** The words as Node reads them: between double quotes a space is a part of the word, and a backslash stands before a character. */
function wordsOf(text) {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|[^ "])+/g) || [];
  return words.map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner) => inner.replace(/\\(.)/g, "$1")));
}

function quoted(word) {
  return /[ "]/.test(word) ? '"' + word.replace(/["\\]/g, "\\$&") + '"' : word;
}
