import type { Context } from "../framework/context";
import type { EnvironmentSession } from "../framework/environment-session";

/** The warning of an environment that is deleted, or nothing when the program revives it. */
export function warnOfDeleted(ctx: Context, environmentId: string): readonly string[] {
  if (isRevived(ctx.environment(environmentId))) return [];
  return [
    `environment ${environmentId} is deleted: \`pulumi up\` fails unless the environment is revived before, with an ` +
      'EnvironmentState whose state is "running" or in the dashboard.',
  ];
}

/** Whether an EnvironmentState of the program, as far as the engine has shown, brings the environment up. */
function isRevived({ wantedState }: EnvironmentSession): boolean {
  return wantedState === "running";
}
