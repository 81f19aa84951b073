import { expect } from "chai";
import type { Program } from "../../support/engine-steps";
import { failing, type UpOptions } from "../../support/stack";
import type { Stage } from "../../support/stage";

/** What a preview warned of. It has no errors. */
export async function warningsOf(
  { engine, log }: Stage,
  program: Program,
  options: UpOptions = {},
): Promise<readonly string[]> {
  const from = log.lines.length;
  await engine.preview(program, options);
  return log.lines.slice(from).flatMap(({ severity, text }) => (severity === "warning" ? [text] : []));
}

/** The one error that a preview showed. It has no warnings. */
export async function errorOf({ engine, log }: Stage, program: Program): Promise<string> {
  const from = log.lines.length;
  const { errors } = await failing(engine.preview(program));
  expect(errors).to.have.length(1);
  expect(log.lines.slice(from).filter(({ severity }) => severity === "warning")).to.deep.equal([]);
  return errors[0] ?? "";
}
