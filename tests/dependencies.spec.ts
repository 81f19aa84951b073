import { readFileSync } from "node:fs";
import * as path from "node:path";
import { expect } from "chai";
import * as z from "zod";
import { licences } from "../tools/generate/licenses";
import manifest from "../package.json";

const root = path.join(__dirname, "..");
/** Those that ask for no more than that their text is kept. */
const PERMISSIVE = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];
const Lock = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

describe("the lock file", () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  const locked = Object.entries(packages).filter(([place]) => place !== "");

  it("pins every package by its SHA-512, and names no registry or other place", () => {
    expect(locked.length).to.be.greaterThan(100);
    const loose = locked.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/u.test(integrity));
    expect(loose.map(([place]) => place)).to.deep.equal([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).to.deep.equal([]);
    expect(
      locked.filter(([, { version = "" }]) => !/^\d+\.\d+\.\d+/u.test(version)).map(([place]) => place),
    ).to.deep.equal([]);
  });

  it("installs with the package only what package.json names, and runs no script of it", () => {
    const production = locked.filter(([, { dev }]) => dev !== true);
    expect(production.map(([place]) => place)).to.have.members(
      Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`),
    );
    expect(production.filter(([, { hasInstallScript }]) => hasInstallScript === true)).to.deep.equal([]);
  });
});

describe("the list of licences", () => {
  it("has each package that is installed with this one, and no licence that asks for more than its text", () => {
    const listed = licences(root);
    expect(listed.map(([name]) => name)).to.have.members(Object.keys(manifest.dependencies));
    expect(listed.filter(([, license]) => !PERMISSIVE.includes(license))).to.deep.equal([]);
  });
});
