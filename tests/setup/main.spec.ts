import { expect } from "chai";
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { newCheckout, removeFolders, write } from "./checkout";

const SHOW_SOURCE = `console.log(JSON.stringify({ args: process.argv.slice(2), pulumi: process.env.PREVIEWENV_PULUMI_BIN, node: process.execPath }));
process.exitCode = 7;`;

const INSTALLED = "npm ci --include=dev --no-dry-run --prefer-offline --no-audit --no-fund";
const COMPILED = ["tsc -p provider", "bundle.ts"];

function calls({ root }: { readonly root: string }): string[] {
  const log = join(root, "calls.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

const showing = () => newCheckout("show.js", SHOW_SOURCE);

describe("set-up: npm start and npm test", function () {
  afterEach(removeFolders);

  it("installs, builds and says so, runs the script, and says and does nothing of its own the second time", async () => {
    const checkout = showing();
    const args = ["--environment", "it's $HOME *", ""];
    const first = await checkout.run(["--pulumi", "show.js", ...args]);
    expect(JSON.parse(first.stdout)).to.deep.include({ args, pulumi: checkout.bin });
    expect(first.code).to.equal(7);
    expect(first.stderr).to.match(
      /\[setup\] dependencies: npm ci \(about 30 s\) \.\.\.\n\[setup\] dependencies: npm ci: done/,
    );
    expect(first.stderr).to.contain("[setup] build: tsc -p provider: done");
    expect(first.stderr).not.to.contain("npm noise");
    const second = await checkout.run(["--pulumi", "show.js"]);
    expect(second.stderr).to.equal("");
    expect(calls(checkout)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("installs, links and builds without a script, also for `npm pack --dry-run`, and fetches no Pulumi CLI", async () => {
    const checkout = newCheckout();
    for (const name of readdirSync(checkout.bin)) if (name.startsWith("pulumi")) rmSync(join(checkout.bin, name));
    const { code, stdout, stderr } = await checkout.run([], { npm_config_dry_run: "true" });
    expect([code, stdout], stderr).to.deep.equal([0, ""]);
    expect(realpathSync(join(checkout.root, "node_modules", "sample"))).to.equal(realpathSync(checkout.root));
    expect(stderr).to.contain("build: tsc -p provider: done").and.not.to.contain("Pulumi CLI");
    expect(calls(checkout)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("runs a script without an option, too, as the scripts test:unit and test:files do", async () => {
    const checkout = showing();
    for (const name of readdirSync(checkout.bin)) if (name.startsWith("pulumi")) rmSync(join(checkout.bin, name));
    const { code, stdout, stderr } = await checkout.run(["show.js", "--dry-run"]);
    expect(JSON.parse(stdout)).to.deep.include({ args: ["--dry-run"] });
    expect(code).to.equal(7);
    expect(stderr).not.to.contain("Pulumi CLI");
  });

  it("installs again when the lock file has changed, and builds again when a source has", async () => {
    const checkout = showing();
    await checkout.run(["--pulumi", "show.js"]);
    write(join(checkout.root, "provider", "src", "a.ts"), "2;");
    await checkout.run(["--pulumi", "show.js"]);
    expect(calls(checkout).slice(3)).to.deep.equal(COMPILED);
    write(join(checkout.root, "package-lock.json"), `{ "packages": { "node_modules/a": { "version": "1.0.0" } } }`);
    await checkout.run(["--pulumi", "show.js"]);
    expect(calls(checkout).slice(5)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("removes what was built from a source that is gone, and builds one that was moved there", async () => {
    const checkout = showing();
    await checkout.run(["--pulumi", "show.js"]);
    const built = (name: string): boolean => existsSync(join(checkout.root, "dist", "provider", "src", name));
    // The file keeps its time.
    renameSync(join(checkout.root, "provider", "src", "a.ts"), join(checkout.root, "provider", "src", "b.ts"));
    await checkout.run(["--pulumi", "show.js"]);
    expect([built("a.js"), built("b.js")]).to.deep.equal([false, true]);
  });
});
