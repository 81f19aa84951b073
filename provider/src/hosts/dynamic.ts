import { toUSVString } from "node:util";
import { ConfigError } from "../client/errors";
import { describeFailure } from "../framework/check";
import { PartialFailureError, truncatedText } from "../framework/partial-failure";
import type { Context, Session } from "../framework/context";
import type { Properties } from "../framework/properties";
import type { Resource } from "../framework/resource";
import { resolveLastSettings, SettingsError, type Source } from "../framework/settings";
import { startSession } from "../environment/session";
import { findResource } from "../resources";
import { engineLog } from "./engine-log";

/** The property in which state holds the provider text. Resources never see it. */
const PROVIDER_KEY = "__provider";

/** The calls of Pulumi's dynamic provider process (`sdk/nodejs/cmd/dynamic-provider`). */
export interface DynamicProvider {
  configure(request: { readonly config: { get(key: string): string | undefined } }): Promise<void>;
  check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: Failure[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<{ changes?: boolean; replaces: string[] }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

interface Failure {
  /** Always empty: the engine prints the raw value of a property that is named here. */
  readonly property: "";
  readonly reason: string;
}

/** Stack config of this process, from the last `configure`; every type's provider gets the same. */
let source: Source = () => undefined;
let opened: { readonly key: string; readonly session: Session } | undefined;
const log = engineLog(process.argv.at(-1));

/**
 * The provider of one resource type. Each state file of a dynamic resource holds the text
 * `exports.handler = () => require("pulumi-previewenv/dynamic").provider("<Type>");`, so this signature is frozen.
 */
export function provider(type: string): DynamicProvider {
  const resource = findResource(type);
  return {
    // The engine does not wait for this before other calls, and it keeps a provider whose configure failed. So nothing
    // here may take time or throw.
    configure({ config }) {
      source = (name) => config.get(`previewenv:${name}`);
      return Promise.resolve();
    },

    check: (_olds, news) => translate(() => check(resource, withoutProviderKey(news))),

    diff: (_id, olds, news) =>
      translate(() => {
        const { changes, replaces, mustReport } = resource.diff(
          withoutProviderKey(olds),
          withoutProviderKey(news),
          opened?.session,
        );
        // State that the native plugin wrote has no provider text, which refresh and delete need: one update adds it.
        if (olds[PROVIDER_KEY] === undefined) return { changes: true, replaces: [...replaces] };
        if (changes.length === 0) return { changes: false, replaces: [] };
        // Without `changes` the engine compares the inputs itself and shows every changed key.
        return { ...(mustReport && { changes: true }), replaces: [...replaces] };
      }),

    create: (inputs) =>
      translate(async () => {
        const { id, state } = await resource.create(context(), withoutProviderKey(inputs));
        return { id, outs: plain(state) };
      }, inputs[PROVIDER_KEY]),

    read: (id, props) =>
      translate(async () => {
        const olds = withoutProviderKey(props);
        // The static method `get` passes only an id, as an import does.
        const found = isEmpty(olds)
          ? await resource.import(context(), id)
          : await resource.read(context(), id, olds).then((one) => one && { id, ...one });
        return found === undefined ? {} : { id: found.id, props: plain(found.state), inputs: plain(found.inputs) };
      }),

    update: (id, olds, news) =>
      translate(async () => {
        const [own, declared] = [withoutProviderKey(olds), withoutProviderKey(news)];
        // Only the provider text is missing, see `diff`: an action must not be repeated because of that.
        const isWhole = olds[PROVIDER_KEY] === undefined && !hasChanged(resource, own, declared);
        return { outs: plain(isWhole ? own : await resource.update(context(), id, declared, own)) };
      }, news[PROVIDER_KEY]),

    delete: (id, props) => translate(() => resource.delete(context(), id, withoutProviderKey(props))),
  };
}

function hasChanged(resource: Resource, olds: Properties, news: Properties): boolean {
  return resource.diff(olds, news, opened?.session).changes.length > 0;
}

function check(resource: Resource, news: Properties): { inputs: Properties; failures: Failure[] } {
  const problems = settingsProblems();
  const { inputs, failures } = resource.check(news, opened?.session);
  const reasons = [...failures.map(describeFailure), ...problems];
  return { inputs: plain(inputs), failures: reasons.map((reason) => ({ property: "", reason })) };
}

/** Missing and wrong settings are found in the preview, before anything is written. */
function settingsProblems(): readonly string[] {
  try {
    openSession();
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

/** One session for the process: the engine configures each type's provider by itself, and all must share it. */
function openSession(): Session {
  const settings = resolveLastSettings(source, process.env);
  const key = JSON.stringify(settings);
  if (opened?.key === key) return opened.session;
  const session = startSession(settings);
  session.client.onWait((text) => log.status(text));
  opened = { key, session };
  return session;
}

function context(): Context {
  // The engine does not tell a dynamic provider about a cancellation.
  return { ...openSession(), log, signal: new AbortController().signal };
}

/** Turns what a handler throws into the form that the dynamic provider process expects. */
async function translate<T>(action: () => T | Promise<T>, providerText?: unknown): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof PartialFailureError)) throw withoutStack(error);
    const { message, id, state, reasons } = error;
    // Without the provider text the next refresh or destroy of this resource would fail.
    throw Object.assign(withoutStack(new Error(message)), {
      id,
      reasons,
      properties: { ...plain(state), [PROVIDER_KEY]: providerText },
    });
  }
}

/** An error without stack: the process prints stacks into the user's terminal. */
function withoutStack(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(truncatedText(message)), { stack: "" });
}

function withoutProviderKey(bag: Properties): Properties {
  const { [PROVIDER_KEY]: _text, ...rest } = bag;
  return rest;
}

function isEmpty(bag: Properties): boolean {
  return Object.keys(bag).length === 0;
}

/** A mutable copy without `undefined` and lone surrogates, which cannot be sent to the engine. */
function plain(bag: Properties): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(bag, (_key, value: unknown) => (typeof value === "string" ? toUSVString(value) : value)),
  );
}
