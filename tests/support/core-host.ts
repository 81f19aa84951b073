import { describeFailure } from "../../provider/src/framework/input-checks";
import type { Context } from "../../provider/src/framework/context";
import * as calls from "../../provider/src/framework/engine-calls";
import type { Properties } from "../../provider/src/framework/properties";
import type { LiveResource } from "../../provider/src/framework/resource";
import { startRun } from "../../provider/src/environment/start-run";
import { secretHints } from "../../provider/src/env-vars/secret-hints";
import { resolveSettings } from "../../provider/src/framework/settings";
import { findResource } from "../../provider/src/resources";
import {
  type Difference,
  type Found,
  holdToForesight,
  type Host,
  type Identified,
  type Provider,
  ProviderFailure,
  type StartOptions,
  UnforeseenError,
} from "./host";
import type { LogBook } from "./log-book";

const SHOWN: ReadonlySet<Difference> = new Set([
  "Import",
  "A refresh after an update that failed",
  "What a diff names",
] as const);

/** The resources themselves, without any transport: what a native plugin would call. */
export const coreHost: Host = {
  name: "core in process",
  ownsTime: true,
  // What needs neither names of resources nor a process is there already.
  side: (row) => (SHOWN.has(row) ? "native" : undefined),
  start: (options) => Promise.resolve(start(options)),
  close: () => Promise.resolve(),
};

function start(options: StartOptions): Provider {
  const { settings, baseUrl, token, clock, log, session: given, signal, hasProgram = true } = options;
  const named: Readonly<Record<string, string>> = { baseUrl, apiToken: token, ...settings };
  const session = startRun(
    resolveSettings((name) => named[name], {}),
    { ...given, clock },
  );
  session.client.onWait((text) => collect(log).status(text));
  const cancelled = new AbortController();
  const ctx: Context = {
    ...session,
    log: collect(log),
    runsProgram: () => Promise.resolve(hasProgram),
    signal: signal === undefined ? cancelled.signal : AbortSignal.any([cancelled.signal, signal]),
  };
  const importOf = async (type: string, id: string): Promise<Identified | undefined> => {
    const found = await calls.importExisting(findResource(type), ctx, id);
    return found && { id: found.id, ...toFound(found) };
  };
  return {
    check(type, olds, news, { name }) {
      const resource = findResource(type);
      const about = { identity: name, label: `${type} "${name}"` };
      const { inputs, failures } = calls.check(resource, wire(news), wire(olds), session, about);
      return Promise.resolve({ inputs: wire(inputs), failures: failures.map(describeFailure) });
    },
    diff: (type, _id, olds, news) =>
      fail(() => {
        const { changes, replaces } = calls.diff(findResource(type), wire(olds), wire(news), session);
        const paths = changes.map(({ path }) => path.join("."));
        return Promise.resolve({ changes: paths.length > 0 ? "some" : "none", replaces, paths });
      }),
    create: (type, news) =>
      fail(async () => {
        const { id, state } = finished(await calls.create(findResource(type), ctx, wire(news)));
        holdToForesight(wire(calls.plannedOutputs(findResource(type), wire(news))), wire(state), type);
        return { id, outputs: wire(state) };
      }),
    read: (type, id, olds, inputs) =>
      fail(async () => {
        const found = await calls.read(findResource(type), ctx, id, wire(olds), wire(inputs));
        return found && toFound(found);
      }),
    import: (type, id) => fail(() => importOf(type, id)),
    lookUp: (type, id, asked) =>
      fail(async () => {
        const found = await calls.lookUp(findResource(type), ctx, id, wire(asked));
        return found && { id: found.id, ...toFound(found) };
      }),
    update: (type, id, olds, news) =>
      fail(async () => {
        const foreseen = wire(calls.plannedOutputs(findResource(type), wire(news), wire(olds), session));
        const { state } = finished(await calls.update(findResource(type), ctx, id, wire(news), wire(olds)));
        holdToForesight(foreseen, wire(state), type);
        return wire(state);
      }),
    foresee: (type, news, olds) =>
      fail(async () => {
        const resource = findResource(type);
        const warnings = await calls.previewCheck(resource, ctx, wire(news), olds && wire(olds));
        for (const text of ctx.warnings.unsaid(warnings)) ctx.log.warn(text);
        for (const hint of secretHints(type, resource, wire(news), [], ctx.notSecretNames)) ctx.log.warn(hint);
        return wire(calls.plannedOutputs(resource, wire(news), olds && wire(olds), session));
      }),
    delete: (type, id, olds) => fail(() => calls.remove(findResource(type), ctx, id, wire(olds))),
    cancel: () => Promise.resolve(cancelled.abort()),
    stop: () => session.client.close(),
  };
}

function toFound({ state, inputs, unfinishedReasons }: Required<LiveResource>): Found {
  return {
    outputs: wire(state),
    inputs: wire(inputs),
    ...(unfinishedReasons.length > 0 && { reasons: unfinishedReasons }),
  };
}

/** A finished write. @throws ProviderFailure of another */
function finished(live: Required<LiveResource>): LiveResource {
  const { id, state, unfinishedReasons } = live;
  if (unfinishedReasons.length > 0)
    throw new ProviderFailure(unfinishedReasons.join("\n"), { id, outputs: wire(state), reasons: unfinishedReasons });
  return live;
}

function collect(log: LogBook): Context["log"] {
  return {
    info: (text) => log.add({ severity: "info", text, passing: false }),
    warn: (text) => log.add({ severity: "warning", text, passing: false }),
    status: (text) => log.add({ severity: "info", text, passing: true }),
  };
}

async function fail<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof UnforeseenError || error instanceof ProviderFailure) throw error;
    throw new ProviderFailure(error instanceof Error ? error.message : String(error));
  }
}

/** Every bag crosses a wire between calls, and comes back as another object. */
function wire(bag: Properties): Properties {
  return JSON.parse(JSON.stringify(bag));
}
