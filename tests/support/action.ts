import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { ROOT } from "./packed";

const stepSchema = z.strictObject({
  name: z.string(),
  id: z.string(),
  shell: z.literal("bash"),
  env: z.record(z.string(), z.string()),
  run: z.string(),
});

/** action.yml, as far as GitHub's documentation of composite actions allows it. */
const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string().max(125),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.tuple([stepSchema]) }),
});

/** The GitHub Action of the project. @throws when it is none */
export function readAction(): z.output<typeof actionSchema> {
  return actionSchema.parse(parse(readFileSync(join(ROOT, "action.yml"), "utf8")));
}

/** What GitHub sets for the action's step, by name, with these inputs. @throws for an input that does not exist */
export function actionEnvironment(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { inputs, runs } = readAction();
  for (const name of Object.keys(given)) if (!(name in inputs)) throw new Error(`the action has no input ${name}`);
  const value = (expression: string): string => {
    const name = /^\$\{\{ inputs\.(?<name>[\w-]+) \}\}$/u.exec(expression)?.groups?.["name"] ?? "";
    const input = inputs[name];
    if (input === undefined) throw new Error(`${expression} is no input`);
    return given[name] ?? input.default;
  };
  const pairs = Object.entries(runs.steps[0].env).map(([name, expression]) => [name, value(expression)] as const);
  return Object.fromEntries(pairs);
}
