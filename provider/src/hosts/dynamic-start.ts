// What `require("pulumi-previewenv/dynamic")` of a state file loads: it is small, and is compiled anew in each process.
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { compiledFolder } from "../installation/cache-folder";
import { packageVersion } from "../installation/package-version";
import { loadScript } from "./compiled-script";
import type * as Dynamic from "./dynamic";

/** Where `NODE_COMPILE_CACHE` is set, that folder is used. */
function keptFolder(): string | undefined {
  const folder = getCompileCacheDir() ?? compiledFolder();
  return folder && join(folder, packageVersion());
}

const { loaded, keep } = loadScript(join(__dirname, "host.js"), keptFolder());
const host: typeof Dynamic = loaded;
// The engine kills this process: what was compiled is kept before that, also by Node where it keeps something.
host.afterRequests((call) => {
  keep([call]);
  flushCompileCache();
});

/** The provider of a resource type. */
export const { provider } = host;
