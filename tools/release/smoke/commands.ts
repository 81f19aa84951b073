import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Runs programs in a folder, with their output on this terminal. */
export interface Commands {
  /** @throws when the program fails */
  readonly run: (program: string, ...args: readonly string[]) => void;
  readonly npm: (...args: readonly string[]) => void;
}

/** The commands of a folder. npm is started as a program of Node, since on Windows only a shell could start `npm.cmd`. */
export function commandsIn(cwd: string, env: NodeJS.ProcessEnv): Commands {
  const run = (program: string, ...args: readonly string[]): void => {
    console.log(`$ ${program} ${args.join(" ")}`);
    const { status, error } = spawnSync(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `exit code ${status}`}`);
  };
  const npm = process.env["npm_execpath"];
  if (npm === undefined) throw new Error("Run this as a script of npm: `npm run release:smoke`");
  return { run, npm: (...args) => run(process.execPath, npm, ...args) };
}

/** A sandbox that runs until it is disposed of. */
export interface RunningSandbox extends Disposable {
  readonly url: string;
}

/** Starts a sandbox from the file that the package's command runs, at a free port. */
export async function startSandboxOf(file: string): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [file, "sandbox", "--port", "0", "--build-seconds", "0.2"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() => [""]);
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  const [url] = /http:\/\/\S+/u.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`${file} does not say where it listens: ${String(line)}`);
  return { url, [Symbol.dispose]: () => void child.kill() };
}
