import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { USAGE as adopt } from "../../provider/src/adopt/usage";
import { subcommand } from "../../provider/src/command/command";
import { formOf, type Usage } from "../../provider/src/command/usage";
import { USAGE as drift } from "../../provider/src/drift/usage";
import { USAGE as sandbox } from "../../provider/src/sandbox/usage";

const page = readFileSync(join(__dirname, "..", "..", "docs", "command-line.md"), "utf8");
const usages: readonly Usage[] = [drift, adopt, sandbox];

function helpOf(usage: Usage): string {
  let text = "";
  const command = subcommand(usage, () => Promise.resolve(0));
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

describe("the help of a command", () => {
  for (const usage of usages) {
    const { name, exitCodes } = usage;
    const help = helpOf(usage);
    const options = Object.entries(usage.options);

    it(`${name} fits into 80 columns, in plain text that ends with a line feed`, () => {
      const lines = help.split("\n");
      expect(lines.at(-1)).to.equal("");
      expect(lines.filter((line) => line.length > 80 || line !== line.trimEnd() || line.includes("`"))).to.deep.equal(
        [],
      );
    });

    it(`${name} has every option with its default, and every exit code, and so has the page`, () => {
      expect(options.length).to.be.greaterThan(3);
      const words = help.replaceAll(/\s+/gu, " ");
      for (const [option, declared] of options) {
        const { default: fallback } = declared;
        expect(words).to.contain(` ${formOf(option, declared)} `);
        if (fallback !== undefined) expect(words).to.contain(`(default: ${fallback})`);
        if (fallback !== undefined) expect(page).to.contain(`Default: \`${fallback}\`.`);
        expect(page).to.contain(`| \`${formOf(option, declared)}\` | `);
      }
      expect(words).to.contain(" --help Shows");
      for (const [code, text] of exitCodes) {
        expect(words).to.contain(` ${code} ${text}`);
        expect(page).to.contain(`| ${code} | ${text} |`);
      }
    });
  }
});
