import type { Command, CommanderError } from "commander";

/** A mistake in the command line, in one line. */
export class UsageError extends Error {
  constructor(text: string) {
    super(`${text} (see --help)`);
  }
}

/** The choice that a text names. @throws UsageError that lists all */
export function choiceOf<T extends string>(option: string, choices: readonly T[], text: string): T {
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  throw new UsageError(`${option} must be one of ${choices.join(", ")}, but is ${JSON.stringify(text)}`);
}

/**
 * Commander's text of a mistake, without the user's words: of an unknown option only the name, since its value, an
 * argument too many or an unknown command may be a token in the wrong place.
 */
export function mistakeIn({ options, registeredArguments }: Command, { code, message }: CommanderError): UsageError {
  const [, flag] = /^error: unknown option '(--[^'=]*|-.)/su.exec(message) ?? [];
  const [, similar] = /'\n\(Did you mean (?<similar>[^\n]*\?)\)$/u.exec(message) ?? [];
  const meant = similar === undefined ? "" : `. Did you mean ${similar}`;
  if (flag !== undefined && options.some(({ long }) => long === flag))
    return new UsageError(`Option '${flag}' takes no value`);
  if (flag !== undefined) return new UsageError(`Unknown option '${flag}'${meant}`);
  if (code === "commander.unknownCommand") return new UsageError(`Unknown command${meant}`);
  if (code === "commander.excessArguments")
    return new UsageError(`Too many arguments: give ${registeredArguments.length === 0 ? "options only" : "one"}`);
  if (code === "commander.optionMissingArgument")
    return new UsageError(message.replace("error: option", "Option").replace("argument missing", "needs a value"));
  return new UsageError(message.replace("error: ", ""));
}
