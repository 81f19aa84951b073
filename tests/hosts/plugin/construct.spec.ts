import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { ConstructRequest, type ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { type IResourceMonitorServer, ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  DeploymentInfo,
  type RegisterResourceOutputsRequest,
  type RegisterResourceRequest,
  RegisterResourceResponse,
  type ResourceInvokeRequest,
  ResourceInvokeResponse,
  ResourceMonitorFeature,
  Result,
} from "@pulumi/pulumi/proto/resource_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { runtime } from "../../../provider/src/hosts/plugin/components/pulumi";
import { call, PROVIDER } from "../../support/plugin-calls";
import { failureOf, usePlugin } from "./suite";

const COMPONENT = "previewenv:index:PreviewEnvironment";
const PARENT = "urn:pulumi:stack::project::acme:index:Team::web";
const OTHER = "urn:pulumi:stack::project::acme:index:Database::db";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const environmentId = "11111111-1111-4111-8111-111111111142";
const projects = [{ repoName: "web", branch: "main" }];

type Inputs = Parameters<typeof Struct.fromJavaScript>[0];

const secret = (value: Inputs[string]): Inputs => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });
/** An Output of a resource. Without a value one that is not known yet. */
const output = (value?: Inputs[string]): Inputs => ({
  [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  ...(value !== undefined && { value }),
  dependencies: [OTHER],
});
const reference = (id: string): Inputs => ({ [SIGNATURE]: "5cf8f73096256a8f31e491e813e4eb8e", urn: OTHER, id });

/** How the engine answers the registration of one resource. */
interface Registration {
  /** Outputs beside the inputs. */
  readonly outputs?: Record<string, Inputs[string]>;
  /** It failed, and the engine goes on. */
  readonly failed?: boolean;
  /** The engine refuses it. */
  readonly refusal?: string;
  /** It is answered when this resolves. */
  readonly after?: Promise<unknown>;
}

/** The part of the engine that programs and components call. */
class FakeMonitor {
  readonly address: string;
  /** What was registered, in order. */
  readonly registered: RegisterResourceRequest[] = [];
  readonly outputs: RegisterResourceOutputsRequest[] = [];
  readonly invoked: ResourceInvokeRequest[] = [];
  /** Answers by the name of a resource. */
  readonly answers = new Map<string, Registration>();
  /** What every function answers. */
  found: Inputs = {};
  readonly #server: grpc.Server;
  readonly #waiting: { readonly name: string; readonly resolve: () => void }[] = [];

  private constructor(server: grpc.Server, port: number) {
    this.#server = server;
    this.address = `127.0.0.1:${port}`;
  }

  /** Listens on a free port of the loopback address. */
  static async start(): Promise<FakeMonitor> {
    const server = new grpc.Server();
    const port = await new Promise<number>((resolve, reject) => {
      const credentials = grpc.ServerCredentials.createInsecure();
      server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
    });
    const monitor = new FakeMonitor(server, port);
    server.addService(ResourceMonitorService, monitor.#calls());
    return monitor;
  }

  /** The registration of a resource by its name. @throws when there is none */
  resource(name: string): RegisterResourceRequest {
    const found = this.registered.find((one) => one.getName() === name);
    if (found === undefined) throw new Error(`nothing registered ${name}`);
    return found;
  }

  /** Resolves when a resource of this name is registered. */
  arrival(name: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ name, resolve }));
  }

  close(): void {
    this.#server.forceShutdown();
  }

  #calls(): Pick<
    IResourceMonitorServer,
    "getDeploymentInfo" | "registerResource" | "registerResourceOutputs" | "invoke"
  > {
    const features = Object.values(ResourceMonitorFeature).filter((one) => typeof one === "number");
    return {
      getDeploymentInfo: (_call, callback) => callback(null, new DeploymentInfo().setSupportedfeaturesList(features)),
      registerResource: ({ request }, callback) => void this.#register(request, callback),
      registerResourceOutputs: ({ request }, callback) => {
        this.outputs.push(request);
        callback(null, new Empty());
      },
      invoke: ({ request }, callback) => {
        this.invoked.push(request);
        callback(null, new ResourceInvokeResponse().setReturn(Struct.fromJavaScript(this.found)));
      },
    };
  }

  async #register(
    request: RegisterResourceRequest,
    callback: grpc.sendUnaryData<RegisterResourceResponse>,
  ): Promise<void> {
    const name = request.getName();
    const { outputs = {}, failed = false, refusal, after } = this.answers.get(name) ?? {};
    this.registered.push(request);
    for (const { resolve } of this.#waiting.filter((one) => one.name === name)) resolve();
    await after;
    if (refusal !== undefined) return callback({ code: grpc.status.UNKNOWN, details: refusal });
    const object = Struct.fromJavaScript({ ...request.getObject()?.toJavaScript(), ...outputs });
    const response = new RegisterResourceResponse().setUrn(urnOf(request)).setObject(object);
    if (request.getCustom()) response.setId(`id of ${name}`);
    if (failed) response.setResult(Result.FAIL);
    callback(null, response);
  }
}

function urnOf(request: RegisterResourceRequest): string {
  const [, , types = ""] = request.getParent().split("::");
  const parents = types === "" || types === "pulumi:pulumi:Stack" ? "" : `${types}$`;
  return `urn:pulumi:stack::project::${parents}${request.getType()}::${request.getName()}`;
}

describe("native plugin, Construct", function () {
  const plugin = usePlugin();
  const monitors: FakeMonitor[] = [];
  const environment = { repoName: "web" };
  const variableSets = { app: { variables: { A: "1" } } };

  afterEach(() => {
    for (const monitor of monitors.splice(0)) monitor.close();
  });

  const start = async (): Promise<FakeMonitor> => {
    const monitor = await FakeMonitor.start();
    monitor.found = { id: environmentId, name: "shop-pr-42", url: "https://found.example", projects };
    monitors.push(monitor);
    await plugin.begin();
    return monitor;
  };

  /** Asks for a component as the engine does. */
  const construct = (
    monitor: FakeMonitor,
    inputs: Inputs,
    change: (request: ConstructRequest) => void = () => undefined,
  ): Promise<ConstructResponse> => {
    const request = new ConstructRequest();
    request.setProject("project").setStack("stack").setOrganization("organization").setParallel(16);
    request.setMonitorendpoint(monitor.address).setAcceptsOutputValues(true);
    request.setType(COMPONENT).setName("shop").setParent(PARENT);
    // The engine sends it without the option, too.
    request.setCustomtimeouts(new ConstructRequest.CustomTimeouts());
    request.setInputs(Struct.fromJavaScript(inputs));
    change(request);
    return call((done) => plugin.process.client.construct(request, done));
  };
  const inputsOf = (monitor: FakeMonitor, name: string): Inputs =>
    monitor.resource(name).getObject()?.toJavaScript() ?? {};

  it("registers the component below its parent, without its inputs, and its children below it", async () => {
    const monitor = await start();
    monitor.answers.set("shop-branches", { outputs: { url: "https://built.example", projects } });
    const response = await construct(monitor, {
      environment,
      variableSets,
      branches: { web: "next" },
      state: "running",
    });

    expect(monitor.registered.map((one) => [one.getType(), one.getName()])).to.have.deep.members([
      [COMPONENT, "shop"],
      ["previewenv:index:EnvironmentState", "shop-state"],
      ["previewenv:index:EnvVarSet", "shop-app"],
      ["previewenv:index:EnvironmentBranches", "shop-branches"],
    ]);
    const [component] = monitor.registered;
    expect([component?.getParent(), inputsOf(monitor, "shop")]).to.deep.equal([PARENT, {}]);
    const urn = `urn:pulumi:stack::project::acme:index:Team$${COMPONENT}::shop`;
    for (const child of monitor.registered.slice(1)) {
      expect(child.getParent()).to.equal(urn);
      expect(child.getProvider()).to.equal(PROVIDER);
    }
    expect(monitor.invoked.map((one) => one.getProvider())).to.deep.equal([PROVIDER]);
    expect(plugin.log.lines.filter(({ severity }) => severity === "warning")).to.deep.equal([]);
    expect(response.getUrn()).to.equal(urn);
    const outputs = { environmentId, name: "shop-pr-42", url: "https://built.example", projects };
    expect(response.getState()?.toJavaScript()).to.deep.equal(outputs);
    expect(monitor.outputs.map((one) => one.getOutputs()?.toJavaScript())).to.deep.equal([outputs]);
    const sources = response.getStatedependenciesMap().get("url")?.getUrnsList();
    expect(sources?.map((one) => one.split("::").at(-1))).to.deep.equal(["shop-branches"]);
  });

  it("passes on what is unknown or secret, at any depth", async () => {
    const monitor = await start();
    const inputs = {
      environment: { id: environmentId },
      variableSets: {
        app: { variables: { A: output(), B: output("known") } },
        database: { secrets: { PASSWORD: secret("tiger"), NEW: secret(UNKNOWN) } },
      },
      rebuildOn: [output("1"), 2],
    };
    await construct(monitor, inputs, (request) => {
      request.setDryrun(true);
    });

    expect(monitor.invoked[0]?.getArgs()?.toJavaScript()).to.deep.equal({ id: environmentId });
    expect(inputsOf(monitor, "shop-app")).to.deep.include({ variables: { A: UNKNOWN, B: "known" } });
    expect(monitor.resource("shop-app").getDependenciesList()).to.include(OTHER);
    expect(inputsOf(monitor, "shop-database")).to.deep.include({
      secrets: { PASSWORD: secret("tiger"), NEW: secret(UNKNOWN) },
    });
    expect(inputsOf(monitor, "shop-branches")).to.deep.include({ rebuildOn: [UNKNOWN, UNKNOWN, "1", 2] });
  });

  it("refuses a resource in the place of one of its outputs, at any depth", async () => {
    const monitor = await start();
    const inputs = {
      environment: { id: output(reference(environmentId)) },
      variableSets: { app: { variables: { A: reference("") }, secrets: { B: secret(reference("id")) } } },
      rebuildOn: [reference("id")],
    };
    const error = await failureOf(construct(monitor, inputs));
    expect(error.message.slice(0, -".".length).split(/[:;] /u)).to.have.members([
      'PreviewEnvironment "shop"',
      "environment.id is a resource. Pass one of its outputs",
      "variableSets.app.variables.A is a resource. Pass one of its outputs",
      "variableSets.app.secrets.B is a resource. Pass one of its outputs",
      "rebuildOn.0 is a resource. Pass its `revision`, or another of its outputs",
    ]);
    expect(monitor.registered).to.deep.equal([]);
  });

  it("knows the names within a secret, and keeps its values secret", async () => {
    const monitor = await start();
    const response = await construct(monitor, {
      environment: secret(environment),
      variableSets: secret({ app: { variables: { A: "tiger" } } }),
    });
    expect(inputsOf(monitor, "shop-app")).to.deep.include({ variables: { A: secret("tiger") } });
    // What was found by a secret is one, as an input of children and as an output.
    for (const stored of [inputsOf(monitor, "shop-app"), response.getState()?.toJavaScript()])
      expect(stored).to.deep.include({ environmentId: secret(environmentId) });
    expect(monitor.outputs[0]?.getOutputs()?.toJavaScript()).to.deep.include({ environmentId: secret(environmentId) });
  });

  it("an environment that is not known yet gives unknown outputs, and no request", async () => {
    const monitor = await start();
    const response = await construct(monitor, { environment: output(), variableSets }, (request) => {
      request.setDryrun(true);
    });
    expect(monitor.invoked).to.have.length(0);
    expect(inputsOf(monitor, "shop-app")).to.include({ environmentId: UNKNOWN });
    expect(response.getState()?.toJavaScript()).to.include({ environmentId: UNKNOWN, url: UNKNOWN });
  });

  it("passes on the options of the component", async () => {
    const monitor = await start();
    const alias = new Alias();
    alias.setSpec(new Alias.Spec().setName("store"));
    const mine = "urn:pulumi:stack::project::pulumi:providers:previewenv::mine::id";
    await construct(monitor, { environment, variableSets }, (request) => {
      request.setProtect(true).setAliasesList([alias]).setDependenciesList([OTHER]);
      request.getProvidersMap().set("previewenv", mine);
    });
    const component = monitor.resource("shop");
    expect(component.getAliasesList().map((one) => one.getSpec()?.getName())).to.deep.equal(["store"]);
    const app = monitor.resource("shop-app");
    expect([component.getProtect(), app.getProtect(), app.getProvider()]).to.deep.equal([true, true, mine]);
    expect(app.getDependenciesList()).to.include(OTHER);
  });

  it("makes several at once, each for its own run", async () => {
    const [one, other] = [await start(), await start()];
    await Promise.all([
      construct(one, { environment, variableSets }),
      construct(other, { environment, variableSets: { extra: {} } }),
      construct(one, { environment }, (request) => void request.setName("bare")),
    ]);
    const names = (monitor: FakeMonitor): readonly string[] => monitor.registered.map((each) => each.getName());
    expect(names(one)).to.have.members(["shop", "shop-app", "shop-branches", "bare"]);
    expect(names(other)).to.have.members(["shop", "shop-extra", "shop-branches"]);
  });

  const nothing = output(null);
  const [inShop, inApp] = ['PreviewEnvironment "shop": ', 'EnvVarSet "shop-app": '];
  // What is refused in which place: tests/sdk/checked-arguments.spec.ts. Here are the ways in which it comes over the wire.
  const wrong: readonly (readonly [text: string, inputs: Inputs, registered?: readonly string[]])[] = [
    [`${inShop}variableSets.app must be a plain object`, { variableSets: { app: nothing } }],
    [`${inShop}variableSets must be a plain object`, { variableSets: output() }],
    [`${inShop}state must be "running" or "stopped", and no Output`, { state: output() }],
    [`${inShop}state must be "running" or "stopped", but is "up".`, { state: "up" }],
    [`${inShop}state must be "running" or "stopped", but is "[secret]".`, { state: secret("tiger-of-the-test") }],
    [`${inShop}there is no property "branch"`, { branch: {} }],
    [`${inShop}environment has no value: `, { environment: null }],
    [`${inShop}environment has no value: `, { environment: nothing }],
    [
      "Leave the name out (in TypeScript: `...(services && { services })`), or",
      { variableSets: { app: { services: null } } },
      ["shop"],
    ],
    [`${inApp}variables.NUM has no value: `, { variableSets: { app: { variables: { NUM: null } } } }, ["shop"]],
    [`${inApp}secrets.NUM has no value: `, { variableSets: { app: { secrets: { NUM: secret(null) } } } }, ["shop"]],
  ];
  for (const [text, inputs, registered = []] of wrong)
    it(`refuses ${JSON.stringify(inputs)}, and registers nothing for it: ${text}`, async () => {
      const monitor = await start();
      const preview = (request: ConstructRequest): void => void request.setDryrun(true);
      const error = await failureOf(construct(monitor, { environment, ...inputs }, preview));
      expect(error.code).to.equal(grpc.status.FAILED_PRECONDITION);
      expect(error.message).to.contain(text);
      expect(monitor.registered.map((each) => each.getName())).to.deep.equal(registered);
    });

  it("refuses a name in `excludeNames` that a preview does not know", async () => {
    const monitor = await start();
    const inputs = { match: { repoName: "web" }, excludeNames: ["main", output()] };
    const many = (request: ConstructRequest): void =>
      void request.setType("previewenv:index:PreviewEnvironments").setDryrun(true);
    const { message } = await failureOf(construct(monitor, inputs, many));
    expect(message).to.equal(
      'PreviewEnvironments "shop": excludeNames[1] must be a string, and no Output: a preview must know it.',
    );
    expect(monitor.registered).to.have.length(0);
  });

  it("a child that failed is the engine's error: the component has its other resources, and outputs that are not known", async () => {
    const monitor = await start();
    monitor.answers.set("shop-app", { failed: true });
    const response = await construct(monitor, { environment, variableSets });
    expect(branchNames(monitor)).to.deep.equal(["shop-branches"]);
    expect(inputsOf(monitor, "shop-branches")).to.deep.include({ rebuildOn: [UNKNOWN] });
    expect(monitor.outputs).to.have.length(1);
    expect(response.getState()?.toJavaScript()).to.include({ environmentId });
    expect(plugin.process.printed).to.equal("");
  });

  it("a child that the engine refuses fails the component by name, and not the plugin", async () => {
    const monitor = await start();
    monitor.answers.set("shop-app", { refusal: "no tiger here" });
    const { message } = await failureOf(construct(monitor, { environment, variableSets }));
    expect(message).to.equal(
      'PreviewEnvironment "shop" is not finished: its resource shop-app (previewenv:index:EnvVarSet) failed',
    );
    monitor.answers.clear();
    await construct(monitor, { environment, variableSets });
    expect(plugin.process.printed).to.equal("");
  });

  const ids = ["a", "b", "c"].map((letter) => environmentId.replace(/^1/u, letter));
  const [broken = "", slow = "", whole = ""] = ids;
  const branchesOf = (ids_: readonly string[]): readonly string[] => ids_.map((id) => `${id}-branches`);
  const branchNames = (monitor: FakeMonitor): readonly string[] =>
    monitor.registered.map((one) => one.getName()).filter((name) => name.endsWith("-branches"));

  it("the engine gets all other environments before PreviewEnvironments answers with the error", async () => {
    const monitor = await start();
    monitor.found = { environments: ids.map((id) => ({ id, name: id, url: "", projects })) };
    monitor.answers.set(`${broken}-app`, { refusal: "not today" });
    // The failure is known before this one is written.
    monitor.answers.set(`${slow}-app`, { after: monitor.arrival(`${whole}-branches`) });
    const inputs = { match: { repoName: "web" }, variableSets };
    const { message } = await failureOf(
      construct(monitor, inputs, (request) => void request.setType("previewenv:index:PreviewEnvironments")),
    );
    expect(message).to.equal(
      `PreviewEnvironments "shop" is not finished: its resource ${broken}-app (previewenv:index:EnvVarSet) failed`,
    );
    expect(branchNames(monitor)).to.have.members(branchesOf([slow, whole]));
    expect(monitor.outputs).to.have.length(1);
  });

  it("other components are whole before a PreviewEnvironment answers with the error: the engine then aborts them", async () => {
    const monitor = await start();
    monitor.answers.set(`${broken}-app`, { refusal: "not today" });
    const release = Promise.withResolvers<void>();
    monitor.answers.set(`${slow}-app`, { after: release.promise });
    const [failing, ...others] = ids.map((id) => {
      const one = { environment: { id, name: id, url: "" }, variableSets };
      return construct(monitor, one, (request) => void request.setName(id));
    });
    const failed = failureOf(failing ?? Promise.resolve());
    await monitor.arrival(`${whole}-branches`);
    release.resolve();
    expect((await failed).message).to.contain(`its resource ${broken}-app (previewenv:index:EnvVarSet) failed`);
    expect(branchNames(monitor)).to.have.members(branchesOf([slow, whole]));
    await Promise.all(others);
  });

  it("ends when the engine cancels the run", async () => {
    const monitor = await start();
    monitor.answers.set("shop-app", { after: new Promise(() => undefined) });
    const arrival = monitor.arrival("shop-app");
    const failure = failureOf(construct(monitor, { environment, variableSets }));
    await arrival;
    await plugin.calls.cancel();
    const { code, message } = await failure;
    expect(code).to.equal(grpc.status.FAILED_PRECONDITION);
    expect(message).to.contain('PreviewEnvironment "shop" is not finished');
  });

  // The bundler names what is missing of `pulumi`, but not of an object within it.
  it("has all that the classes use of `pulumi.runtime` in the bundle", () => {
    const sdk = join(__dirname, "..", "..", "..", "sdk", "nodejs");
    const sources = readdirSync(sdk, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const text = sources.map((name) => readFileSync(join(sdk, name), "utf8")).join("\n");
    const used = [...text.matchAll(/\bpulumi\.runtime\.(\w+)/gu)].map(([, name = ""]) => name);
    expect(used).to.include("invoke");
    expect(runtime).to.include.all.keys(used);
  });

  it("refuses a component of another version by its name", async () => {
    const monitor = await start();
    const error = await failureOf(construct(monitor, {}, (request) => void request.setType("previewenv:index:Other")));
    expect(error.message).to.contain('no component "previewenv:index:Other"');
  });

  it("leaves nothing in the plugin that its end would print", async () => {
    expect(await plugin.process.stop()).to.equal(0);
    expect(plugin.process.printed).to.equal("");
  });
});
