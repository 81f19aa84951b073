import { Metadata, type sendUnaryData, type ServiceError, status } from "@grpc/grpc-js";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Properties } from "../../provider/src/framework/properties";
import { startSession } from "../../provider/src/environment/start-session";
import type { EngineLog } from "../../provider/src/hosts/engine-log";
import { type Service, startService } from "../../provider/src/hosts/plugin/service";
import type { Host, Provider, Side, StartOptions } from "../support/host";
import type { LogBook } from "../support/log-book";
import { type Marks, SecretBook, type Style, unmarked } from "../support/marked-values";
import { type PluginClient, PluginCalls } from "../support/plugin-calls";
import { PluginProvider } from "../support/plugin-provider";

/** Each run is of another program; the first one marks its secrets entry by entry. */
const STYLES: readonly Style[] = ["generated", "classes", "yaml"];

/** Stands for the only connection. */
const PEER = "in process";

/** The native plugin's service with the messages of the engine, without process and wire. */
export class PluginModuleHost implements Host {
  readonly name = "native plugin in process";
  readonly ownsTime = true;
  readonly side = (): Side => "native";
  readonly #marks = new WeakMap<Properties, Marks>();

  async start(options: StartOptions): Promise<Provider> {
    const { settings, baseUrl, token, run, clock, log, session, signal, hasProgram = true } = options;
    const service = startService(undefined, {
      startSession: (chosen) => startSession(chosen, { ...session, clock }),
      connectEngine: () => logInto(log, hasProgram),
    });
    service.connect(PEER);
    const calls = new PluginCalls(inProcess(service.calls));
    const checked = await calls.checkConfig(unmarked({ baseUrl, apiToken: token, ...settings }));
    await calls.configure(checked.inputs);
    signal?.addEventListener("abort", () => service.end(), { once: true });
    const memory = {
      marks: this.#marks,
      secrets: new SecretBook(),
      style: STYLES[run % STYLES.length] ?? "yaml",
      secretSettings: [],
      stack: "urn:pulumi:simulated::simulation::",
    };
    return new EndlessProvider(calls, memory, () => memory.secrets.refuse(log.lines.map(({ text }) => text)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The cancellation at the end of a run is answered before it acts; here nothing is left for it to act upon. */
class EndlessProvider extends PluginProvider {
  override cancel(): Promise<void> {
    return Promise.resolve();
  }
}

/** A log of the engine that is a book. */
export function logInto(log: LogBook, hasProgram: boolean): EngineLog {
  return {
    send(request) {
      const severity = request.getSeverity() === LogSeverity.WARNING ? "warning" : "info";
      log.add({ severity, text: request.getMessage(), passing: request.getEphemeral() });
    },
    flushed: () => Promise.resolve(),
    runsProgram: () => Promise.resolve(hasProgram),
    close: () => undefined,
  };
}

type Handler<Request, Reply> = (
  call: { readonly request: Request; getPeer(): string },
  callback: sendUnaryData<Reply>,
) => void;

function inProcess(service: Service["calls"]): PluginClient {
  const direct =
    <Request, Reply>(handler: Handler<Request, Reply>) =>
    (request: Request, done: (error: ServiceError | null, reply: Reply) => void): void =>
      handler({ request, getPeer: () => PEER }, (error, reply) => {
        if (reply !== null && reply !== undefined) done(null, reply);
        else reject(error, done);
      });
  return {
    handshake: direct(service.handshake),
    checkConfig: direct(service.checkConfig),
    configure: direct(service.configure),
    check: direct(service.check),
    diff: direct(service.diff),
    create: direct(service.create),
    read: direct(service.read),
    update: direct(service.update),
    delete: direct(service.delete),
    invoke: direct(service.invoke),
    cancel: direct(service.cancel),
  };
}

function reject(error: Parameters<sendUnaryData<unknown>>[0], done: (error: ServiceError, reply: never) => void): void {
  const { code = status.UNKNOWN, details = "", metadata = new Metadata() } = error ?? {};
  const failure: ServiceError = Object.assign(new Error(details), { code, details, metadata });
  Reflect.apply(done, undefined, [failure]);
}
