import {
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  type DiffRequest,
  DiffResponse,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { diffInputs, formatPath } from "../../framework/diff";
import { settingProblems } from "../../client/errors";
import { resolve, settings, type Source, unknownSettings } from "../../framework/settings";
import { startRun } from "../../environment/start-run";
import { NO_VALUE } from "../../framework/missing-value-text";
import { isUnknown, type Properties } from "../../framework/properties";
import { refusal } from "./grpc-errors";
import type { ProviderSession } from "./sessions";
import { type Secrecy, union } from "./secrecy";
import { receive, send } from "./values";

/** The providers that the engine makes of stack config. The name may have a version and an address: `default_0_1_0_https_//example.com`. */
const DEFAULT_PROVIDER = /:previewenv::default(?:_\d+_\d+_\d+[\w.+-]*)?(?:_[a-z]+_\/.*)?$/u;

/** Secrets are marked in both directions. The engine sends references to resources as such. */
export function handshake(): ProviderHandshakeResponse {
  return new ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptResources(true).setAcceptOutputs(true);
}

/**
 * Checks the settings in a preview, before anything is written. No environment variable is returned: the engine stores this
 * answer, and a refresh would use a token that has been replaced since. The token is returned as
 * a secret, because a generated SDK may have put it into the inputs of a provider as plain text.
 */
export function checkConfig(session: ProviderSession, request: CheckRequest): CheckResponse {
  const { bag, secrecy } = receive(request.getNews());
  // A default provider gets every key that stack config has for the package.
  const names = settings.map(({ name }) => name);
  for (const text of unknownSettings(Object.keys(bag), names, "previewenv:")) session.log(request.getUrn()).warn(text);
  const inputs = send(bag, union(secrecy, secretSettings()));
  const failures = problems(bag, DEFAULT_PROVIDER.test(request.getUrn()));
  return new CheckResponse().setInputs(inputs).setFailuresList(failures.map(refusal));
}

/** No change of a setting replaces a resource: ids do not depend on settings. */
export function diffConfig(request: DiffRequest): DiffResponse {
  const names = settings.map(({ name }) => name);
  const olds = receive(request.getOldInputs() ?? request.getOlds()).bag;
  const changes = diffInputs(olds, receive(request.getNews()).bag, names);
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  return new DiffResponse()
    .setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(changes.map(({ path }) => formatPath(path)));
}

/** The settings that a session begins with, and the engine's reference of the provider that they are of. Old engines tell none. */
export function settingsOf(request: ConfigureRequest): { readonly source: Source; readonly provider?: string } {
  const { bag } = receive(request.getArgs());
  const [urn = "", id = ""] = [request.getUrn(), request.getId()];
  return { source: (name) => bag[name], ...(urn !== "" && id !== "" && { provider: `${urn}::${id}` }) };
}

function secretSettings(): Secrecy {
  return new Map(settings.filter(({ secret }) => secret).map(({ name }) => [name, "all"]));
}

function problems(given: Properties, isOfStackConfig: boolean): readonly string[] {
  // An empty setting of a program's own Provider would silently be that of the environment: another organization's token.
  const empty = settings.filter(({ name }) => given[name] === null || (given[name] === "" && !isOfStackConfig));
  if (empty.length > 0) return empty.map(({ name }) => `previewenv:${name} ${NO_VALUE}.`);
  const { settings: resolved, problems: found } = resolve((name) => given[name], process.env);
  const known = [...found].flatMap(([name, problem]) => (isUnknown(given[name]) ? [] : [problem]));
  if (resolved === undefined || settings.some(({ name }) => isUnknown(given[name]))) return known;
  try {
    // Only the client knows whether an address can work. It opens no connection before its first request.
    void startRun(resolved).client.close();
    return [];
  } catch (error) {
    return settingProblems(error);
  }
}
