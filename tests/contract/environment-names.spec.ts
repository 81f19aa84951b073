import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set } from "../support/stage";

const VARIABLES = [{ name: "TAKEN", value: "of somebody else", hidden: false }];
const conflicting = { variables: { TAKEN: "declared" } };
const MAIN = { branches: { web: "main" } };

const scenarios: readonly Scenario[] = [
  {
    title: "an environment whose name no answer has shown is named by its id, without a request for the name",
    environment: { variables: VARIABLES },
    async run({ engine, environmentId, requests }) {
      const { errors } = await failing(engine.up(set(environmentId, conflicting)));
      expect(errors.join("\n")).to.contain(`environment ${environmentId} already has`);
      expect(requests()).to.deep.equal(["GET /env-vars"]);
    },
  },
  {
    title: "once a resource has read it, errors and messages of every other resource have name and id",
    environment: { name: "shop-pr-9", variables: VARIABLES },
    async run({ engine, environmentId, requests, log }) {
      const named = `environment shop-pr-9 (${environmentId})`;
      const deployed = branches(environmentId, MAIN);
      await engine.up(deployed);
      requests();
      const run = await failing(engine.up({ ...deployed, ...set(environmentId, conflicting) }, { refresh: true }));
      expect(run.errors.join("\n")).to.contain(`${named} already has`);
      expect(requests()).to.have.members(["GET /environment", "GET /env-vars"]);

      const fitting = set(environmentId, { variables: { OTHER: "1" } });
      await engine.up({ ...deployed, ...fitting }, { refresh: true });
      expect(await log.until(/1 written/u)).to.deep.include({ text: `${named}: 1 written (OTHER)` });
    },
  },
  {
    title: "a refusal of the service names it in the same way",
    environment: { name: "shop-pr-9" },
    async run({ engine, environmentId, sandbox }) {
      const deployed = branches(environmentId, MAIN);
      await engine.up(deployed);
      sandbox.faults.add({ label: "PUT /env-vars", status: 400 });
      const run = await failing(
        engine.up({ ...deployed, ...set(environmentId, { variables: { A: "1" } }) }, { refresh: true }),
      );
      expect(run.errors.join("\n")).to.contain(
        `Could not write a variable of environment shop-pr-9 (${environmentId}): the service answered 400`,
      );
    },
  },
  {
    title: "what a terminal would act upon, or nobody would see, is not in the name that is shown",
    environment: { name: "shop\u001B[31m-\u200Bpr\n-9", variables: VARIABLES },
    async run({ engine, environmentId }) {
      const deployed = branches(environmentId, MAIN);
      await engine.up(deployed);
      const run = await failing(engine.up({ ...deployed, ...set(environmentId, conflicting) }, { refresh: true }));
      expect(run.errors.join("\n")).to.contain(`environment shop-pr -9 (${environmentId}) already has`);
    },
  },
  {
    title: "a name without anything that can be shown leaves the id",
    environment: { name: "\u200B", variables: VARIABLES },
    async run({ engine, environmentId }) {
      const deployed = branches(environmentId, MAIN);
      await engine.up(deployed);
      const run = await failing(engine.up({ ...deployed, ...set(environmentId, conflicting) }, { refresh: true }));
      expect(run.errors.join("\n")).to.contain(`environment ${environmentId} already has`);
    },
  },
];

contract("names of environments", scenarios);
