import { expect } from "chai";
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appeared, fakeGo, newCheckout, removeFolders, write, writeProgram } from "./checkout";

const SHOW_SOURCE = `console.log(JSON.stringify({ args: process.argv.slice(2), pulumi: process.env.PREVIEWENV_PULUMI_BIN, node: process.execPath }));
process.exitCode = 7;`;

const PULUMI = `v3.259.0-${process.platform}-${process.arch}`;

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
    const first = await checkout.start(["--pulumi", "show.js", ...args]).end;
    expect(JSON.parse(first.stdout)).to.deep.include({ args, pulumi: checkout.bin });
    expect(first.code).to.equal(7);
    expect(first.stderr).to.match(
      /\[setup\] dependencies: npm ci \(about 30 s\) \.\.\.\n\[setup\] dependencies: npm ci: done/,
    );
    expect(first.stderr).to.contain("[setup] build: tsc -p provider: done");
    expect(first.stderr).not.to.contain("npm noise");
    const second = await checkout.start(["--pulumi", "show.js"]).end;
    expect(second.stderr).to.equal("");
    expect(calls(checkout)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("installs, links and builds without a script, also for `npm pack --dry-run`, and fetches no Pulumi CLI", async () => {
    const checkout = newCheckout();
    for (const name of readdirSync(checkout.bin)) if (name.startsWith("pulumi")) rmSync(join(checkout.bin, name));
    const { code, stdout, stderr } = await checkout.start([], { npm_config_dry_run: "true" }).end;
    expect([code, stdout], stderr).to.deep.equal([0, ""]);
    expect(realpathSync(join(checkout.root, "node_modules", "sample"))).to.equal(realpathSync(checkout.root));
    expect(stderr).to.contain("build: tsc -p provider: done").and.not.to.contain("Pulumi CLI");
    expect(calls(checkout)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("installs again when the lock file has changed, and builds again when a source has", async () => {
    const checkout = showing();
    await checkout.start(["--pulumi", "show.js"]).end;
    write(join(checkout.root, "provider", "src", "a.ts"), "2;");
    await checkout.start(["--pulumi", "show.js"]).end;
    expect(calls(checkout).slice(3)).to.deep.equal(COMPILED);
    write(join(checkout.root, "package-lock.json"), `{ "packages": { "node_modules/a": { "version": "1.0.0" } } }`);
    await checkout.start(["--pulumi", "show.js"]).end;
    expect(calls(checkout).slice(5)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("removes what was built from a source that is gone, and builds one that was moved there", async () => {
    const checkout = showing();
    await checkout.start(["--pulumi", "show.js"]).end;
    const built = (name: string): boolean => existsSync(join(checkout.root, "dist", "provider", "src", name));
    // The file keeps its time.
    renameSync(join(checkout.root, "provider", "src", "a.ts"), join(checkout.root, "provider", "src", "b.ts"));
    await checkout.start(["--pulumi", "show.js"]).end;
    expect([built("a.js"), built("b.js")]).to.deep.equal([false, true]);
  });

  it("shows npm's output when npm ci fails, ends with 1, and tries again the next time", async () => {
    const checkout = showing();
    write(join(checkout.root, "npm-fails"), "");
    const { code, stderr, stdout } = await checkout.start(["--pulumi", "show.js"]).end;
    expect(code).to.equal(1);
    expect(stderr).to.contain("npm ci failed (exit 1):\n    npm error network is away");
    expect(stderr).not.to.match(/^\s+at /m);
    expect(stdout).to.equal("");
    rmSync(join(checkout.root, "npm-fails"));
    expect((await checkout.start(["--pulumi", "show.js"]).end).code).to.equal(7);
  });

  it("passes SIGTERM on to everything that a program has started, and waits for its end", async () => {
    const child = `process.on("SIGTERM", () => { console.log("stopped"); process.exit(); });
      setInterval(() => undefined, 1000); console.log("ready");`;
    const checkout = newCheckout(
      "wait.js",
      `process.on("SIGTERM", () => undefined);
       require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" });`,
    );
    const started = checkout.start(["--pulumi", "wait.js"]);
    await started.printed("ready");
    started.kill("SIGTERM");
    const { code, stdout } = await started.end;
    expect([code, stdout]).to.deep.equal([0, "ready\nstopped\n"]);
  });

  it("says that Node is too old, and does nothing", async () => {
    const checkout = showing();
    const pretend = join(checkout.root, "pretend.cjs");
    write(pretend, `Object.defineProperty(process, "version", { value: "v18.20.0" });`);
    const { code, stderr } = await checkout.start(["--pulumi", "show.js"], { NODE_OPTIONS: `--require ${pretend}` })
      .end;
    expect(code, stderr).to.equal(1);
    expect(stderr).to.contain("Node 20.3.0 or newer is needed to start; this is v18.20.0.");
    expect(calls(checkout)).to.deep.equal([]);
  });

  for (const signal of ["SIGINT", "SIGKILL"] as const)
    it(`leaves no half CLI when it is stopped while go builds, by ${signal}`, async () => {
      const checkout = showing();
      rmSync(join(checkout.bin, "pulumi"));
      writeProgram(join(checkout.bin, "go"), `echo $$ > ${checkout.root}/go-started; exec /bin/sleep 60`);
      const started = checkout.start(["--pulumi", "show.js"]);
      await appeared(join(checkout.root, "go-started"));
      started.kill(signal);
      const { code: interrupted, stderr } = await started.end;
      const parent = join(checkout.cache, "pulumi");
      expect(readdirSync(parent).filter((name) => !name.includes(".new-"))).to.deep.equal([]);
      if (signal === "SIGKILL") process.kill(Number(readFileSync(join(checkout.root, "go-started"), "utf8")));
      else {
        expect(readdirSync(parent)).to.deep.equal([]);
        expect(interrupted).to.equal(130);
        expect(stderr).to.contain("[setup] the set-up was interrupted");
      }
      writeProgram(join(checkout.bin, "go"), fakeGo());
      const { code, stdout } = await checkout.start(["--pulumi", "show.js"]).end;
      expect(code).to.equal(7);
      expect(JSON.parse(stdout)).to.deep.include({ pulumi: join(parent, PULUMI, "bin") });
    });
});
