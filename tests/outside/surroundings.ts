import { realpathSync, symlinkSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { ROOT } from "./fences";

/**
 * What commands must not get from whoever started this: what npm tells its scripts, and settings of Node, Pulumi and this provider. How npm
 * reaches its registry belongs to the machine, and stays.
 */
const HIDDEN = /^(?:npm_|NODE_|PULUMI_|PREVIEWENV_|TS_NODE_|MOCHA|PYTHONPATH$|VIRTUAL_ENV$|INIT_CWD$)/iu;
const OF_THE_REGISTRY =
  /^npm_config_(?:registry|cache|userconfig|globalconfig|(?:https?_)?proxy|noproxy|cafile|strict_ssl)$/iu;

/**
 * The environment of somebody who has Node and the Pulumi CLI, and no checkout.
 * @param tools An empty folder, for links to programs.
 * @param home Where the CLI keeps plugins and credentials.
 */
export function surroundings(tools: string, home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !HIDDEN.test(name) || OF_THE_REGISTRY.test(name));
  const outside = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !isInside(folder));
  // The set-up's Node lies in the checkout. The program alone needs nothing of what is around it.
  symlinkSync(realpathSync(process.execPath), join(tools, "node"));
  const cli = process.env["PREVIEWENV_PULUMI_BIN"];
  return {
    ...Object.fromEntries(kept),
    PATH: [tools, ...outside, ...(cli ? [cli] : [])].join(delimiter),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_prefer_offline: "true",
    // With it, Go finds what the set-up has compiled for Pulumi's language hosts.
    GOFLAGS: "-buildvcs=false -trimpath",
    // The CLI ends before it has garbage worth collecting.
    GOGC: "off",
    GOMEMLIMIT: "256MiB",
    // As the workflows of the examples have them.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NODE_COMPILE_CACHE: join(home, "compiled"),
    PULUMI_HOME: home,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
}

function isInside(folder: string): boolean {
  return folder === ROOT || folder.startsWith(ROOT + sep);
}
