import { resolveSettings, type Setting, type Settings, settings, SettingsError } from "../framework/settings";

/**
 * Resolves the settings of a command, which has neither a program nor a stack: from environment variables alone.
 * @throws SettingsError as `resolveSettings` does
 */
export function settingsFromEnvironment(environment: NodeJS.ProcessEnv): Settings {
  const declared: readonly Setting[] = settings;
  const isRequired = (setting: Setting): boolean => setting.default === undefined && setting.optional !== true;
  const unset = declared.filter((setting) => isRequired(setting) && (environment[setting.environment] ?? "") === "");
  if (unset.length > 0)
    throw new SettingsError(
      unset.map((setting) => `The environment variable ${setting.environment} is not set. ${setting.description}`),
    );
  return resolveSettings(() => undefined, environment);
}
