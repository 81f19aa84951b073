import { provideBuild } from "./build.mjs";
import { provideDependencies } from "./dependencies.mjs";
import { programFolder } from "./node.mjs";
import { GENERATORS, HOSTS, provideLanguageHosts } from "./pulumi/language-hosts.mjs";
import { cachedPulumi } from "./pulumi/programs.mjs";
import { providePulumi } from "./pulumi/pulumi-cli.mjs";
import { providePython, PYTHON_FOLDER_VARIABLE } from "./python.mjs";
import { withPath } from "./run-script.mjs";

/** Names the folder of the Pulumi CLI that the set-up has chosen, for the scripts it starts. */
const PULUMI_FOLDER_VARIABLE = "PREVIEWENV_PULUMI_BIN";

/** The scripts that write the SDKs of other languages. */
const GENERATE_SDKS = new Set(["sdks", "release:run"]);

/** The scripts that deal with other languages than TypeScript. */
const IN_ALL_LANGUAGES = new Set(["verify", "test:mocha", "outside", "release:check:run", ...GENERATE_SDKS]);

/**
 * The dependencies, the link and the build, which every script may use. They do nothing when their result is there.
 * @param {import("./dependencies.mjs").SetupContext} context
 */
export async function setUpCheckout(context) {
  await provideDependencies(context);
  await provideBuild(context);
}

/**
 * Everything that a script needs, in order; each step does nothing when its result is there.
 * @param {import("./dependencies.mjs").SetupContext} context
 * @param {string} script
 * @returns {Promise<NodeJS.ProcessEnv>} The environment for the script.
 */
export async function setUp(context, script) {
  await setUpCheckout(context);
  const pulumi = await providePulumi(context);
  const inAllLanguages = IN_ALL_LANGUAGES.has(script);
  const languages = GENERATE_SDKS.has(script) ? [...HOSTS, ...GENERATORS] : HOSTS;
  const hosts = inAllLanguages ? await provideLanguageHosts(context, pulumi, languages) : pulumi;
  const python = inAllLanguages ? await providePython(context) : undefined;
  // A CLI that PATH has needs no second entry, which could hide other programs.
  const folders = [...new Set([pulumi, hosts])].filter((folder) => folder.startsWith(cachedPulumi(context.cache)));
  const env = withPath(context.env, [programFolder(context.root), ...folders]);
  return { ...env, [PULUMI_FOLDER_VARIABLE]: pulumi, ...(python && { [PYTHON_FOLDER_VARIABLE]: python }) };
}
