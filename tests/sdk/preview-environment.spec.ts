/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import {
  dependencies,
  endStage,
  environmentId,
  hosts,
  otherId,
  own,
  read,
  type Stage,
  startStage,
  unknownOutput,
} from "./stage";

const projects = [{ repoName: "web", orgName: "acme", branch: "main", commitHash: "c0ffee" }];
const environment = { repoName: "web", pullRequestNumber: 42, waitSeconds: 600 };

for (const { host, entry, typePrefix } of hosts) {
  const { EnvVarSet, PreviewEnvironment, Provider } = entry;
  describe(`PreviewEnvironment of ${host}`, () => {
    let calls: pulumi.runtime.MockCallArgs[];
    const begin = ({ isThere = true, ...options }: { preview?: boolean; isThere?: boolean } = {}): Promise<Stage> => {
      calls = [];
      const call = (args: pulumi.runtime.MockCallArgs): Record<string, unknown> => {
        calls.push(args);
        if (!isThere) throw new Error("no environment matched");
        return { id: environmentId, name: "shop-pr-42", url: "https://found.example", projects };
      };
      return startStage({ ...options, call });
    };
    afterEach(() => endStage());

    it("looks for the environment by what it is given, and gives every child its id", async () => {
      const stage = await begin();
      const preview = new PreviewEnvironment("shop", {
        environment: { ...environment, repoName: pulumi.output("web") },
        variableSets: { app: { variables: { A: "1" } } },
      });

      const app = await stage.find("shop-app");
      const branches = await stage.find("shop-branches");

      expect(calls.map(({ token, inputs }) => [token, inputs])).to.deep.equal([
        ["previewenv:index:getEnvironment", environment],
      ]);
      // Secrets would be plain text there.
      expect(await stage.find("shop")).to.deep.include({ type: "previewenv:index:PreviewEnvironment", inputs: {} });
      expect([app.type, branches.type]).to.deep.equal([`${typePrefix}EnvVarSet`, `${typePrefix}EnvironmentBranches`]);
      for (const { inputs } of [app, branches]) expect(inputs["environmentId"]).to.equal(environmentId);
      expect(preview).to.be.instanceOf(dynamic.PreviewEnvironment);
      expect((await read(preview.environmentId)).value).to.equal(environmentId);
    });

    it("warns of each option that only its children can use", async () => {
      const stage = await begin();
      const args = { environment, variableSets: { app: { variables: { A: "1" } } } };
      new PreviewEnvironment("shop", args, { ignoreChanges: ["variableSets"], replaceOnChanges: [] });
      await stage.find("shop-branches");
      expect(stage.logged).to.deep.equal([
        'PreviewEnvironment "shop": a component ignores the option `ignoreChanges`, unless its children have it, too. ' +
          "Give it to the children with the option `transforms`, or declare them without the component, as in YAML.",
      ]);
    });

    it("builds after all sets, for all their revisions in an order that does not depend on the program's", async () => {
      const orders: unknown[] = [];
      for (const names of [
        ["b", "a"],
        ["a", "b"],
      ]) {
        const stage = await begin();
        // The mocks give back what they are given, a revision too.
        const sets = names.map((name) => [name, { variables: { [name]: name }, revision: name }] as const);
        new PreviewEnvironment("shop", { environment, variableSets: Object.fromEntries(sets), rebuildOn: ["more"] });
        const branches = await stage.find("shop-branches");
        expect(dependencies(branches)).to.include.members(["shop-a", "shop-b"]);
        orders.push(branches.inputs["rebuildOn"]);
      }

      expect(orders).to.deep.equal([
        ["a", "b", "more"],
        ["a", "b", "more"],
      ]);
    });

    it("passes on what it says of branches and builds", async () => {
      const stage = await begin();
      new PreviewEnvironment("shop", {
        environment,
        branches: { web: pulumi.output("feature/checkout") },
        waitForBuild: false,
        buildTimeoutSeconds: 60,
        onDestroy: "restore",
        whenStopped: "skip",
        requires: ["DATABASE_URL"],
      });

      expect(own(await stage.find("shop-branches"))).to.deep.equal({
        environmentId,
        branches: { web: "feature/checkout" },
        rebuildOn: [],
        waitForBuild: false,
        buildTimeoutSeconds: 60,
        onDestroy: "restore",
        whenStopped: "skip",
        requires: ["DATABASE_URL"],
      });
    });

    it("only looks when there is nothing to write and nothing to deploy", async () => {
      const stage = await begin();
      const preview = new PreviewEnvironment("shop", { environment, variableSets: {} });

      expect((await read(preview.url)).value).to.equal("https://found.example");
      expect((await read(preview.name)).value).to.equal("shop-pr-42");
      expect((await read(preview.projects)).value).to.deep.equal(projects);
      expect(stage.registered.map((one) => one.name)).to.deep.equal(["shop"]);
    });

    it("gives the address and projects that the build left, which a preview does not know yet", async () => {
      await begin({ preview: true });
      const preview = new PreviewEnvironment("shop", { environment, branches: { web: "next" } });

      expect(await read(preview.url)).to.deep.equal({ known: false, secret: false });
      expect(await read(preview.projects)).to.deep.equal({ known: false, secret: false });
      expect(await read(preview.name)).to.deep.equal({ known: true, secret: false, value: "shop-pr-42" });
    });

    it("puts its children below itself, with its provider and its dependencies", async () => {
      const stage = await begin();
      const provider = new Provider("mine", { apiToken: "other" });
      const before = new EnvVarSet("before", { environmentId: otherId, variables: {} });
      const args = { environment, variableSets: { app: {} }, state: "running" } as const;
      new PreviewEnvironment("shop", args, { provider, dependsOn: before });
      await stage.find("shop-branches");

      for (const name of ["shop-app", "shop-branches", "shop-state"]) {
        const child = await stage.find(name);
        expect(child.request.getParent()).to.match(/previewenv:index:PreviewEnvironment::shop$/u);
        expect(child.request.getProvider()).to.match(/pulumi:providers:(?:pulumi-nodejs|previewenv)::mine/u);
        expect(dependencies(child)).to.include("before");
      }
      if (entry === native) expect(stage.invoked.map((one) => one.getProvider())).to.match(/::mine::/u);
    });

    it("knows its environment in a preview although what it depends on is still to be made, or else says nothing", async () => {
      for (const [isThere, expected] of [
        [true, environmentId],
        [false, pulumi.runtime.unknownValue],
      ] as const) {
        const stage = await begin({ preview: true, isThere });
        const before = new EnvVarSet("before", { environmentId: otherId, variables: {} });
        new PreviewEnvironment("shop", { environment, variableSets: { app: {} } }, { dependsOn: before });

        expect((await stage.find("shop-app")).inputs["environmentId"]).to.equal(expected);
        // Nobody waits for the environment in that call.
        expect(calls.map(({ inputs }) => inputs)).to.deep.equal([{ ...environment, waitSeconds: 0 }]);
        endStage();
      }
    });

    it("stops the environment after the variables, and leaves branches and builds as they were", async () => {
      const stage = await begin();
      new PreviewEnvironment("shop", {
        environment,
        variableSets: { app: {} },
        branches: { web: "next" },
        onDestroy: "restore",
        state: "stopped",
      });
      const branches = await stage.find("shop-branches");
      const state = await stage.find("shop-state");

      expect(own(state)).to.deep.equal({ environmentId, state: "stopped" });
      expect(dependencies(state)).to.include("shop-app");
      expect(dependencies(await stage.find("shop-app"))).not.to.include("shop-state");
      expect(own(branches)).to.deep.equal({
        environmentId,
        rebuildOn: [],
        waitForBuild: false,
        onDestroy: "restore",
      });
      expect(branches.request.getIgnorechangesList()).to.deep.equal(["branches", "rebuildOn", "waitForBuild"]);
      expect(dependencies(branches)).to.include("shop-state");
    });

    it("declares nothing while a preview does not know which environment it is, but shows its children", async () => {
      const stage = await begin({ preview: true });
      const one = { environment: { id: unknownOutput<string>() }, variableSets: { app: { variables: { A: "1" } } } };
      new PreviewEnvironment("shop", one);

      expect((await stage.find("shop-app")).inputs["environmentId"]).to.equal(pulumi.runtime.unknownValue);
      expect(calls).to.deep.equal([]);
    });

    it("takes an environment that was listed as it is, and its children go only with it", async () => {
      for (const [more, mark] of [
        [{}, true],
        [{ onUnlisted: "delete" }, false],
      ] as const) {
        const stage = await begin();
        const listed = { id: environmentId, name: "shop-pr-42", url: "" };
        const whole = { ...listed, projects, deleted: false };
        const sets = { app: { variables: { A: "1" } } };
        const made = new PreviewEnvironment("shop", { environment: listed, variableSets: sets, ...more });
        const looked = new PreviewEnvironment("whole", { environment: whole });

        const [app, branches] = [await stage.find("shop-app"), await stage.find("shop-branches")];
        expect([app, branches].map(({ inputs }) => inputs["__listed"])).to.deep.equal([mark, mark]);
        expect(app.inputs["environmentId"]).to.equal(environmentId);
        expect((await read(made.name)).value).to.equal("shop-pr-42");
        expect((await read(looked.projects)).value).to.deep.equal(projects);
        expect(calls).to.deep.equal([]);
      }
    });
  });
}

describe("an argument of a component that a preview must know", () => {
  afterEach(() => endStage());
  const match = { repoName: "web" };
  const wrong: readonly (readonly [type: string, args: unknown, text: RegExp])[] = [
    ["PreviewEnvironment", undefined, /"it": the arguments must be a plain object/u],
    ["PreviewEnvironment", {}, /environment must be a plain object, and no Output/u],
    ["PreviewEnvironment", { environment: pulumi.output(environment) }, /environment must be a plain object, and no/u],
    ["PreviewEnvironment", { environment: environmentId }, /environment must be a plain object, but is a string/u],
    ["PreviewEnvironment", { environment: { id: environmentId, url: "" } }, /pass its id and name, too/u],
    [
      "PreviewEnvironment",
      { environment, variablesSets: {} },
      /no property "variablesSets"\. There are: environment,/u,
    ],
    ["PreviewEnvironment", { environment, variableSets: { a: pulumi.output({}) } }, /variableSets\.a must be a plain/u],
    ["PreviewEnvironment", { environment, onUnlisted: "retain" }, /"keep" or "delete", but is "retain"\./u],
    ["PreviewEnvironment", { environment, state: pulumi.output("running") }, /"running" or "stopped", and no Output/u],
    ["PreviewEnvironment", { environment, rebuildOn: pulumi.output([]) }, /rebuildOn must be a list/u],
    ["PreviewEnvironments", { match, each: {} }, /each must be a function/u],
    ["PreviewEnvironments", { match, pullRequestsOnly: "yes" }, /pullRequestsOnly must be a boolean/u],
    ["PreviewEnvironments", { match, excludeNames: ["!a"] }, /excludeNames: "!a" cannot begin with `!`/u],
    [
      "PreviewEnvironments",
      { match, excludeNames: ["pr-[0-9"] },
      /excludeNames: "pr-\[0-9" has a `\[` without a `\]`/u,
    ],
    ["PreviewEnvironments", { match, excludeNames: [""] }, /excludeNames: "" must not be empty/u],
    [
      "PreviewEnvironments",
      { match, excludeNames: ["a", pulumi.secret("b")] },
      /excludeNames\[1\] must be a string, and no Output: a preview must know it\.$/u,
    ],
    ["PreviewEnvironments", { match, excludeNames: [7] }, /excludeNames\[0\] must be a string, but is a number\.$/u],
    ["PreviewEnvironments", {}, /match must be a plain object/u],
    ["PreviewEnvironments", { match: {} }, /match needs at least one filter \(name, orgName,/u],
    [
      "PreviewEnvironments",
      { match: { ...match, deleted: true } },
      /no property "match\.deleted"\. There are: name, orgName,/u,
    ],
  ];
  for (const [type, args, text] of wrong)
    it(`is refused when it is wrong, and nothing is declared: ${type}, ${text.source}`, async () => {
      const stage = await startStage();
      expect(() => Reflect.construct(Reflect.get(dynamic, type), ["it", args])).to.throw(pulumi.RunError, text);
      expect(stage.registered).to.deep.equal([]);
    });
});
