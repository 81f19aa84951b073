import type { Properties } from "../../provider/src/framework/properties";

const argumentsFor: Readonly<Record<string, (environmentId: string) => Properties>> = {
  getEnvironment: (id) => ({ id }),
  getEnvironments: () => ({ repoName: "web" }),
  getBuildHistory: (environmentId) => ({ environmentId, limit: 1 }),
  getEnvVars: (environmentId) => ({ environmentId }),
  getBypassToken: (environmentId) => ({ environmentId }),
  variablesFromDotenv: () => ({ text: "A=1\n# none\nB=2" }),
};

/** Arguments with which a function finds something of an environment that has the repository `web`. */
export function argumentsOf(name: string, environmentId: string): Properties {
  const given = argumentsFor[name]?.(environmentId);
  if (given === undefined) throw new Error(`${name} has no arguments in tests/functions/arguments.ts`);
  return given;
}
