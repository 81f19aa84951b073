import { expect } from "chai";
import { load } from "./checkout";

interface CacheFolderModule {
  cacheFolder: (environment: NodeJS.ProcessEnv, platform: NodeJS.Platform) => string;
}

const HOME = "/home/ann";

describe("set-up: the cache folder", () => {
  const cases: [title: string, environment: NodeJS.ProcessEnv, platform: NodeJS.Platform, expected: string][] = [
    ["PREVIEWENV_CACHE_DIR above all", { PREVIEWENV_CACHE_DIR: "/here", XDG_CACHE_HOME: "/x", HOME }, "linux", "/here"],
    ["XDG_CACHE_HOME", { XDG_CACHE_HOME: "/x", HOME }, "linux", "/x/previewenv"],
    ["~/.cache", { PREVIEWENV_CACHE_DIR: "", HOME }, "linux", "/home/ann/.cache/previewenv"],
    ["~/Library/Caches on macOS", { HOME }, "darwin", "/home/ann/Library/Caches/previewenv"],
    ["LOCALAPPDATA on Windows", { LOCALAPPDATA: "/local", HOME }, "win32", "/local/previewenv"],
  ];
  for (const [title, environment, platform, expected] of cases) {
    it(`is chosen by ${title}`, async () => {
      const { cacheFolder } = await load<CacheFolderModule>("cache-folder.mjs");
      expect(cacheFolder(environment, platform)).to.equal(expected);
    });
  }

  it("is an absolute path, also when the variable is a relative one", async () => {
    const { cacheFolder } = await load<CacheFolderModule>("cache-folder.mjs");
    expect(cacheFolder({ PREVIEWENV_CACHE_DIR: "cache" }, "linux")).to.equal(`${process.cwd()}/cache`);
  });
});
