import { expect } from "chai";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";
import { EXISTING_VARIABLES } from "./support/existing-variables";

const scenarios: readonly Scenario[] = [
  {
    title: "fail lists all names in one error, before any write, without values",
    onHosts: true,
    environment: { variables: EXISTING_VARIABLES },
    async run({ engine, environmentId, requests, values }) {
      const before = values();
      const run = await failing(
        engine.up(
          set(environmentId, {
            variables: { OTHER: "declared", SCOPED: "scoped", NEW: "1", HIDDEN: "now visible" },
            secrets: { SAME: "as declared" },
          }),
        ),
      );
      expect(run.errors).to.have.length(1);
      expect(run.errors[0]).to.contain(
        "already has variables with another visibility than declared: HIDDEN, SAME, and with another value than declared: OTHER, " +
          "and with other services than declared: SCOPED. Nothing was written.",
      );
      expect(run.errors[0])
        .to.contain("stack or plugin version")
        .and.to.contain("onConflict")
        .and.to.contain("npx pulumi-previewenv adopt");
      expect(run.errors[0]).not.to.match(/something else|a-hidden|as declared|now visible/u);
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      expect(values()).to.deep.equal(before);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    // The engine shows neither state nor old inputs of what is tainted or named by --target-replace, until it deletes it.
    title:
      "a forced replacement with a new value is in conflict with its own variable: the advice names that, and helps",
    async run({ engine, environmentId, values }) {
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      const changed = set(environmentId, { variables: { A: "2" } });
      expect(await errorsOf(engine.up(changed, { targetReplace: ["vars"] }))).to.match(
        /If a resource of this stack has it, also this one before a forced replacement: run `pulumi up --refresh`/u,
      );
      await engine.up(changed, { targetReplace: ["vars"], refresh: true });
      expect(values()).to.deep.equal({ A: "2" });
      await quiet(engine.up(changed, { refresh: true }));
    },
  },
  {
    title: "names that an update adds are guarded too: one GET before the PUT, nothing written on conflict",
    environment: { variables: EXISTING_VARIABLES },
    async run({ engine, environmentId, requests, values }) {
      await engine.up(set(environmentId, { variables: { MINE: "1" } }));
      requests();
      expect(await errorsOf(engine.up(set(environmentId, { variables: { MINE: "2", OTHER: "declared" } })))).to.match(
        /: OTHER\./u,
      );
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      expect(values()).to.deep.include({ MINE: "1", OTHER: "something else" });
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ MINE: "1" });
      await engine.up(
        set(environmentId, {
          variables: { MINE: "2", SAME: "as declared" },
          secrets: { HIDDEN: "a-hidden-value-1234" },
        }),
      );
      expect(requests()).to.deep.equal(["GET /env-vars", "PUT /env-vars"]);
    },
  },
];

contract("EnvVarSet, conflicts", scenarios);
