import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { TYPESCRIPT } from "./support/typescript";

const run = promisify(execFile);

describe("generated files", () => {
  it("follow from the declarations as they are: `npm run generate` changes nothing", async () => {
    const { stdout, stderr } = await run(process.execPath, [...TYPESCRIPT, "tools/generate/main.ts", "--check"]);

    expect(stdout + stderr).to.equal("");
  });
});

describe("loading the SDK", () => {
  for (const entry of ["index", "native"])
    it(`loads none of what only handlers and functions need (${entry})`, async () => {
      const program = `require("./sdk/nodejs/${entry}"); console.log(JSON.stringify(Object.keys(require.cache)));`;

      const { stdout } = await run(process.execPath, [...TYPESCRIPT, "--eval", program]);

      const loaded: readonly string[] = JSON.parse(stdout);
      expect(loaded.filter((file) => file.endsWith(`sdk/nodejs/${entry}.ts`))).to.have.lengthOf(1);
      expect(loaded.filter((file) => /[\\/]node_modules[\\/](zod|undici|picomatch)[\\/]/u.test(file))).to.deep.equal(
        [],
      );
      expect(loaded.filter((file) => /[\\/]provider[\\/]src[\\/]/u.test(file))).to.deep.equal([]);
    });
});
