import type { Environment } from "../client/environments";
import { environmentTitle } from "../client/error-text";
import { see } from "../client/troubleshooting";
import { type WhenStopped, whenStoppedMeans } from "./branches-inputs";

/**
 * Why something cannot be done with an environment that does not run, and what to do.
 * @param attempt Such as `rebuild environment`: the environment's name follows it.
 * @param outcome What has been done by now, as a sentence.
 */
export function notRunningText(
  environment: Environment,
  attempt: string,
  outcome: string,
  whenStopped: WhenStopped,
): string {
  const advice = startAdvice(environment, whenStopped);
  return `cannot ${attempt} ${environmentTitle(environment)}: it is ${stoppingFlagOf(environment)}. Start it first, ${advice}. ${outcome} ${see("not-running")}`;
}

/** How an environment is started, or what can be done instead. */
export function startAdvice({ deleted }: Environment, whenStopped: WhenStopped): string {
  const otherwise = {
    refused: ', or set `whenStopped` to "skip" or "wake"',
    postponed: "",
    requested: ", or run `pulumi up` again, which starts it",
  }[whenStoppedMeans[whenStopped]];
  return (
    'with an EnvironmentState whose state is "running" and that this resource depends on (`dependsOn`, and `pulumi up --refresh`), or in ' +
    `the dashboard${deleted ? "" : otherwise}`
  );
}

/** A flag of an environment that does not run. */
export type StoppingFlag = "deleted" | "retired" | "stopped";

/** The flag that says why an environment does not run, if it does not. */
export function stoppingFlagOf(environment: Environment): StoppingFlag | undefined {
  return (["deleted", "retired", "stopped"] as const).find((name) => environment[name]);
}
