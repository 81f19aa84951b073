import type { Environment } from "../client";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";
import type { EnvironmentSession } from "../run/environment-session";
import type { DesiredState } from "./running-state";

/** What the EnvironmentState of the program wants of one environment in this run, as far as the engine has shown it. */
export class DeclaredState {
  desired: DesiredState | undefined;
  /** How long it waits until the environment runs. */
  timeoutSeconds = 0;
  /** It has not changed, so that this run does nothing for it. What somebody did to the environment, only a refresh shows. */
  isKept = false;
  /** A build is due that needs the environment to run. `likely`: a preview does not know it for certain. */
  dueBuild: "certain" | "likely" | undefined;
}

/** @see DeclaredState */
export function declaredState(session: EnvironmentSession): DeclaredState {
  return session.part(DeclaredState);
}

/** Whether an EnvironmentState of the program brings the environment up in this run, as far as the engine has shown. */
export function isStartedByProgram(session: EnvironmentSession): boolean {
  const { desired, isKept } = declaredState(session);
  return desired === "running" && !isKept;
}

/** An environment as the program's EnvironmentState leaves it, for a preview. */
export function asStartedByProgram(ctx: Pick<Context, "environment">, environment: Environment): Environment {
  if (!isStartedByProgram(ctx.environment(environment.id))) return environment;
  return { ...environment, stopped: false, retired: false, deleted: false };
}

/** Why a build cannot be due in an environment that the program stops: a sentence for people. */
export function buildAndStopText(ctx: Pick<Context, "client">, environmentId: string): string {
  return (
    `environment ${ctx.client.titleOf(environmentId)}: a build is due, and the EnvironmentState of this program has \`state: "stopped"\`. With ` +
    '`whenStopped: "fail"`, both cannot hold. To postpone the build until the environment runs again, set ' +
    '`whenStopped: "skip"`. Or declare `state: "running"`.'
  );
}

/**
 * Notes that a build is due that needs the environment to run: a stop that the engine shows later is then refused.
 * @returns why the program cannot stop the environment. `undefined` when it does not
 * @throws RefusedError with that text when the build is due for certain
 */
export function noteDueBuildOrRefuse(
  ctx: Pick<Context, "client" | "environment">,
  environmentId: string,
  dueBuild: "certain" | "likely",
): string | undefined {
  const state = declaredState(ctx.environment(environmentId));
  state.dueBuild = dueBuild;
  if (state.desired !== "stopped") return undefined;
  const text = buildAndStopText(ctx, environmentId);
  if (dueBuild === "certain") throw new RefusedError(text);
  return text;
}
