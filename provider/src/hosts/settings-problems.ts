import { ConfigError } from "../client/errors";
import { SettingsError } from "../framework/settings";

/** Why a session cannot begin with its settings: what is missing or wrong. A preview says so, before anything is written. */
export function problemsOf(begin: () => unknown): readonly string[] {
  try {
    begin();
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}
