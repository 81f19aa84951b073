import type { ServiceError, status } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Properties } from "../../provider/src/framework/properties";
import { ProviderFailure } from "./host";
import { type Marked, open, seal, unmarked } from "./marked-values";

const PROVIDER_URN = "urn:pulumi:stack::project::pulumi:providers:previewenv::default";
const PROVIDER_ID = "0d0c4b2e-5f1d-4c51-9f0e-3f3c8f3f4a10";

/** The engine's reference of the provider. */
export const PROVIDER = `${PROVIDER_URN}::${PROVIDER_ID}`;

export interface Target {
  readonly urn: string;
  /** Resource option customTimeouts. */
  readonly timeoutSeconds?: number;
}

export interface Existing extends Target {
  readonly id: string;
}

export interface Comparison extends Existing {
  readonly olds: Marked;
  readonly oldInputs: Marked;
  readonly news: Marked;
  readonly ignoreChanges?: readonly string[];
}

/** What exists and is not whole, as the engine stores it. */
export interface Partial {
  readonly id: string;
  readonly outputs: Marked;
  readonly inputs: Marked;
  readonly reasons: readonly string[];
}

export class CallError extends Error {
  readonly code: status;
  readonly partial: Partial | undefined;

  constructor({ code, details, metadata }: ServiceError) {
    super(details);
    this.code = code;
    const [bytes] = metadata.get("grpc-status-details-bin");
    if (bytes === undefined || typeof bytes === "string") return;
    const [detail] = Status.deserializeBinary(bytes).getDetailsList();
    if (detail === undefined) return;
    if (detail.getTypeName() !== "pulumirpc.ErrorResourceInitFailed") throw new Error(`detail ${detail.getTypeName()}`);
    const failed = messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
    this.partial = {
      id: failed.getId(),
      outputs: open(failed.getProperties()),
      inputs: open(failed.getInputs()),
      reasons: failed.getReasonsList(),
    };
  }

  /** As a host passes it on. `take` says what becomes of the outputs. */
  asFailure(take: (outputs: Marked) => Properties): ProviderFailure {
    if (this.partial === undefined) return new ProviderFailure(this.message, undefined, this.code);
    const { id, outputs, reasons } = this.partial;
    return new ProviderFailure(this.message, { id, outputs: take(outputs), reasons });
  }
}

type Done<Reply> = (error: ServiceError | null, reply: Reply) => void;

/** How a plugin is reached: over gRPC, or in this process. */
export interface PluginClient {
  handshake(request: messages.ProviderHandshakeRequest, done: Done<messages.ProviderHandshakeResponse>): unknown;
  checkConfig(request: messages.CheckRequest, done: Done<messages.CheckResponse>): unknown;
  configure(request: messages.ConfigureRequest, done: Done<messages.ConfigureResponse>): unknown;
  check(request: messages.CheckRequest, done: Done<messages.CheckResponse>): unknown;
  diff(request: messages.DiffRequest, done: Done<messages.DiffResponse>): unknown;
  create(request: messages.CreateRequest, done: Done<messages.CreateResponse>): unknown;
  read(request: messages.ReadRequest, done: Done<messages.ReadResponse>): unknown;
  update(request: messages.UpdateRequest, done: Done<messages.UpdateResponse>): unknown;
  delete(request: messages.DeleteRequest, done: Done<Empty>): unknown;
  invoke(request: messages.InvokeRequest, done: Done<messages.InvokeResponse>): unknown;
  cancel(request: Empty, done: Done<Empty>): unknown;
}

/** The calls of a plugin with the messages that the engine fills in. All of them throw CallError. */
export class PluginCalls {
  readonly #client: PluginClient;

  constructor(client: PluginClient) {
    this.#client = client;
  }

  handshake(engineAddress: string): Promise<messages.ProviderHandshakeResponse> {
    const request = new messages.ProviderHandshakeRequest();
    request.setEngineAddress(engineAddress);
    request.setConfigureWithUrn(true);
    request.setInvokeWithPreview(true);
    return call((done) => this.#client.handshake(request, done));
  }

  async checkConfig(news: Marked): Promise<{ readonly inputs: Marked; readonly failures: readonly string[] }> {
    const request = new messages.CheckRequest();
    request.setUrn(PROVIDER_URN);
    request.setOlds(seal(unmarked({})));
    request.setNews(seal(news));
    return checked(await call((done) => this.#client.checkConfig(request, done)));
  }

  configure(settings: Marked): Promise<messages.ConfigureResponse> {
    const request = new messages.ConfigureRequest();
    request.setUrn(PROVIDER_URN);
    request.setId(PROVIDER_ID);
    request.setArgs(seal(settings));
    request.setAcceptsecrets(true);
    request.setAcceptresources(true);
    return call((done) => this.#client.configure(request, done));
  }

  async check(urn: string, olds: Marked, news: Marked): ReturnType<PluginCalls["checkConfig"]> {
    const request = new messages.CheckRequest();
    request.setUrn(urn);
    request.setOlds(seal(olds));
    request.setNews(seal(news));
    return checked(await call((done) => this.#client.check(request, done)));
  }

  diff({ urn, id, olds, oldInputs, news, ignoreChanges = [] }: Comparison): Promise<messages.DiffResponse> {
    const request = new messages.DiffRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(seal(olds));
    request.setOldInputs(seal(oldInputs));
    request.setNews(seal(news));
    request.setIgnorechangesList([...ignoreChanges]);
    return call((done) => this.#client.diff(request, done));
  }

  async create(
    { urn, timeoutSeconds = 0 }: Target,
    properties: Marked,
    preview: boolean = false,
  ): Promise<{ readonly id: string; readonly outputs: Marked }> {
    const request = new messages.CreateRequest();
    request.setUrn(urn);
    request.setProperties(seal(properties));
    request.setTimeout(timeoutSeconds);
    request.setPreview(preview);
    const reply = await call<messages.CreateResponse>((done) => this.#client.create(request, done));
    return { id: reply.getId(), outputs: open(reply.getProperties()) };
  }

  /** Without state it is the read of an import. The id is "" when nothing exists. */
  async read(
    { urn, id, timeoutSeconds = 0 }: Existing,
    state?: { readonly outputs: Marked; readonly inputs: Marked },
  ): Promise<{ readonly id: string; readonly outputs: Marked; readonly inputs: Marked }> {
    const request = new messages.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setTimeout(timeoutSeconds);
    if (state !== undefined) request.setProperties(seal(state.outputs)).setInputs(seal(state.inputs));
    const reply = await call<messages.ReadResponse>((done) => this.#client.read(request, done));
    return { id: reply.getId(), outputs: open(reply.getProperties()), inputs: open(reply.getInputs()) };
  }

  async update(comparison: Comparison, preview: boolean = false): Promise<Marked> {
    const { urn, id, olds, oldInputs, news, ignoreChanges = [], timeoutSeconds = 0 } = comparison;
    const request = new messages.UpdateRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(seal(olds));
    request.setOldInputs(seal(oldInputs));
    request.setNews(seal(news));
    request.setIgnorechangesList([...ignoreChanges]);
    request.setTimeout(timeoutSeconds);
    request.setPreview(preview);
    return open((await call<messages.UpdateResponse>((done) => this.#client.update(request, done))).getProperties());
  }

  async delete({ urn, id, timeoutSeconds = 0 }: Existing, outputs: Marked, inputs: Marked): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(seal(outputs));
    request.setOldInputs(seal(inputs));
    request.setTimeout(timeoutSeconds);
    await call((done) => this.#client.delete(request, done));
  }

  async invoke(token: string, args: Marked): Promise<Marked> {
    const request = new messages.InvokeRequest();
    request.setTok(token);
    request.setArgs(seal(args));
    const reply = await call<messages.InvokeResponse>((done) => this.#client.invoke(request, done));
    if (reply.getFailuresList().length > 0) throw new Error("an Invoke answers with failures instead of an error");
    return open(reply.getReturn());
  }

  async cancel(): Promise<void> {
    await call((done) => this.#client.cancel(new Empty(), done));
  }
}

export function call<T>(start: (done: (error: ServiceError | null, reply: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, reply) => (error === null ? resolve(reply) : reject(new CallError(error))));
  });
}

function checked(reply: messages.CheckResponse): { readonly inputs: Marked; readonly failures: readonly string[] } {
  const failures = reply.getFailuresList().map((failure) => {
    // The engine prints the raw value of a property that is named, a secret one too.
    if (failure.getProperty() !== "") throw new Error(`a check failure names ${failure.getProperty()}`);
    return failure.getReason();
  });
  return { inputs: open(reply.getInputs()), failures };
}
