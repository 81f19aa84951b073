import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { ReadResourceRequest, RegisterResourceRequest, ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";

/** What the engine was asked to register. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  /** Properties as they travel: secrets in their envelope. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly request: RegisterResourceRequest;
}

/** A run of a program under mocks. */
export interface Stage {
  readonly registered: readonly Registered[];
  /** What the program only looked at. */
  readonly looked: readonly ReadResourceRequest[];
  /** Calls of functions. */
  readonly invoked: readonly ResourceInvokeRequest[];
  /** Warnings and errors that were logged. */
  readonly logged: string[];
  /** The one resource of that name, once it was registered. */
  find(name: string): Promise<Registered>;
}

export interface StageOptions {
  readonly preview?: boolean | undefined;
  /** Answers of functions. */
  readonly call?: (args: pulumi.runtime.MockCallArgs) => Record<string, unknown>;
  /** State of everything that the program only looks at. */
  readonly found?: Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Whether the program takes it for an engine, and not for the mocks of a unit test. */
  readonly real?: boolean;
}

/** Every promise of the Pulumi SDK keeps a stack, whose frames are looked up in source maps. Of a failed test the first ones tell enough. */
const FRAMES = 3;
const { stackTraceLimit } = Error;

export const environmentId = "11111111-1111-4111-8111-111111111142";
export const otherId = "22222222-2222-4222-8222-222222222242";

/** Both entries of the package, and what the engine calls the types of their resources. */
export const hosts = [
  { host: "pulumi-previewenv", entry: dynamic, typePrefix: "pulumi-nodejs:dynamic/previewenv:" },
  { host: "pulumi-previewenv/native", entry: native, typePrefix: "previewenv:index:" },
] as const;

/** A component that a program has written. */
export class Component extends pulumi.ComponentResource {
  constructor(name: string, opts: pulumi.ComponentResourceOptions = {}) {
    super("test:index:Component", name, {}, opts);
  }
}

/** A secret as it travels. */
export function secret(value: unknown): unknown {
  return { [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig, value };
}

/** The inputs that are not the dynamic provider's own. */
export function own({ inputs }: Registered): Record<string, unknown> {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== "__provider"));
}

/** The names of the resources that one depends on. */
export function dependencies({ request }: Registered): readonly (string | undefined)[] {
  return request.getDependenciesList().map((urn) => urn.split("::").at(-1));
}

/** Begins a run of its own: what earlier tests declared is forgotten. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const { preview = false, call = () => ({}), found, real = false } = options;
  Error.stackTraceLimit = FRAMES;
  const registered: Registered[] = [];
  const looked: ReadResourceRequest[] = [];
  const invoked: ResourceInvokeRequest[] = [];
  const logged: string[] = [];
  const newResource = async ({ id = "", name, inputs }: pulumi.runtime.MockResourceArgs) =>
    id === "" ? { id: preview ? undefined : `${name}-id`, state: inputs } : { id, state: (await found) ?? inputs };
  await pulumi.runtime.setMocks({ newResource, call }, "project", "stack", preview);
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error("mocks have a monitor");
  watch(monitor, "registerResource", (request) => {
    if (!(request instanceof RegisterResourceRequest)) return;
    const inputs = request.getObject()?.toJavaScript() ?? {};
    registered.push({ type: request.getType(), name: request.getName(), inputs, request });
  });
  watch(monitor, "readResource", (request) => {
    if (request instanceof ReadResourceRequest) looked.push(request);
  });
  watch(monitor, "invoke", (request) => {
    if (request instanceof ResourceInvokeRequest) invoked.push(request);
  });
  if (real) Reflect.set(monitor, "getChannel", () => undefined);
  const note = (text: string, resource?: pulumi.Resource): Promise<void> => {
    // A message of a resource waits until that is registered, and all others wait behind it.
    logged.push(resource === undefined ? text : `${text} (held up by a resource)`);
    return Promise.resolve();
  };
  Reflect.set(pulumi.log, "warn", note);
  const find = async (name: string): Promise<Registered> => {
    for (;;) {
      const one = registered.find((candidate) => candidate.name === name);
      if (one !== undefined) return one;
      await setImmediate();
    }
  };
  return { registered, looked, invoked, logged, find };
}

/** Notes the requests of one kind that the program sends to the engine. */
function watch(monitor: object, method: string, note: (request: unknown) => void): void {
  const original: unknown = Reflect.get(monitor, method);
  if (typeof original !== "function") throw new Error(`the monitor has no ${method}`);
  Reflect.set(monitor, method, (request: unknown, callback: unknown) => {
    const done: unknown = original.call(monitor, request, callback);
    note(request);
    return done;
  });
}

const { warn } = pulumi.log;

/** Ends the run: without an engine, and the real log. */
export function endStage(): void {
  Error.stackTraceLimit = stackTraceLimit;
  Reflect.set(pulumi.log, "warn", warn);
  pulumi.runtime.setAllConfig({});
  pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, "");
}

/** The value of an Output, with what else is known of it. */
export async function read<T>(output: pulumi.Output<T>): Promise<{ known: boolean; secret: boolean; value?: T }> {
  let found: { value: T } | undefined;
  const noted = output.apply((value) => {
    found = { value };
  });
  const isSecret = await pulumi.isSecret(noted);
  return { known: found !== undefined, secret: isSecret, ...found };
}

/** An Output that a preview does not know. */
export function unknownOutput<T>(): pulumi.Output<T> {
  // Through a wider type: the SDK's own would be that of the placeholder.
  const sdk: object = pulumi;
  return pulumi.output("").apply<T>(() => Reflect.get(sdk, "unknown"));
}

/**
 * The errors of unhandled rejections that the action causes, each once: what the Pulumi runtime prints, and fails the
 * program for. A failed Output is several rejections with one error.
 */
export async function unhandled(action: () => void): Promise<readonly unknown[]> {
  const before = process.listeners("unhandledRejection");
  const errors = new Set<unknown>();
  process.removeAllListeners("unhandledRejection");
  try {
    await new Promise<void>((resolve) => {
      process.on("unhandledRejection", (error) => {
        errors.add(error);
        resolve();
      });
      action();
    });
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of before) process.on("unhandledRejection", listener);
  }
  return [...errors];
}

/** The package as a component has it that was installed with its own version. */
export function anotherCopy(): typeof dynamic {
  const entry = require.resolve("../../sdk/nodejs");
  const ours = Object.entries(require.cache).filter(([file]) => file.startsWith(dirname(entry)));
  for (const [file] of ours) Reflect.deleteProperty(require.cache, file);
  const copy: typeof dynamic = require(entry);
  Object.assign(require.cache, Object.fromEntries(ours));
  return copy;
}
