import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../../package.json";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { load } from "./plugin-folder";

const ROOT = resolve(__dirname, "..", "..");
const entries = [
  [manifest.name, Object.keys(dynamic)],
  [`${manifest.name}/native`, Object.keys(native)],
] as const;

/** Prints what the entry gives, and for each name the files of the package that using it loads, when it is the only one. */
const ALONE = `
require("@pulumi/pulumi");
const path = require("node:path");
const sdk = path.join(process.cwd(), "dist", "sdk", "nodejs") + path.sep;
const own = () => Object.keys(require.cache).filter((file) => file.startsWith(sdk));
const fresh = () => (own().forEach((file) => delete require.cache[file]), require(process.argv[1]));
const alone = Object.keys(fresh()).map((name) => {
  const entry = fresh();
  const before = own();
  const same = entry[name] !== undefined && entry[name] === entry[name];
  return { name, same, before: before.length, files: own().map((file) => file.slice(sdk.length)) };
});
console.log(JSON.stringify(alone));
`;

const Alone = z.array(
  z.object({ name: z.string(), same: z.boolean(), before: z.number(), files: z.array(z.string()) }),
);

describe("the entries of the built package", () => {
  for (const [entry, names] of entries)
    it(`give each name of ${entry} on its own, and load files only when it is used`, () => {
      const alone = Alone.parse(
        JSON.parse(execFileSync(process.execPath, ["-e", ALONE, entry], { cwd: ROOT, encoding: "utf8" })),
      );
      expect(alone.map(({ name }) => name)).to.have.members(names);
      expect(alone.filter(({ same }) => !same)).to.deep.equal([]);
      expect(new Set(alone.map(({ before }) => before))).to.deep.equal(new Set([2]));
      const filesOf = (wanted: string): readonly string[] => alone.find(({ name }) => name === wanted)?.files ?? [];
      expect(filesOf("EnvVarSet").length).to.be.within(10, 30);
      expect(
        filesOf("EnvVarSet").filter((file) => /function(?!-error)|component|preview-env|dotenv/u.test(file)),
      ).to.deep.equal([]);
      expect(filesOf("existing").length).to.equal(3);
    });

  describe("are made", () => {
    let folder: string;
    const compiled = `"use strict";\nvar a_1 = require("./a");\nObject.defineProperty(exports, "a", { get: () => a_1.a });\n`;
    const files = ["index.js", "native.js", "generated/index.js", "generated/native/index.js"];

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "previewenv-entries-"));
      for (const file of files) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), compiled);
      }
    });

    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const make = async (): Promise<void> => {
      const { makeEntriesLazy } = await load<{ makeEntriesLazy: (folder: string) => Promise<void> }>(
        "lazy-entries.mjs",
      );
      await makeEntriesLazy(folder);
    };
    const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");

    it("once: a second build leaves them as they are", async () => {
      await make();
      const first = files.map(textOf);
      await make();
      expect(files.map(textOf)).to.deep.equal(first);
      expect(first.every((text) => text.includes('lazy(() => require("./a"))'))).to.equal(true);
    });

    it("or the build fails, when the compiler writes exports in another way", async () => {
      writeFileSync(join(folder, "native.js"), compiled.replace("var", "const"));
      const failure = await make().then(
        () => "none",
        (error: unknown) => String(error),
      );
      expect(failure).to.match(/native\.js has no exports of other files/u);
    });
  });
});
