import { expect } from "chai";
import { type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SIZES = [1, 100, 1000];
const BATCH = 100;

/** Worth its 6 CLI calls: the promise "k changed variables are ceil(k / batchSize) PUT" must hold through the engine. */
describe("engine: requests of sets of 1, 100 and 1000 variables", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environments: readonly { readonly id: string; readonly size: number }[];

  /** One set an environment, all in one program; names that begin with `first` have one value, all others another. */
  const program = (first: string, others: string): Program => ({
    resources: environments.map(({ id, size }) => {
      const names = Array.from({ length: size }, (_, index) => `NAME_${index}`);
      const values = names.map((name, index) => [name, `${index === 0 ? first : others} value of ${name}`] as const);
      const half = Math.floor(size / 2);
      const [secrets, variables] = [values.slice(0, half), values.slice(half)].map((part) => Object.fromEntries(part));
      return set(`set-${size}`, { environmentId: id, secrets: secrets ?? {}, variables: variables ?? {} });
    }),
  });

  const steps: readonly {
    readonly title: string;
    readonly program?: readonly [string, string];
    readonly act: () => Promise<unknown>;
    readonly expected: (size: number) => Record<string, number>;
  }[] = [
    {
      title: "a create reads once, and writes one batch after the other",
      program: ["first", "first"],
      act: () => project.up(),
      expected: (size) => ({ "GET /env-vars": 1, "PUT /env-vars": Math.ceil(size / BATCH) }),
    },
    { title: "an up without changes makes no request", act: () => project.up(), expected: () => ({}) },
    { title: "a refresh reads once", act: () => project.refresh(), expected: () => ({ "GET /env-vars": 1 }) },
    {
      title: "one changed variable is one request",
      program: ["second", "first"],
      act: () => project.up(),
      expected: () => ({ "PUT /env-vars": 1 }),
    },
    {
      title: "all variables changed are written in as few batches as a create, and nothing is read or deleted",
      program: ["third", "third"],
      act: () => project.up(),
      expected: (size) => ({ "PUT /env-vars": Math.ceil(size / BATCH) }),
    },
    {
      title: "a destroy deletes each variable once",
      act: () => project.destroy(),
      expected: (size) => ({ "GET /env-vars": 1, "DELETE /env-vars": size }),
    },
  ];

  before(async () => {
    environments = SIZES.map((size) => ({ size, id: engine.environment() }));
    project = await engine.project();
  });

  for (const { title, program: values, act, expected } of steps)
    it(title, async () => {
      if (values !== undefined) project.write(program(...values));
      const { journal } = engine.sandbox;
      const mark = journal.mark();
      await act();
      for (const { id, size } of environments)
        expect(engine.counts(mark, id), `${size} variables`).to.deep.equal(expected(size));
      expect(journal.maxInFlight).to.be.at.most(SIZES.length * 8);
    });
});
