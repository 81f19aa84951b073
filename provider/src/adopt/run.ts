import type { Values } from "../command/usage";
import { startSession } from "../environment/session";
import type { Log } from "../framework/context";
import { adopt } from "./adopt";
import { readArguments } from "./arguments";
import { checkOutput, writeOutput } from "./output-file";
import { settingsFromEnvironment } from "./settings";
import type { USAGE } from "./usage";

const WRITTEN = 0;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Writes the program. Gives the exit code. @throws UsageError */
export async function run(values: Values<typeof USAGE.options>, id?: string): Promise<number> {
  const { wanted, language, output, force } = readArguments(values, id);
  // Before anything is read: nobody waits for a program that cannot be written.
  if (output !== undefined) checkOutput(output, force);
  const { client, clock } = startSession(settingsFromEnvironment(process.env));
  const stopped = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stopped.abort());
  client.onWait(say);
  try {
    const program = await adopt({ client, clock, log, signal: stopped.signal }, wanted, language);
    if (output === undefined) process.stdout.write(program);
    else writeOutput(output, force, program);
  } finally {
    await client.close();
  }
  return WRITTEN;
}

const log: Log = { info: say, status: say, warn: (text) => say(`warning: ${text}`) };

/** Standard output is for the program alone. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
