import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { cacheFolder, compiledFolder } from "../../provider/src/installation/cache-folder";
import * as setup from "../../tools/setup/cache-folder.mjs";

describe("the cache folder of a user", () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-cache-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is the same that the scripts of the project use", () => {
    const environments = [
      { HOME: "/home/ada" },
      { HOME: "/home/ada", XDG_CACHE_HOME: "/caches" },
      { HOME: "/home/ada", LOCALAPPDATA: "/local" },
      { HOME: "/home/ada", PREVIEWENV_CACHE_DIR: "/chosen" },
    ];
    for (const environment of environments)
      for (const platform of ["linux", "darwin", "win32"] as const)
        expect(cacheFolder(environment, platform)).to.equal(setup.cacheFolder(environment, platform));
  });

  it("has a folder for compiled code that only this user can enter", () => {
    const chosen = join(folder, "cache");
    expect(compiledFolder({ PREVIEWENV_CACHE_DIR: chosen })).to.equal(join(chosen, "compiled"));
    if (process.platform !== "win32") expect(statSync(join(chosen, "compiled")).mode & 0o777).to.equal(0o700);
    expect(compiledFolder({ PREVIEWENV_CACHE_DIR: chosen })).to.equal(join(chosen, "compiled"));
  });

  it("has none where it cannot be made", () => {
    writeFileSync(join(folder, "file"), "");
    expect(compiledFolder({ PREVIEWENV_CACHE_DIR: join(folder, "file") })).to.equal(undefined);
  });

  it("has none below a HOME that is empty or relative", () => {
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      for (const HOME of ["", "home"]) expect(compiledFolder({ HOME })).to.equal(undefined);
    } finally {
      process.chdir(cwd);
    }
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  const shared = (make: (at: string) => void): void => {
    const chosen = join(folder, "cache");
    mkdirSync(join(chosen, "compiled"), { recursive: true });
    make(chosen);
    expect(compiledFolder({ PREVIEWENV_CACHE_DIR: chosen })).to.equal(undefined);
  };

  if (process.platform !== "win32") {
    it("has none where others could change it", () => shared((at) => chmodSync(join(at, "compiled"), 0o777)));
    it("has none where others could put another one in its place", () => shared((at) => chmodSync(at, 0o777)));
    it("makes none in a folder of another user", () => {
      const { getuid } = process;
      if (getuid?.() === 0) chownSync(folder, 4712, -1);
      process.getuid = () => 4711;
      try {
        expect(compiledFolder({ HOME: folder })).to.equal(undefined);
      } finally {
        if (getuid) process.getuid = getuid;
      }
      expect(existsSync(join(folder, ".cache"))).to.equal(false);
    });
    it("has none behind a link into a folder of others", () =>
      shared((at) => {
        const open = join(folder, "open");
        mkdirSync(open);
        chmodSync(open, 0o777);
        rmSync(join(at, "compiled"), { recursive: true });
        mkdirSync(join(open, "compiled"), { mode: 0o700 });
        symlinkSync(join(open, "compiled"), join(at, "compiled"));
      }));
  }
});
