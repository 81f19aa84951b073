import { status } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect } from "chai";
import { version } from "../../../package.json";
import schema from "../../../provider/schema.json";
import { call } from "../../support/plugin-calls";
import { failureOf, usePlugin } from "./suite";

describe("native plugin, the calls about itself", () => {
  const plugin = usePlugin();

  it("say what it accepts: secrets, resources and outputs, in the handshake and in Configure alike", async () => {
    const first = await plugin.calls.handshake(plugin.engineAddress);
    expect(first.toObject()).to.include({ acceptSecrets: true, acceptResources: true, acceptOutputs: true });
    const configured = await plugin.calls.configure({
      bag: { baseUrl: plugin.sandbox.url, apiToken: plugin.sandbox.token },
      marks: [["apiToken"]],
    });
    expect(configured.toObject()).to.include({
      acceptsecrets: true,
      acceptresources: true,
      acceptoutputs: true,
      supportspreview: true,
    });
  });

  it("say its version, and its schema", async () => {
    const { client } = plugin.process;
    const info = await call<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    expect(info.getVersion()).to.equal(version);
    const request = new messages.GetSchemaRequest();
    const answer = await call<messages.GetSchemaResponse>((done) => client.getSchema(request, done));
    expect(JSON.parse(answer.getSchema())).to.deep.equal(JSON.parse(JSON.stringify(schema)));
  });

  it("say of what it does not do that it does not do it", async () => {
    const { client } = plugin.process;
    const unary = [
      call((done) => client.call(new messages.CallRequest(), done)),
      call((done) => client.parameterize(new messages.ParameterizeRequest(), done)),
      call((done) => client.getMapping(new messages.GetMappingRequest(), done)),
      call((done) => client.getMappings(new messages.GetMappingsRequest(), done)),
    ];
    for (const one of unary) expect((await failureOf(one)).code).to.equal(status.UNIMPLEMENTED);
    const list = client.list(new messages.ListRequest());
    const code = await new Promise((resolve) => {
      list.on("data", () => undefined);
      list.on("error", (error) => resolve("code" in error ? error.code : error));
    });
    expect(code).to.equal(status.UNIMPLEMENTED);
  });

  it("need no settings: nothing is asked of the service", () => {
    expect(plugin.requests()).to.deep.equal([]);
  });
});
