import { expect } from "chai";
import { javascript } from "./harness/languages";
import { type Program, type ResourceEntry, set } from "./harness/program";
import { contents, leaked } from "./harness/shown-text";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SECRET = "tiger-4711-and-more";
const KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END KEY-----\n";

/** Worth its CLI calls: the engine keeps old inputs after an update that failed, and what it encrypts goes by these. */
for (const host of ["dynamic", "native"] as const)
  describe(`engine: answers that contradict what was sent (${host})`, function () {
    this.timeout(ENGINE_TEST_MS);
    const engine = useEngine({ choices: { upsertOfExisting: "valueOnly", storedValue: "trimmed" } });

    it("a secret that the service keeps visible fails the up and is nowhere in plain; one that it trims is no drift", async () => {
      const environmentId = engine.environment();
      const project = await engine.project({ language: javascript(host) });
      const single = (value: ResourceEntry["args"]): ResourceEntry => ({
        type: "EnvVar",
        name: "single",
        args: { environmentId, name: "ONE", ...value },
      });
      const hidden: Program = {
        resources: [set("vars", { environmentId, secrets: { KEY, TWO: SECRET } }), single({ value: SECRET })],
      };
      project.write({
        resources: [
          set("vars", { environmentId, secrets: { KEY }, variables: { TWO: "shown" } }),
          single({ value: "shown", hidden: false }),
        ],
      });
      expect((await project.up()).text).to.match(
        /warning: .*the answer to the write of KEY shows .* without the white space/u,
      );
      project.write(hidden);
      const { text } = await project.failedUp("--diff", "--continue-on-error");
      expect(text)
        .to.contain("TWO: the service shows it to everybody.")
        .and.to.match(/variable ONE of .*: the service shows it/u);
      await project.refresh("--diff");
      await project.preview("--refresh", "--diff");
      await project.failedUp("--refresh", "--diff", "--continue-on-error");
      for (const run of project.runs) expect(leaked(run.text, [SECRET, KEY]), run.args.join(" ")).to.deep.equal([]);
      for (const file of contents(project.stores))
        expect(leaked(file.text, [SECRET, KEY]), file.file).to.deep.equal([]);
      for (const name of ["ONE", "TWO"]) engine.sandbox.world.deleteVariable(environmentId, name);
      await project.up();
      expect(engine.values(environmentId)).to.deep.equal({ KEY: KEY.trim(), ONE: SECRET, TWO: SECRET });
      const counts = await engine.requests(() => project.preview("--refresh", "--expect-no-changes"));
      expect(counts).to.not.have.property("PUT /env-vars");
      const again = await engine.requests(() => project.up("--refresh"));
      expect(again).to.not.have.property("PUT /env-vars");
    });
  });
