import { ConfigError } from "./errors";

/** `engines` of package.json. undici needs it: with an older one each request fails, and nothing says why. */
const OLDEST = [22, 19] as const;

/**
 * @param versions as `process.versions` has them
 * @throws ConfigError when requests cannot work in this process
 */
export function requireRuntime({ node, bun }: { readonly node: string; readonly bun?: string | undefined }): void {
  // Bun names the Node release that it is like.
  if (bun !== undefined)
    throw new ConfigError(
      `pulumi-previewenv does not run on Bun, and this is Bun ${bun}: use pulumi-previewenv-native, whose plugin brings its own ` +
        "Node, or run the program on Node.",
    );
  const [oldestMajor, oldestMinor] = OLDEST;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `pulumi-previewenv needs Node ${OLDEST.join(".")} or newer, and this is ${node}, at ${process.execPath}. Install a newer one ` +
      "(https://nodejs.org/en/download); Pulumi takes the first `node` on PATH.",
  );
}
