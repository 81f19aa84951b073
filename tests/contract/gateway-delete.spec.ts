import { expect } from "chai";
import type { FaultOptions } from "../../provider/src/sandbox";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";
import { every, FOREIGN_TEXT, holdsAll, start } from "./support/gateway-program";

const LEFT = { "app/db": "1", B: "2", C: "3" };

const destroys: readonly Scenario[] = [
  ...(["page", "empty", "json"] as const).map((gateway): Scenario => ({
    title: `404 for ever to everything (${gateway}): a destroy fails, and what it has not deleted stays in state`,
    async run(stage) {
      const { engine, environmentId, sandbox, values, world } = stage;
      await start(stage);
      world.switchBranch(environmentId, "web", "feature/x", { build: false });
      const fault = sandbox.faults.add({ gateway, times: Infinity });
      const { errors } = await failing(engine.destroy());
      expect(errors).to.have.length(3);
      for (const error of errors)
        expect(error)
          .to.match(FOREIGN_TEXT)
          .and.not.match(/<|Route|secret-b/u);
      // An EnvironmentState changes nothing on the service when it goes.
      expect([...engine.state.keys()]).to.deep.equal(["vars", "one", "deployed"]);
      fault.remove();
      world.switchBranch(environmentId, "web", "main", { build: false });
      await engine.up(every(environmentId));
      await holdsAll(stage);
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
  {
    title:
      "an ingress that answers 404 for one environment, and serves the list: a destroy fails, and says that it is there",
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      await start(stage);
      sandbox.faults.add({ gateway: "page", path: environmentId, times: Infinity });
      const { errors } = await failing(engine.destroy());
      expect(errors.join("\n")).to.match(/The list of environments has it, so it is not gone/u);
      expect([...engine.state.keys()]).to.deep.equal(["vars", "one", "deployed"]);
      sandbox.faults.clear();
      await engine.up(every(environmentId));
      await holdsAll(stage);
    },
  },
];

const single: readonly Scenario[] = [
  {
    title:
      "a proxy that answers 404 to %2F: the variable counts as there, every other one goes, and the next up finishes",
    async run({ engine, environmentId, sandbox, values, requests }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      const fault = sandbox.faults.add({ gateway: "empty", path: "%2F", times: Infinity });
      requests();
      const { errors } = await failing(engine.up(set(environmentId, { variables: { C: "3" } })));
      expect(requests()).to.have.members(["GET /env-vars", "DELETE /env-vars", "DELETE /env-vars", "GET /env-vars"]);
      expect(errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.match(/^ {2}app\/db: .+ The variable is still there\.$/mu);
      expect(values()).to.deep.equal({ "app/db": "1", C: "3" });
      expect((await failing(engine.destroy())).errors).to.have.length(1);
      expect(values()).to.deep.equal({ "app/db": "1" });
      fault.remove();
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  ...(["page", "json"] as const).map((gateway): Scenario => ({
    title: `404 once to a DELETE (${gateway}) of a single variable: it fails while it is there, and succeeds once it is not`,
    async run({ engine, environmentId, sandbox, world, values }) {
      const inputs = { environmentId, name: "ONE", value: "1", hidden: false };
      await engine.up({ one: { type: "EnvVar", inputs } });
      sandbox.faults.add({ gateway, label: "DELETE /env-vars" });
      expect((await failing(engine.destroy())).errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.match(/still there/u);
      expect(values()).to.deep.equal({ ONE: "1" });
      expect(engine.state.size).to.equal(1);
      world.deleteVariable(environmentId, "ONE");
      sandbox.faults.add({ gateway, label: "DELETE /env-vars" });
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
    },
  })),
  ...([{ gateway: "page" }, { status: 500 }, { status: 401 }] satisfies readonly FaultOptions[]).map(
    (fault): Scenario => ({
      title: `what cannot be looked up (${JSON.stringify(fault)}) after such a 404 stays in state`,
      async run({ engine, environmentId, sandbox, values }) {
        await engine.up(set(environmentId, { variables: LEFT }));
        sandbox.faults.add({ gateway: "json", label: "DELETE /env-vars", times: Infinity });
        // The read before the deletes is answered, the look after them is not.
        let reads = 0;
        const isLook = ({ label }: { readonly label: string }): boolean => label === "GET /env-vars" && reads++ > 0;
        const look = sandbox.faults.add({ ...fault, match: isLook, times: Infinity });
        const { errors } = await failing(engine.destroy());
        expect(errors.join("\n")).to.match(
          /list of variables could not be read to see whether it is gone: Could not read/u,
        );
        expect(look.hits).to.equal(1);
        expect(engine.state.size).to.equal(1);
        expect(values()).to.deep.equal(LEFT);
      },
    }),
  ),
  {
    title: "a DELETE that the service carried out behind such a 404 is done: one look tells",
    async run({ engine, environmentId, sandbox, values, requests }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      sandbox.faults.add({ label: "DELETE /env-vars", status: 404, body: "<html>", acts: true, times: Infinity });
      requests();
      await engine.destroy();
      expect(requests().filter((label) => label === "GET /env-vars")).to.have.length(2);
      expect(values()).to.deep.equal({});
    },
  },
  ...(
    [
      ["a page with status 200", { status: 200, body: "<html>Please sign in</html>", contentType: "text/html" }],
      ["an empty 200", { status: 200, body: "" }],
      ["a 202 with JSON of its own", { status: 202, body: { message: "maintenance" } }],
    ] satisfies readonly (readonly [string, FaultOptions])[]
  ).map(([what, fault]): Scenario => ({
    title: `${what} is no 204: a DELETE fails while the variable is there, and is done when it is not`,
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      sandbox.faults.add({ ...fault, label: "DELETE /env-vars", times: 3 });
      const { errors } = await failing(engine.destroy());
      expect(errors.join("\n")).to.match(/not as documented: .+ The variable is still there\.$/mu);
      expect(errors.join("\n")).not.to.match(/sign in|maintenance/u);
      expect(engine.state.size).to.equal(1);
      expect(values()).to.deep.equal(LEFT);
      sandbox.faults.add({ ...fault, label: "DELETE /env-vars", times: 3, acts: true });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
  {
    title: "what is not there any more needs no DELETE",
    async run({ engine, environmentId, world, requests }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      world.deleteVariable(environmentId, "B");
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal(["GET /env-vars", "DELETE /env-vars", "DELETE /env-vars"]);
    },
  },
  {
    title: "when the variables cannot be read before a DELETE, nothing is deleted, and state keeps them",
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      sandbox.faults.add({ label: "GET /env-vars", status: 500 });
      const { errors } = await failing(engine.destroy());
      expect(errors.join("\n")).to.match(/3 of 3 variables .* could not be deleted[^]*answered 500/u);
      expect(sandbox.journal.count({ label: "DELETE /env-vars" })).to.equal(0);
      expect(values()).to.deep.equal(LEFT);
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
];

contract("a gateway answers 404: destroy and DELETE", [...destroys, ...single]);
