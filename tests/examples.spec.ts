import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../package.json";

const EXAMPLES = join(__dirname, "..", "examples");
const Program = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

// That they run where they are copied to is what `npm run test:outside` shows; it takes the packed project for our own version.
describe("the examples in TypeScript", () => {
  const names = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "index.ts")));

  it("are there", () => expect(names).to.include.members(["quickstart", "pull-request", "component"]));

  for (const name of names)
    it(`${name} declares what it needs: this version of the project, and a TypeScript that Pulumi accepts`, () => {
      const text = readFileSync(join(EXAMPLES, name, "package.json"), "utf8");
      // One set for all of them: then one installation is enough to try them all.
      expect(Program.parse(JSON.parse(text))).to.deep.equal({
        dependencies: {
          "@pulumi/pulumi": "^3.230.0",
          [manifest.name]: `^${manifest.version}`,
          typescript: "^6.0.0",
        },
        devDependencies: { "@types/node": "^22.20.0" },
      });
    });
});
