import { readFileSync } from "node:fs";
import * as path from "node:path";
import { expect } from "chai";
import * as z from "zod";
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
      license: z.string().optional(),
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

  it("installs with the package only what package.json names, runs no script of it, and asks users for no more than to keep its licence", () => {
    const production = locked.filter(([, { dev }]) => dev !== true);
    expect(production.map(([place]) => place)).to.have.members(
      Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`),
    );
    expect(production.filter(([, { hasInstallScript }]) => hasInstallScript === true)).to.deep.equal([]);
    expect(production.filter(([, { license = "" }]) => !PERMISSIVE.includes(license))).to.deep.equal([]);
  });
});
