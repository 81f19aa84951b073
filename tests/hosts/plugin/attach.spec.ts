import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { expect } from "chai";
import { type Sandbox, startSandbox } from "../../../provider/src/sandbox";
import { call, PluginCalls } from "../../support/plugin-calls";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const vars = { type: "EnvVarSet", name: "vars" };

describe("native plugin, attached to by a program with two providers", () => {
  const plugin = usePlugin({ byHand: true });
  let other: Sandbox;
  let environmentId = "";

  beforeEach(async () => {
    environmentId = plugin.environment();
    const environments = [{ id: environmentId, name: "shop", projects: [] }];
    other = await startSandbox({ clock: plugin.clock, environments });
  });

  afterEach(() => other.close());

  /** As the engine begins with each provider of a program. */
  async function attach({ url, token }: Sandbox): Promise<PluginCalls> {
    const client = plugin.connect();
    const calls = new PluginCalls(client);
    await calls.handshake(plugin.engineAddress);
    const request = new PluginAttach();
    request.setAddress(plugin.engineAddress);
    await call((done) => client.attach(request, done));
    await plugin.configure(calls, { baseUrl: url, apiToken: token });
    return calls;
  }

  function values({ world }: Sandbox): Readonly<Record<string, string>> {
    return Object.fromEntries(world.variables(environmentId).map(({ name, value }) => [name, value]));
  }

  it("asks the service of each with the token of each", async () => {
    const first = await attach(plugin.sandbox);
    const second = await attach(other);
    const staging = await make(first, vars, { environmentId, variables: { A: "staging" } });
    await make(second, vars, { environmentId, variables: { A: "production" } });
    expect([values(plugin.sandbox), values(other)]).to.deep.equal([{ A: "staging" }, { A: "production" }]);
    const next = await attach(plugin.sandbox);
    await attach(other);
    await next.delete({ urn: urnOf("EnvVarSet", "vars"), id: staging.id }, staging.outputs, staging.inputs);
    expect([values(plugin.sandbox), values(other)]).to.deep.equal([{}, { A: "production" }]);
  });

  it("is cancelled for one and goes on for the other", async () => {
    const first = await attach(plugin.sandbox);
    const second = await attach(other);
    await first.cancel();
    const late = await failureOf(make(first, vars, { environmentId, variables: { A: "1" } }));
    expect(late.message).to.match(/cancelled/u);
    await make(second, vars, { environmentId, variables: { A: "1" } });
    expect([values(plugin.sandbox), values(other)]).to.deep.equal([{}, { A: "1" }]);
  });

  it("takes a schema that is read meanwhile for no run of its own", async () => {
    const first = await attach(plugin.sandbox);
    await new PluginCalls(plugin.connect()).handshake(plugin.engineAddress);
    await make(first, vars, { environmentId, variables: { A: "1" } });
    expect(values(plugin.sandbox)).to.deep.equal({ A: "1" });
  });
});
