import { expect } from "chai";
import { javascript } from "./harness/languages";
import { branches, set } from "./harness/program";
import { useEngine } from "./harness/suite";

const THEIRS = "a value of somebody else";

/** Worth its 6 CLI calls: when the engine asks a provider in a preview, and what it keeps of that, is its own doing. */
describe("engine: previews that look at the service", function () {
  const engine = useEngine(this);

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: what the up would stumble over is told once, with one GET of each kind; then nothing is asked`, async () => {
      const environmentId = engine.environment({ variables: [{ name: "A", value: THEIRS, hidden: false }] });
      const project = await engine.project({ language: javascript(host), env: { PREVIEWENV_API_TOKEN: undefined } });
      project.configure({ "previewenv:apiToken": engine.sandbox.token });
      const vars = { environmentId, variables: { A: "mine", B: "1" } };
      const program = (onConflict: string) => ({
        resources: [
          set("vars", { ...vars, onConflict }),
          set("more", { environmentId, variables: { C: "1" } }),
          branches("deployed", { environmentId, branches: { web: "feature/x" } }),
        ],
      });
      project.write(program("fail"));
      let mark = engine.sandbox.journal.mark();
      const { text } = await project.preview();
      expect(engine.counts(mark)).to.deep.equal({ "GET /env-vars": 1, "GET /environment": 1 });
      const diagnostics = text.slice(text.indexOf("Diagnostics:"));
      expect(diagnostics.match(/already has a variable .*: A\. Unless/gu), text).to.have.length(1);
      expect(text).not.to.contain(THEIRS);
      expect(text).to.contain("`pulumi config set --secret previewenv:apiToken`");

      project.write(program("overwrite"));
      mark = engine.sandbox.journal.mark();
      await project.succeed("up", "--yes");
      // One in the preview, and one by the set that may not overwrite.
      expect(engine.counts(mark)).to.include({ "GET /env-vars": 2, "PUT /env-vars": 2 });
      // Only the names of all that was registered are in state, without the values of what Check takes away.
      expect(project.export()).not.to.match(/__preview|"__identity":\s*"/u);
      // The difference "A token that is set without `--secret`": the engine keeps the config of a dynamic provider as the program has it.
      expect(project.export().includes(engine.sandbox.token)).to.equal(host === "dynamic");
      expect(await engine.requests(() => project.preview("--expect-no-changes"))).to.deep.equal({});
    });
});
