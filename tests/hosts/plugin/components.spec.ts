import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const ROOT = join(__dirname, "..", "..", "..");
const SDK = join(ROOT, "sdk", "nodejs");
const PART = join(ROOT, "provider", "src", "hosts", "plugin", "components", "pulumi-runtime.ts");

// The bundler names what is missing of `pulumi`, but not of an object within it.
describe("what components have of Pulumi's SDK in the bundle", () => {
  it("is all that the classes use of `pulumi.runtime`", () => {
    const sources = readdirSync(SDK, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const used = sources.flatMap((name) =>
      [...readFileSync(join(SDK, name), "utf8").matchAll(/\bpulumi\.runtime\.(\w+)/gu)].map(([, one = ""]) => one),
    );
    const exported = [...readFileSync(PART, "utf8").matchAll(/\{ (.+) \}/gu)].flatMap(([, names = ""]) =>
      names.split(", "),
    );

    expect(new Set(used)).to.include("invokeOutput");
    expect(exported).to.include.members([...new Set(used)]);
  });
});
