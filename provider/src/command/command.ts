import { Command, type CommanderError, Option as CommandOption } from "commander";
import { PACKAGE_NAME, packageVersion } from "../installation/package-version";
import { mistakeIn, UsageError } from "./mistake";
import { formOf, type Option, sentencesOf, type Usage, type Values } from "./usage";

const FAILED = 1;
const WIDTH = 80;
/** With them commander has said all there is to say, and only the exit code is left. */
const ANSWERED: ReadonlySet<string> = new Set(["commander.help", "commander.helpDisplayed", "commander.version"]);

/**
 * A command as commander knows it.
 * @param run does what the command line asks for, and returns the exit code. @throws UsageError for a mistake in the command line
 */
export function subcommand<Options extends Readonly<Record<string, Option>>>(
  { name, summary, argument, options, notes, exitCodes }: Usage<Options>,
  run: (values: Values<Options>, argument?: string) => Promise<number>,
): Command {
  const command = newCommand(name).description(summary);
  if (argument !== undefined) command.argument(`[${argument.name}]`, argument.text);
  for (const [option, declared] of Object.entries(options)) command.addOption(optionOf(option, declared, command));
  const codes = exitCodes.map(([code, text]) => `  ${code}  ${text}`);
  const below = [...notes, ["Exit codes:", ...codes].join("\n")].map((text) => wrapped(text.replaceAll("`", "")));
  return command.addHelpText("after", `\n${below.join("\n\n")}`).action(async () => {
    const code = await run(command.opts<Values<Options>>(), command.args[0]);
    // A write that failed meanwhile stays a failure.
    process.exitCode ||= code;
  });
}

/** Runs the command that the command line of this process names, and sets the exit code. An error is exit code 1 and its text. */
export function runCommands(commands: readonly Command[]): void {
  const fail = (text: string): void => {
    process.exitCode = FAILED;
    process.stderr.write(`${text}\n`);
  };
  // Without a listener, a reader that goes away, as in `| head -1`, would end the process halfway.
  process.stdout.on("error", ({ message }) => fail(`Could not write to standard output: ${message}`));
  process.stderr.on("error", () => undefined);
  const program = newCommand(`npx ${PACKAGE_NAME}`)
    .description("The commands of the Pulumi provider for the Environment Management API.")
    .version(packageVersion(), "--version", "Shows the version of the package.")
    .helpCommand("help [command]", "Shows the options of a command.");
  for (const command of commands) program.addCommand(command);
  program.parseAsync().catch((error: unknown) => {
    if (isAnswer(error)) process.exitCode = error.exitCode;
    else fail(error instanceof Error ? error.message : String(error));
  });
}

function newCommand(name: string): Command {
  const command = new Command(name);
  return command
    .helpOption("-h, --help", "Shows this text.")
    .configureHelp({ styleDescriptionText: (text) => text.replaceAll("`", "") })
    .configureOutput({ getOutHelpWidth: () => WIDTH, getErrHelpWidth: () => WIDTH, outputError: () => undefined })
    .exitOverride((error) => {
      throw isAnswer(error) ? error : mistakeIn(command, error);
    });
}

function isAnswer(error: unknown): error is CommanderError {
  return error instanceof Error && "code" in error && ANSWERED.has(String(error.code));
}

function optionOf(name: string, declared: Option, command: Command): CommandOption {
  const { group, value, multiple = false, default: fallback } = declared;
  const option = new CommandOption(formOf(name, declared), sentencesOf(declared));
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (fallback !== undefined) option.default(fallback, fallback);
  if (value === undefined) return option;
  const read = (text: string): string => {
    if (!multiple && command.getOptionValueSource(name) === "cli")
      throw new UsageError(`Option '${option.flags}' may be given only once`);
    // Commander takes whatever follows as the value.
    const options = command.createHelp().visibleOptions(command);
    if (options.some(({ long, short }) => text === long || text === short))
      throw new UsageError(`Option '${option.flags}' needs a value, but another option follows`);
    return text;
  };
  return option.argParser<unknown>((text, earlier) =>
    multiple ? [...(Array.isArray(earlier) ? earlier : []), read(text)] : read(text),
  );
}

function wrapped(text: string): string {
  return new Command().createHelp().boxWrap(text, WIDTH);
}
