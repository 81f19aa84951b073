import { expect } from "chai";
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { appeared, type Checkout, fakeGo, newCheckout, removeFolders, write, writeProgram } from "./checkout";

const SHOW_SOURCE = `console.log(JSON.stringify({ args: process.argv.slice(2), pulumi: process.env.PREVIEWENV_PULUMI_BIN, node: process.execPath }));
process.exitCode = 7;`;

const PULUMI = `v3.259.0-${process.platform}-${process.arch}`;

const INSTALLED = "npm ci --include=dev --no-dry-run --prefer-offline --no-audit --no-fund";
const COMPILED = ["tsc -p provider", "esbuild"];

/** Node options that leave a process without a network, so that no test asks Pulumi's servers. */
function offline({ root }: Checkout): string {
  const file = join(root, "offline.cjs");
  write(file, `globalThis.fetch = () => Promise.reject(new Error("offline"));`);
  return `--require=${file}`;
}

function calls(checkout: Checkout): string[] {
  const log = join(checkout.root, "calls.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

function showing(): Checkout {
  return newCheckout("show.js", SHOW_SOURCE);
}

describe("set-up: npm start and npm test", function () {
  afterEach(removeFolders);

  it("installs and builds the first time, says so, and says and does nothing the second time", async () => {
    const checkout = showing();
    const first = await checkout.start(["--pulumi", "show.js"]).end;
    expect(first.stderr).to.match(
      /\[setup\] dependencies: npm ci \(about 30 s\) \.\.\.\n\[setup\] dependencies: npm ci: done/,
    );
    expect(first.stderr).to.contain("[setup] build: tsc -p provider: done");
    expect(first.stderr).not.to.contain("npm noise");
    const second = await checkout.start(["--pulumi", "show.js"]).end;
    expect(second.stderr).to.equal("");
    expect(calls(checkout)).to.deep.equal([INSTALLED, ...COMPILED]);
  });

  it("runs the script with its arguments, the CLI's folder and its exit code", async () => {
    const checkout = showing();
    const { code, stdout } = await checkout.start(["--pulumi", "show.js", "--environment", "it's $HOME *", ""]).end;
    expect(JSON.parse(stdout)).to.deep.include({ args: ["--environment", "it's $HOME *", ""], pulumi: checkout.bin });
    expect(code).to.equal(7);
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

  it("gets the language hosts of other languages for tests, and not for scripts that need none", async () => {
    const checkout = newCheckout("show.js", `console.log(process.env.PATH)`);
    writeProgram(join(checkout.bin, "go"), fakeGo());
    const hosts = join(checkout.cache, "pulumi", `${PULUMI}-language-hosts`, "bin");
    const show = await checkout.start(["--pulumi", "show.js"]).end;
    expect([show.stdout.includes(hosts), existsSync(hosts)]).to.deep.equal([false, false]);
    const tests = await checkout.start(["--languages", "show.js"]).end;
    expect(tests.stdout.split(delimiter)).to.include(hosts);
    expect(tests.stderr).to.contain("[setup] language hosts: none for python, whose tests are skipped");
    const names = ["dotnet", "go", "java", "yaml"].map((name) => `pulumi-language-${name}`);
    expect(readdirSync(hosts)).to.have.members(names);
  });

  for (const name of ["sample", "@scope/sample"])
    it(`links the package to itself, and again after npm ci has removed the link: ${name}`, async () => {
      const checkout = showing();
      const manifest = join(checkout.root, "package.json");
      write(manifest, readFileSync(manifest, "utf8").replace('"sample"', JSON.stringify(name)));
      const link = join(checkout.root, "node_modules", name);
      await checkout.start(["--pulumi", "show.js"]).end;
      expect(realpathSync(link)).to.equal(realpathSync(checkout.root));
      rmSync(link);
      await checkout.start(["--pulumi", "show.js"]).end;
      expect(realpathSync(link)).to.equal(realpathSync(checkout.root));
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

  it("stops npm when it is interrupted, and ends with 130", async () => {
    const checkout = showing();
    const [begun, stopped] = ["npm-started", "npm-stopped"].map((name) => join(checkout.root, name));
    const waiting = `trap 'echo > ${stopped}; exit' TERM; /bin/sleep 60 & echo > ${begun}; wait`;
    writeProgram(join(checkout.bin, "npm"), waiting);
    const started = checkout.start(["--pulumi", "show.js"]);
    await appeared(begun ?? "");
    started.kill("SIGINT");
    await appeared(stopped ?? "");
    const { code, stderr } = await started.end;
    expect(code).to.equal(130);
    expect(stderr).to.contain("[setup] the set-up was interrupted");
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it(`leaves no half CLI when it is stopped while go builds, by ${signal}`, async () => {
      const checkout = showing();
      rmSync(join(checkout.bin, "pulumi"));
      writeProgram(join(checkout.bin, "go"), `echo $$ > ${checkout.root}/go-started; exec /bin/sleep 60`);
      const started = checkout.start(["--pulumi", "show.js"], { NODE_OPTIONS: offline(checkout) });
      await appeared(join(checkout.root, "go-started"));
      started.kill(signal);
      await started.end;
      const parent = join(checkout.cache, "pulumi");
      expect(readdirSync(parent).filter((name) => !name.includes(".new-"))).to.deep.equal([]);
      if (signal === "SIGKILL") process.kill(Number(readFileSync(join(checkout.root, "go-started"), "utf8")));
      else expect(readdirSync(parent)).to.deep.equal([]);
      writeProgram(join(checkout.bin, "go"), fakeGo());
      const { code, stdout } = await checkout.start(["--pulumi", "show.js"], { NODE_OPTIONS: offline(checkout) }).end;
      expect(code).to.equal(7);
      expect(JSON.parse(stdout)).to.deep.include({ pulumi: join(parent, PULUMI, "bin") });
    });

  it("builds the CLI in each of two that are started at the same time, and both use the first", async () => {
    const checkout = showing();
    rmSync(join(checkout.bin, "pulumi"));
    const log = join(checkout.root, "go-calls");
    const gate = join(checkout.root, "gate");
    const build = `echo build >> ${log}; while [ ! -f ${gate} ]; do /bin/sleep 0.02; done\n${fakeGo()}`;
    writeProgram(join(checkout.bin, "go"), build);
    await checkout.start([]).end;
    const first = checkout.start(["--pulumi", "show.js"], { NODE_OPTIONS: offline(checkout) });
    const second = checkout.start(["--pulumi", "show.js"], { NODE_OPTIONS: offline(checkout) });
    await Promise.all([first, second].map((started) => started.warned("build v3.259.0 with Go")));
    write(gate, "");
    const both = await Promise.all([first.end, second.end]);
    expect(both.map(({ code }) => code)).to.deep.equal([7, 7]);
    expect(readdirSync(join(checkout.cache, "pulumi"))).to.deep.equal([PULUMI]);
  });
});
