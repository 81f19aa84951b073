import { subcommand } from "../../provider/src/command/command";
import type { Option, Usage, Values } from "../../provider/src/command/usage";

/** What a command is given by a command line. @throws UsageError */
export function given<Options extends Readonly<Record<string, Option>>>(
  usage: Usage<Options>,
  args: readonly string[],
): { readonly values: Values<Options>; readonly argument: string | undefined } {
  let found: { readonly values: Values<Options>; readonly argument: string | undefined } | undefined;
  const command = subcommand(usage, (values, argument) => {
    found = { values, argument };
    return Promise.resolve(0);
  });
  command.parse(args, { from: "user" });
  if (found === undefined) throw new Error("the command was not run");
  return found;
}
