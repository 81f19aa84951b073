import type { Properties } from "../../provider/src/framework/properties";
import type { Declared, Program } from "./engine-steps";

/**
 * A program as the TypeScript SDK registers it: each set is told which names other resources of the program declare for its
 * environment. Programs in other languages do not do that.
 */
export function withDeclaredByOthers(program: Program): Program {
  return Object.fromEntries(Object.entries(program).map(([name, one]) => [name, told(program, name, one)]));
}

function told(program: Program, name: string, one: Declared): Declared {
  if (one.type !== "EnvVarSet" || one.lookUp !== undefined) return one;
  const others = Object.entries(program).filter(
    ([other, { inputs, lookUp }]) =>
      other !== name && lookUp === undefined && environmentOf(inputs) === environmentOf(one.inputs),
  );
  const declarers = others.filter(([, { type }]) => type === "EnvVarSet" || type === "EnvVar");
  if (declarers.length === 0) return one;
  const names = declarers.flatMap(([, other]) => namesIn(other)).toSorted();
  return { ...one, inputs: { ...one.inputs, __declaredByOthers: names } };
}

function environmentOf({ environmentId }: Properties): string {
  return String(environmentId).toLowerCase();
}

function namesIn({ type, inputs }: Declared): readonly string[] {
  const { name, variables, secrets } = inputs;
  if (type === "EnvVar") return typeof name === "string" ? [name] : [];
  return [variables, secrets].flatMap((map) => (typeof map === "object" && map !== null ? Object.keys(map) : []));
}
