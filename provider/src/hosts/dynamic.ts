import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import { PreviewenvError, settingProblems } from "../client/errors";
import { displayableName } from "../client/error-text";
import { describeFailure } from "../framework/input-checks";
import type { Context, Run } from "../framework/context";
import * as calls from "../framework/engine-calls";
import { asSecret, pick, type Properties } from "../framework/properties";
import type { LiveResource, Resource } from "../framework/resource";
import {
  GET_KEY,
  IDENTITY_KEY,
  PREVIEW_KEY,
  PROVIDER_KEY,
  SECRET_PATHS_KEY,
  UNFINISHED_KEY,
  withoutHostKeys,
} from "../framework/host-keys";
import { secretInputsOf, secretOutputsOf } from "../framework/resource-facts";
import { secretPathsIn, SecretTexts, toldSecretTexts } from "../framework/secret-texts";
import { RefusedError, unexpected, withLastSettingsAdvice } from "../framework/resource-errors";
import { resolveSettings, type Source } from "../framework/settings";
import { startRun } from "../environment/start-run";
import { secretHints } from "../env-vars/secret-hints";
import { visibleSecretWarnings } from "../framework/visible-inputs";
import { findResource } from "../resources";
import { DynamicPreview } from "./dynamic-preview";
import { plain, unfinishedInputs, withSecrets } from "./dynamic-properties";
import { connectEngine, endWithEngine, logFor, runsProgram } from "./engine";

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

/** Stack config of this process, from the last `configure`. Every type's provider gets the same. */
let source: Source = () => undefined;
let started: { readonly key: string; readonly run: Run } | undefined;
const preview = new DynamicPreview();
/** What is wrong with the settings, as an error has said it. */
let toldProblems: string | undefined;
const engine = connectEngine(process.argv.at(-1), pulumisGrpc);
if (engine !== undefined) endWithEngine(() => process.exit());
/** Texts that no message and no other output may repeat, as far as Check and state have told this process. */
const secretsToHide = new SecretTexts();
/** Pulumi secrets among values that the dashboard shows. Only the texts of the service are searched for them. */
const secretsOnDashboard = new SecretTexts();
// A dynamic provider does not know which resource a call is about: the engine shows all messages on the stack's row.
const log = secretsToHide.hideIn(logFor(engine, ""));

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

    check: (olds, news) => withPlainErrors(() => check(resource, withoutHostKeys(olds), news)),
    diff: (_id, olds, news) => withPlainErrors(() => diff(resource, olds, news)),

    create: async (inputs) => {
      const live = await withPlainErrors(() => calls.create(resource, context(), withoutHostKeys(inputs)));
      const outs = plain(outputs(resource, live.state));
      if (live.unfinishedReasons.length === 0) return { id: live.id, outs };
      throw unfinishedError(live, { ...outs, ...pick(inputs, [PROVIDER_KEY]) });
    },

    read: (id, props) =>
      withPlainErrors(async () => {
        noteSecrets(resource, props);
        const olds = withoutHostKeys(props);
        const isGet = props[GET_KEY] === true;
        const live = await (isGet ? calls.lookUp : calls.read)(resource, context(), id, olds);
        // The engine takes an answer without an id for a resource without outputs.
        if (live === undefined && isGet)
          throw new RefusedError(`${type}.get: ${displayableName(id)} does not exist on the service. Check the id.`);
        if (live === undefined) return {};
        const state = plain(outputs(resource, live.state, props));
        // After a failed update only the engine has the inputs from before it. It keeps them. The service may show their secrets in any place.
        if (props[UNFINISHED_KEY] === true) {
          const marked = unfinishedInputs(resource.inputNames, { state, known: olds, olds: props });
          return { id: live.id, props: { ...state, ...marked, [UNFINISHED_KEY]: true } };
        }
        // The engine encrypts what was a secret in the same place. A refresh may find it in another: a service of `services` in `scopes`.
        const { shownInMessages: names } = resource;
        const found = { id: live.id, props: secretsToHide.markIn(state, names, olds) };
        if (Object.keys(live.inputs).length === 0) return found;
        return { ...found, inputs: plain(secretsToHide.markIn(live.inputs, names)) };
      }),

    update: async (id, olds, news) => {
      noteSecrets(resource, olds);
      const live = await withPlainErrors((): LiveResource | Promise<LiveResource> => {
        const [own, declared] = [withoutHostKeys(olds), withoutHostKeys(news)];
        // Only the provider text is missing, see `diff`: an action must not be repeated because of that.
        const lacksOnlyProviderText =
          olds[PROVIDER_KEY] === undefined && !calls.diff(resource, own, declared, started?.run).changes.length;
        return lacksOnlyProviderText ? { id, state: own } : calls.update(resource, context(), id, declared, own);
      });
      const outs = plain(outputs(resource, live.state, olds));
      if ((live.unfinishedReasons ?? []).length === 0) return { outs };
      const marked = unfinishedInputs(resource.inputNames, { state: outs, known: withoutHostKeys(news), olds });
      throw unfinishedError(live, { ...outs, ...marked, ...pick(news, [PROVIDER_KEY]) });
    },

    delete: (id, props) => {
      noteSecrets(resource, props);
      secretsToHide.add(toldSecretTexts(resource.shownByDelete, props));
      return withPlainErrors(() => calls.remove(resource, context(), id, withoutHostKeys(props)));
    },
  };
}

async function check(
  resource: Resource,
  olds: Properties,
  news: Properties,
): Promise<{ inputs: Properties; failures: Failure[] }> {
  // Missing and wrong settings are found in the preview, before anything is written.
  const problems = problemsOfSettings();
  noteSecrets(resource, news);
  const secrets = secretPathsIn(news);
  const identity = typeof news[IDENTITY_KEY] === "string" ? news[IDENTITY_KEY] : undefined;
  const label = labelOf(resource.type, identity);
  const checked = calls.check(resource, withoutHostKeys(news), olds, started?.run, { identity, label });
  const inputs = plain(checked.inputs);
  const reasons = [...checked.failures.map(describeFailure), ...problems];
  if (reasons.length === 0) for (const text of visibleSecretWarnings(label, resource, inputs, secrets)) log.warn(text);
  if (reasons.length === 0 && news[PREVIEW_KEY] === true) {
    const { warnings, notSecretNames } = currentRun();
    preview.noteCheckAnswer(inputs);
    for (const text of warnings.unsaid(secretHints(label, resource, inputs, secrets, notSecretNames))) log.warn(text);
    // A new resource has no Diff, so this is its look at the service.
    if (Object.keys(olds).length === 0)
      reasons.push(...(await whyRefused(preview.warnOrRefuse(resource, context(), inputs))));
  }
  return {
    inputs: withSecrets(inputs, secretInputsOf(resource, inputs)),
    failures: secretsToHide.hideInAll(reasons).map((reason) => ({ property: "", reason })),
  };
}

/** The problems of settings with which no run can begin. */
function problemsOfSettings(): readonly string[] {
  try {
    currentRun();
    return [];
  } catch (error) {
    return settingProblems(error);
  }
}

/** A resource as texts name it: `EnvVarSet "vars"`. */
function labelOf(type: string, identity: string | undefined): string {
  return identity === undefined ? type : `${type} ${JSON.stringify(identity.split("::").slice(1).join("::"))}`;
}

async function diff(
  resource: Resource,
  olds: Properties,
  news: Properties,
): Promise<{ changes?: boolean; replaces: string[] }> {
  const [old, declared] = [withoutHostKeys(olds), withoutHostKeys(news)];
  const { changes, mustReport, ...found } = calls.diff(resource, old, declared, started?.run);
  const replaces = [...found.replaces];
  // The engine calls Check again for a replacement, without old inputs. That Check looks at the service, so this Diff does not.
  if (changes.length > 0 && replaces.length === 0 && preview.isOfThisPreview(declared))
    await preview.warnOrRefuse(resource, context(), declared, old);
  // State that the native plugin wrote has no provider text, which refresh and delete need: one update adds it.
  if (olds[PROVIDER_KEY] === undefined) return { changes: true, replaces };
  // The engine would compare inputs from before the failed update: a program that went back to them needs an update, too.
  if (olds[UNFINISHED_KEY] === true) return { changes: true, replaces };
  if (changes.length === 0) return { changes: false, replaces: [] };
  // Without `changes` the engine compares the inputs itself and shows every changed key.
  return { ...(mustReport && { changes: true }), replaces };
}

/** Why the `up` will fail, as far as a preview can tell. */
async function whyRefused(looking: Promise<void>): Promise<readonly string[]> {
  try {
    await looking;
    return [];
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return [error.message];
  }
}

/** One run for the process: the engine configures each type's provider by itself, and all must share it. @throws ConfigError */
function currentRun(): Run {
  const settings = resolveSettings(source, process.env);
  const key = JSON.stringify(settings);
  if (started?.key === key) return started.run;
  const run = startRun(settings);
  run.client.onWait((text) => log.status(text));
  started = { key, run };
  return run;
}

/** The run of an operation. Without settings, one error says all of them, and those of all other resources are short. */
function runOfOperation(): Run {
  try {
    return currentRun();
  } catch (error) {
    const problems = settingProblems(error).join("\n");
    if (problems === toldProblems) throw new RefusedError("Settings are missing or wrong: see the longer error.");
    toldProblems = problems;
    throw withLastSettingsAdvice(error);
  }
}

function context(): Context {
  // The engine does not tell a dynamic provider about a cancellation.
  return {
    ...runOfOperation(),
    log,
    signal: new AbortController().signal,
    runsProgram: () => runsProgram(engine),
  };
}

/** The copy that `@pulumi/pulumi` itself uses: it is loaded already, and a connection takes credentials of no other copy. */
function pulumisGrpc(): typeof Grpc {
  const { resolve } = createRequire(__filename);
  return createRequire(resolve("@pulumi/pulumi/package.json"))("@grpc/grpc-js");
}

/**
 * The error of a write that is not finished: with it, the dynamic provider process keeps state.
 * @param outs with the provider text: without it the next refresh or destroy of the resource would fail
 */
function unfinishedError({ id, unfinishedReasons = [] }: LiveResource, outs: Properties): Error {
  const reasons = secretsToHide.hideInAll(unfinishedReasons);
  const properties = { ...outs, [UNFINISHED_KEY]: true };
  return Object.assign(withoutStack(new Error(reasons.join("\n"))), { id, reasons, properties });
}

/** Notes the Pulumi secrets that a program or state tells. The service may repeat them in answers to requests of other resources. */
function noteSecrets({ shownInMessages, visibleInput }: Resource, bag: Properties): void {
  secretsToHide.add(toldSecretTexts(shownInMessages, bag));
  const visible = visibleInput === undefined ? [] : toldSecretTexts([visibleInput.name], bag);
  secretsOnDashboard.add(visible);
  if (visible.length > 0 && problemsOfSettings().length === 0) currentRun().client.remember(visible);
}

/** State as the engine takes it: it encrypts the secrets of inputs. Marked here are outputs that repeat one, or show what such an input names. */
function outputs(resource: Resource, state: Properties, olds: Properties = {}): Properties {
  const { shownInMessages, visibleInput } = resource;
  const paths = [
    ...secretsToHide.pathsIn(state, shownInMessages),
    ...secretsOnDashboard.pathsIn(state, visibleInput === undefined ? [] : [visibleInput.name]),
  ];
  const names = new Set([...secretPathsIn(olds), ...paths].map(([name = ""]) => name));
  const whole = Object.entries(pick(state, secretOutputsOf(resource, names)));
  const all = [...paths, ...whole.map(([name]) => [name])];
  return {
    ...secretsToHide.markIn(state, resource.computed),
    ...Object.fromEntries(whole.map(([name, value]) => [name, asSecret(value)])),
    ...(all.length > 0 && { [SECRET_PATHS_KEY]: all }),
  };
}

/**
 * Runs a handler, and turns what it throws into the form that the dynamic provider process expects. Ends when the engine has all
 * messages: any call may be the last one, and the engine takes none after its run.
 */
async function withPlainErrors<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    const error = secretsToHide.hideInError(thrown);
    throw withoutStack(new Error(error instanceof PreviewenvError ? error.message : unexpected(error)));
  } finally {
    await engine?.flushed();
  }
}

/** The process prints stacks into the user's terminal. */
function withoutStack(error: Error): Error {
  return Object.assign(error, { stack: "" });
}
