import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Run } from "./harness/cli";
import { type Argument, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SECRET = "geheim-4711-nicht-zeigen";
const ID = "5f0c6d2e-8f43-4f6e-9b1a-0d7a3c1e2b11";

/** Programs that a preview must refuse. tests/contract/refused-inputs.spec.ts has all the others. */
const cases: readonly {
  readonly title: string;
  readonly program: Program;
  readonly texts: readonly (string | RegExp)[];
  /** Whether another resource of the program is not refused, so that the preview looks at the service for it. */
  readonly isBeside?: true;
}[] = [
  {
    title: "wrong values of an EnvVarSet, all at once",
    program: {
      resources: [
        set("vars", {
          environmentId: "not-a-uuid",
          secrets: { FINE: SECRET, NUMBER: 4711, LIST: [SECRET] },
          variables: { FLAG: true },
          services: ["web", 5],
          onConflict: "ask",
          prune: "yes",
          kep: ["X"],
        }),
      ],
    },
    texts: [
      /environmentId must be a UUID/u,
      /secrets\.NUMBER must be a string/u,
      /secrets\.LIST must be a string/u,
      /variables\.FLAG must be a string/u,
      /services\.1 must be a string/u,
      /onConflict must be one of "fail", "overwrite"/u,
      /prune must be a boolean/u,
      /kep is not a property of EnvVarSet\. Did you mean "keep"/u,
    ],
  },
  {
    title: "one variable in two resources, when the environment and the map are Outputs",
    isBeside: true,
    program: {
      resources: [
        set("one", { environmentId: later(ID), secrets: later({ TWICE: SECRET }) }),
        set("two", { environmentId: later(ID.toUpperCase()), variables: { TWICE: "x" } }),
      ],
    },
    texts: [/EnvVarSet "one"/u, /EnvVarSet "two"/u, /"TWICE"/u],
  },
  {
    title: "prune beside another resource with variables of the environment",
    isBeside: true,
    program: {
      resources: [
        set("all", { environmentId: ID, prune: true, secrets: { A: SECRET } }),
        set("more", { environmentId: ID, variables: { B: "x" } }),
      ],
    },
    texts: [/EnvVarSet "all"/u, /EnvVarSet "more"/u, /`?prune/u],
  },
];

function later(value: Argument): Argument {
  return { $later: value };
}

/** Worth a CLI call for each program: only the engine shows what a person sees of a refusal, and prints raw values on the way. */
describe("engine: refused in the preview, before any request", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;

  before(async () => {
    project = await engine.project({ language: javascript("dynamic") });
  });

  for (const { title, program, texts, isBeside = false } of cases)
    it(title, async () => {
      project.write(program);
      let run: Run | undefined;
      const requests = await engine.requests(async () => {
        run = await project.run("preview");
      });
      const text = run?.text ?? "";
      expect(run?.code, text).to.equal(1);
      for (const expected of texts) expect(text).to.match(new RegExp(expected, "u"));
      expect(text).not.to.include(SECRET);
      expect(text, "a stack trace").not.to.match(/^\s+at /mu);
      const kinds = Object.keys(requests);
      expect(isBeside ? kinds.filter((kind) => !kind.startsWith("GET ")) : kinds).to.deep.equal([]);
    });
});
